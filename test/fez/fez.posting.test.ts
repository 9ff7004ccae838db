// Writing posts into a chat of which the server knows less than Postgres: what happened in it without a
// word, and what happens at the same moment.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ctx } from '../../src/core/work/ctx.ts'
import type { FezEvent } from '../../src/fez/events.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, createSeamail, lfg, people, refused, say, settingsChanged, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const post = (person: Person, fezID: string, text: string) => person.one.post(`/fez/${fezID}/post`, { text, images: [] })

async function textsOf(fezID: string): Promise<string[]> {
  const rows = await nodes.sql<{ text: string }[]>`select text from fez_post where fez_id = ${fezID} and deleted_at is null order by id`
  return rows.map(({ text }) => text)
}

test('a post goes into a chat in which something has happened that this server has not heard of', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one)
  await say(owner.one, fezID, 'first')
  await nodes.sql`update fez set seq = seq + 1, title = 'Renamed' where id = ${fezID}`
  const answer = await body(post(owner, fezID, 'second'), 201)
  assert.equal(answer.title, 'Renamed')
  assert.equal(answer.members.postCount, 2)
  assert.deepEqual(await textsOf(fezID), ['first', 'second'])
})

test('the answer to a post shows the chat as it is, whatever has changed, on both nodes', async () => {
  const [owner, member, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const starts = { startTime: '2030-05-01T10:00:00Z', endTime: '2030-05-01T11:00:00Z' }
  const fezID = await createChat(owner.one, { ...starts, maxCapacity: 2 })
  const path = `/fez/${fezID}`
  let changed: unknown
  const compare = async (what: string) => {
    for (const client of owner.clients) {
      const {
        postID: _id,
        author: _author,
        text: _text,
        timestamp: _at,
        ...answer
      } = await body(client.post(`${path}/post`, { text: what, images: [] }), 201)
      const { members, ...chat } = await body(client.get(path))
      delete members.posts
      delete members.paginator
      assert.deepEqual(answer, { ...chat, members }, what)
      const { lastModificationTime: _time, members: shown, ...rest } = answer
      const without = JSON.stringify([rest, shown.participants, shown.waitingList])
      if (client === owner.one) {
        assert.notEqual(without, changed, `${what} is shown`)
        changed = without
      } else assert.equal(without, changed, `${what} is shown by both`)
    }
  }
  await compare('nothing yet')
  await body(member.two.post(`${path}/join`), 201)
  await compare('somebody has joined')
  await body(moderator.one.post(`${path}/join`), 201)
  await compare('somebody waits')
  await body(member.two.post('/user/profile', { displayName: 'Renamed' }))
  await compare('a member has another name')
  await body(member.two.post(`${path}/unjoin`))
  await compare('a member has left')
  await body(owner.two.post(`${path}/update`, lfg({ ...starts, title: 'Other cards' })))
  await compare('the chat has another title and room for all')
  await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values ('2030-01-01', 'WEST', 'Etc/GMT-1')`
  await settingsChanged(nodes)
  try {
    await compare('clocks have changed')
  } finally {
    await nodes.sql`delete from time_zone_change where abbreviation = 'WEST'`
    await settingsChanged(nodes)
  }
  await body(moderator.one.post(`/mod/fez/${fezID}/slowmode`, { seconds: 1 }))
  assert.equal((await body(post(owner, fezID, 'slowly'), 201)).slowModeSeconds, 1)
})

test('nobody posts on the strength of what is not true any more', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const thread = await createSeamail(owner.one, [member])
  await say(member.one, thread, 'still there')
  await nodes.sql`update fez set seq = seq + 1, moderation_status = 'locked' where id = ${thread}`
  await refused(post(member, thread, 'locked by now'), 400)
  await nodes.sql`update fez set seq = seq + 1, deleted_at = now() where id = ${thread}`
  await refused(post(member, thread, 'gone by now'), 400)
  assert.deepEqual(await textsOf(thread), ['still there'])

  const group = await createChat(owner.one)
  await body(member.one.post(`/fez/${group}/join`), 201)
  await say(member.one, group, 'joined')
  await nodes.sql`update fez_member set left_at = now() where fez_id = ${group} and account_id = ${member.id}`
  await nodes.sql`update fez set seq = seq + 1 where id = ${group}`
  await refused(post(member, group, 'not a member by now'), 403)
  assert.deepEqual(await textsOf(group), ['joined'])
})

test('somebody who is removed at the same moment posts before that or not at all', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one)
  await body(member.one.post(`/fez/${fezID}/join`), 201)
  await say(member.one, fezID, 'first')
  let posting: ReturnType<typeof post> | undefined
  await nodes.apps[1]?.node.db.transaction(async (sql) => {
    await sql`select from fez where id = ${fezID} for update`
    posting = post(member, fezID, 'too late')
    await until(
      async () =>
        (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
      'the post waits for the chat',
    )
    await sql`update fez_member set left_at = now() where fez_id = ${fezID} and account_id = ${member.id}`
    await sql`update fez set seq = seq + 1, member_count = member_count - 1 where id = ${fezID}`
  })
  await refused(posting as ReturnType<typeof post>, 403)
  assert.deepEqual(await textsOf(fezID), ['first'])
})

test('many posts at once over two servers are numbered without a gap, in the order of their ids', async () => {
  const crowd = await people(nodes, ...Array.from({ length: 6 }, () => ({})))
  const [owner] = crowd as [Person]
  const fezID = await createChat(owner.one)
  for (const person of crowd.slice(1)) await body(person.one.post(`/fez/${fezID}/join`), 201)
  const heard: number[] = []
  nodes.apps[0]?.node.channels.watch('fez', fezID, {
    reload: () => Promise.resolve(),
    observe(_kind, _id, event) {
      const { type, seq, posts } = event as FezEvent & { type: 'posted' }
      assert.equal(type, 'posted')
      heard.push(...posts.map((_, index) => seq + index))
    },
  })
  const posts = crowd.flatMap((person, index) =>
    Array.from({ length: 8 }, (_, at) => ({ client: at % 2 === 0 ? person.one : person.two, text: `${index}.${at}` })),
  )
  const ids = await Promise.all(posts.map(({ client, text }) => say(client, fezID, text)))
  assert.equal(new Set(ids).size, posts.length)
  const {
    members: {
      postCount,
      posts: [last],
    },
  } = await body(owner.two.get(`/fez/${fezID}?start=${posts.length - 1}&limit=1`))
  assert.equal(postCount, posts.length)
  assert.equal(last.postID, Math.max(...ids))
  const [{ seq, lastPostId }] = await nodes.sql<
    [{ seq: number; lastPostId: number }]
  >`select seq, last_post_id from fez where id = ${fezID}`
  assert.equal(seq, crowd.length + posts.length)
  assert.equal(lastPostId, Math.max(...ids))
  const numbers = posts.map((_, index) => crowd.length + 1 + index)
  assert.deepEqual(
    heard.toSorted((a, b) => a - b),
    numbers,
  )
})

test('what marks something as seen is one statement, without jobs', async () => {
  const { node } = nodes.apps[0] as TestNodes['apps'][number]
  const markSeen = (work: Parameters<Ctx<undefined>['markSeen']>[1]) =>
    new Ctx(node, undefined, { requestId: 'seen', log: node.log }).markSeen(undefined, work)
  let rows = 0
  await markSeen(async ({ sql }) => {
    rows = (await sql`select ${1}::int as one where ${sql`true`}`).length
  })
  assert.equal(rows, 1)
  await assert.rejects(
    markSeen(async ({ sql }) => {
      await sql`select 1`
      await sql`select 2`
    }),
    /several/,
  )
  await assert.rejects(
    markSeen((tx) => Promise.resolve(tx.enqueue('schedule-reload', {}))),
    /jobs/,
  )
})
