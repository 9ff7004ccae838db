// What an older version has stored about chats, under the newest schema.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import postgres from 'postgres'
import { migrate, migrationsFolder } from '../../src/core/db/migrate.ts'
import { createEmptyDatabase } from '../support/db.ts'

const migration = '2026-11-25_fez_favorites_visibility.sql'

test('reports and log entries about private events get their own type, those about other chats keep theirs', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  const database = await createEmptyDatabase()
  const sql = postgres(database.url, { max: 1 })
  t.after(async () => {
    await sql.end()
    await database.drop()
    rmSync(directory, { recursive: true })
  })
  const isEarlier = (name: string) => name.endsWith('.sql') && (/^\d{4}_/.test(name) || (/^\d/.test(name) && name < migration))
  for (const name of readdirSync(migrationsFolder).filter(isEarlier)) copyFileSync(join(migrationsFolder, name), join(directory, name))
  await migrate(database.url, () => undefined, directory)

  const [one, other] = [randomUUID(), randomUUID()]
  for (const id of [one, other])
    await sql`insert into account (id, person_id, username, username_key, level, password_hash, user_search, profile_updated_at, created_at)
      values (${id}, ${id}, ${id}, ${id}, 'verified', '', ${id}, now(), now())`
  const chats = { privateEvent: randomUUID(), personalEvent: randomUUID(), gaming: randomUUID(), closed: randomUUID() }
  const reported = { type: 'fez', reported_user_id: one, message: '', created_at: new Date(), updated_at: new Date() }
  const acted = { action_type: 'edit', moderator_id: other, target_user_id: one, created_at: new Date() }
  for (const [fezType, id] of Object.entries(chats)) {
    await sql`insert into fez (id, owner_id, fez_type, title, info, min_capacity, max_capacity, created_at, updated_at)
      values (${id}, ${one}, ${fezType}, 'Chat', '', 0, 0, now(), now())`
    await sql`insert into report ${sql({ ...reported, id: randomUUID(), reported_id: id, author_id: other })}`
    await sql`insert into moderator_action ${sql({ ...acted, id: randomUUID(), content_type: 'fez', content_id: id })}`
  }
  // The same person under both words, and one under the old word alone.
  for (const author of [one, other])
    await sql`insert into report ${sql({ ...reported, type: 'personalEvent', id: randomUUID(), reported_id: chats.privateEvent, author_id: author })}`
  await sql`insert into audit (actor_id, action, subject_type, subject_id, details, request_id, created_at)
    values (${other}, 'closeReports', 'personalEvent', ${chats.privateEvent}, '{}', 'x', now())`

  await migrate(database.url, () => undefined)
  const typesOf = async (id: string) => {
    const reports = await sql<{ type: string }[]>`select type from report where reported_id = ${id} order by type::text, author_id = ${one}`
    const actions = await sql<{ type: string }[]>`select content_type as type from moderator_action where content_id = ${id}`
    return [reports, actions].map((rows) => rows.map(({ type }) => type))
  }
  assert.deepEqual(await typesOf(chats.gaming), [['fez'], ['fez']])
  assert.deepEqual(await typesOf(chats.closed), [['fez'], ['fez']])
  assert.deepEqual(await typesOf(chats.personalEvent), [['privateEvent'], ['privateEvent']])
  assert.deepEqual(await typesOf(chats.privateEvent), [['fez', 'privateEvent', 'privateEvent'], ['privateEvent']])
  assert.deepEqual([...(await sql`select subject_type from audit`)], [{ subject_type: 'privateEvent' }])
  assert.deepEqual([...(await sql`select count(*)::int from fez where unlisted`)], [{ count: 0 }])
})
