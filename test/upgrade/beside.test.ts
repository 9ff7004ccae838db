// A new version beside servers of the one before: what only adds is applied, what takes something away waits until nobody needs it.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrationsFolder } from '../../src/core/db/migrate.ts'
import { requireUnused } from '../../src/upgrade/beside.ts'
import { startTestNodes } from '../support/app.ts'
import { createEmptyDatabase } from '../support/db.ts'

test('servers of the version before go on beside what adds, and stop what takes away', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-sql-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync(migrationsFolder, folder, { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.sql`), text)
  const nodes = await startTestNodes(1)
  const { url } = nodes.database
  await requireUnused(url, folder)
  write('2099-01-01_fez_colour', 'alter table fez add column colour text;')
  await requireUnused(url, folder)
  write('2099-01-02_fez_title', '-- changes: fez.title, index fez_start\nupdate fez set title = upper(title);')
  await assert.rejects(requireUnused(url, folder), {
    message:
      'Servers or workers of the version before use the database, and sql/2099-01-02_fez_title.sql changes what they need: ' +
      'fez.title, index fez_start. Stop them first.',
  })
  // One that a database of long ago lacks was written when nobody asked.
  await nodes.sql`delete from schema_migration where name = '2026-11-29_retention'`
  await assert.rejects(requireUnused(url, folder), /sql\/2026-11-29_retention\.sql may change what they need\. Stop them first\.$/)
  await nodes.stop()

  // Nobody uses one that is being made.
  const empty = await createEmptyDatabase()
  await requireUnused(empty.url, folder)
  await empty.drop()
})
