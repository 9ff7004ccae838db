// A rolling upgrade: servers of the version before go on while the database gets what a newer version adds. Each table gets a column
// under statements that were prepared before, and everything is read and written as it was.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { askAgain, askEverything, differences, readPaths, type Answers, type Person as Asker } from '../../src/upgrade/answers.ts'
import { writeEverything } from '../../src/upgrade/writes.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { anEvening } from '../support/evening.ts'
import { userKind } from '../../src/users/channel.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'

let nodes: TestNodes
let askers: Asker[]
let paths: string[]
before(async () => {
  nodes = await startTestNodes(2, { workers: 1, env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  await anEvening(nodes)
  askers = await people(nodes, {}, { level: 'admin' })
  paths = await readPaths(nodes.urls[0] as string)
})
after(() => nodes.stop())

/** What node answers to everything that is read, and then written. */
async function all(node: number, turn: number): Promise<{ read: Answers; written: Answers }> {
  const url = nodes.urls[node] as string
  return { written: await writeEverything(url, askers, turn), read: await askEverything(url, paths, askers) }
}

it('a column more in each table, indexes, types and tables change nothing for servers that do not know of them', async () => {
  let turn = 0
  const before = []
  for (const node of [0, 1]) {
    await writeEverything(nodes.urls[node] as string, askers, turn++)
    before.push(await all(node, turn++))
  }
  const tables = await nodes.sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  assert.ok(tables.length > 80)
  await nodes.sql.unsafe(
    [
      ...tables.flatMap(({ name }) => [
        `alter table ${name} add column zz_new text`,
        `alter table ${name} add column zz_more int not null default 7`,
        `create index ${name}_zz_new on ${name} (zz_new)`,
      ]),
      `create table zz_thing (id uuid primary key, account_id uuid references account on delete cascade)`,
      `alter type fez_type add value 'walk' before 'other'`,
    ].join(';\n'),
  )
  for (const node of [0, 1]) {
    const known = before[node] as { read: Answers; written: Answers }
    const now = await all(node, turn++)
    const url = nodes.urls[node] as string
    assert.deepEqual(differences(known.written, now.written).broken, [])
    const missed = differences(known.read, now.read).broken.map(({ request }) => request)
    const { broken } = differences(known.read, await askAgain(url, missed, askers))
    // There is more to read by now: lists may begin with what has less to show.
    assert.deepEqual(
      broken.filter(({ what }) => what.startsWith('answered')),
      [],
    )
  }
})

it('what a newer version tells of, and this one does not know, is read from the database', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  const says = (kind: string, id: string, more: object) =>
    nodes.apps[1]?.node.channels.publishConfirmed(kind, id, { type: 'fromTheFuture', ...more })
  for (const client of bob.clients) await body(client.get(`/fez/${fezID}`))

  await nodes.sql`insert into muteword (account_id, word, created_at) values (${bob.id}, 'later', now())`
  await says('user', bob.id, {})
  const mutewords = nodes.apps.map(({ node }) => node.channels.of(userKind).peek(bob.id)?.mutewords)
  assert.deepEqual(mutewords, [['later'], ['later']])

  const [row] = await nodes.sql<[{ seq: number }]>`
    update fez set title = 'Renamed later', seq = seq + 1, updated_at = now() where id = ${fezID} returning seq`
  await says('fez', fezID, { seq: row.seq, updatedAt: new Date() })
  for (const client of bob.clients) assert.equal((await body(client.get(`/fez/${fezID}`))).title, 'Renamed later')

  await nodes.sql`update event set title = title || ', later'`
  await says('schedule', 'all', {})
  for (const client of bob.clients) {
    const titles = (await body(client.get('/events'))).map(({ title }: { title: string }) => title)
    assert.ok(titles.length > 0 && titles.every((title: string) => title.endsWith(', later')), titles.join())
  }
})
