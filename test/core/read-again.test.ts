// Having everything read again after somebody has written to Postgres past the product: by an admin, and by an operator.
// Two servers and a worker.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import type { Client } from '../support/client.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { runTool } from '../support/tools.ts'
import { guard } from '../support/second-factor.ts'
import { insertIdentity, insertPasskey } from '../support/ways-in.ts'

let nodes: TestNodes
/** Nothing of the product hears what is written here. */
let operator: postgres.Sql
let admin: Person
let author: Person
let reader: Person
let eventUid: string
let chat: string

before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  operator = postgres(nodes.database.url, { max: 1, onnotice: () => undefined })
  ;[admin, author, reader] = (await people(nodes, { level: 'admin' }, {}, {})) as [Person, Person, Person]
  eventUid = 'by hand'
  await apply(admin, [{ uid: eventUid, title: 'Event 0', start: '2026-11-25T15:00:00Z', end: '2026-11-25T16:00:00Z' }])
  const displayUntil = new Date(Date.now() + 86_400_000).toISOString()
  await body(admin.one.post('/notification/announcement/create', { text: 'Announcement 0', displayUntil }), 201)
  await body(admin.one.post('/admin/performer/upsert', performer))
  await nodes.sql`insert into performer_event (performer_id, event_id)
    select performer.id, event.id from performer, event where name = ${performer.name} and uid = ${eventUid}`
  chat = await createSeamail(author.one, [reader], { title: 'Talk' })
  await say(author.one, chat, 'Post 0')
})
after(async () => {
  await operator.end()
  await nodes.stop()
})

const performer = { name: 'Performer 0', photo: {}, isOfficialPerformer: true, yearsAttended: [], eventUIDs: [] }

/** Everything as one client is shown it. */
async function shownBy(client: Client): Promise<Record<string, unknown>> {
  const [event, announcements, { members }, profile] = await Promise.all([
    body(client.get(`/events/${eventUid}`)),
    body(client.get('/notification/announcements')),
    body(client.get(`/fez/${chat}`)),
    body(client.get(`/users/${author.id}/profile`)),
  ])
  return {
    event: event.title,
    performer: event.performers[0]?.name,
    announcement: announcements.at(-1)?.text,
    post: members.posts.at(-1)?.text,
    header: members.posts.at(-1)?.author.displayName,
    profile: profile.header.displayName,
  }
}

async function writeByHand(number: number): Promise<Record<string, unknown>> {
  await operator`update event set title = ${`Event ${number}`}`
  await operator`update performer set name = ${`Performer ${number}`}`
  await operator`update announcement set text = ${`Announcement ${number}`}`
  await operator`update fez_post set text = ${`Post ${number}`}`
  await operator`update account set display_name = ${`Author ${number}`} where id = ${author.id}`
  return {
    event: `Event ${number}`,
    performer: `Performer ${number}`,
    announcement: `Announcement ${number}`,
    post: `Post ${number}`,
    header: `Author ${number}`,
    profile: `Author ${number}`,
  }
}

const audited = async () =>
  await operator<
    { actorId: string; details: object }[]
  >`select actor_id as "actorId", details from audit where action = 'readAgain' order by id`

test('POST /admin/memory/reload: from then on every server shows what is in Postgres; once a minute, for admins alone', async () => {
  const clients = reader.clients
  for (const client of clients) await shownBy(client)
  const written = await writeByHand(1)
  for (const client of clients) assert.notDeepEqual(await shownBy(client), written, 'nobody has told the servers')
  const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
  await refused(tho.one.post('/admin/memory/reload'), 403)
  await refused(nodes.client().post('/admin/memory/reload'), 401)
  await body(admin.one.post('/admin/memory/reload'))
  for (const client of clients) assert.deepEqual(await shownBy(client), written)
  const again = await admin.two.post('/admin/memory/reload')
  assert.equal(again.status, 429)
  assert.ok(Number(again.headers['retry-after']) > 0)
  assert.deepEqual(
    (await audited()).map(({ actorId }) => actorId),
    [admin.id],
  )
})

test('npm run refresh: when it ends, every server shows what is in Postgres; once a minute', async () => {
  await operator`update audit set created_at = created_at - interval '1 hour'`
  const refresh = (...args: string[]) => runTool('refresh', args, { DATABASE_URL: nodes.database.url })
  for (const client of reader.clients) await shownBy(client)
  const written = await writeByHand(2)
  const { code, output } = await refresh()
  assert.deepEqual([code, output], [0, 'All servers and workers read everything again.\n'])
  for (const client of reader.clients) assert.deepEqual(await shownBy(client), written)
  const soon = await refresh()
  assert.equal(soon.code, 1)
  assert.match(soon.output, /^Everything was read again a moment ago\. Try again in \d+ seconds\.\n$/)
  assert.equal((await audited()).length, 2)
  assert.equal((await refresh('now')).code, 2)
})

test('npm run refresh: says so when nobody uses the database', async () => {
  const url = new URL(nodes.database.url)
  await operator.unsafe(`create database ${url.pathname.slice(1)}_idle`)
  url.pathname += '_idle'
  const { code, output } = await runTool('refresh', [], { DATABASE_URL: url.href })
  await operator.unsafe(`drop database ${url.pathname.slice(1)}`)
  assert.deepEqual([code, output], [0, 'No server uses this database. Whatever starts next reads everything.\n'])
})

test('npm run password: a new one, of which all servers know, and nobody is signed in with the old any more, nor otherwise, nor needs a second factor', async () => {
  await operator`update audit set created_at = created_at - interval '1 hour'`
  const [lost] = (await people(nodes, { level: 'admin' })) as [Person]
  const login = (password: string, node: number, headers: Record<string, string> = {}) =>
    nodes.client(undefined, node).post('/auth/login', undefined, { basic: [lost.username, password], headers })
  const { codes } = await guard(lost.one)
  await body(login(testPassword + codes[0], 0, { 'X-Session': 'cookie', Origin: nodes.urls[0] as string }))
  await insertIdentity(nodes.sql, lost.id)
  await insertPasskey(nodes.sql, lost.id)
  const { code, output } = await runTool('password', [`@${lost.username.toUpperCase()}`], { DATABASE_URL: nodes.database.url })
  assert.equal(code, 0, output)
  const [, password = ''] = / is (\S+) from now on/.exec(output) ?? []
  assert.equal(password.split('-').length, 4)
  for (const client of lost.clients) await refused(client.get('/user/whoami'), 401)
  assert.equal((await operator`select from browser_session where account_id = ${lost.id}`).length, 0)
  assert.equal((await operator`select from oidc_identity where account_id = ${lost.id}`).length, 0)
  assert.equal((await operator`select from passkey where account_id = ${lost.id}`).length, 0)
  await refused(login(testPassword, 0), 401)
  await body(login(password, 1))
  const [entry] = await operator`select details from audit where action = 'recover' and user_id = ${lost.id}`
  assert.deepEqual(entry?.['details'], { with: 'command' })
  const nobody = await runTool('password', ['nobody-at-all'], { DATABASE_URL: nodes.database.url })
  assert.deepEqual([nobody.code, nobody.output], [1, 'Nobody is called nobody-at-all.\n'])
  assert.equal((await runTool('password', [], { DATABASE_URL: nodes.database.url })).code, 2)
})
