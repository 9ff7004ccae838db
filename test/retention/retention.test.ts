// What is old goes where the host wants that, as many as were foretold; what is young, reported or not wanted gone stays.
import assert from 'node:assert/strict'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { Ctx } from '../../src/core/work/ctx.ts'
import { imagePath } from '../../src/image/names.ts'
import { sweepImages } from '../../src/image/sweep.service.ts'
import { removeOld } from '../../src/retention/service.ts'
import type { RetentionData } from '../../src/sdk/client.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { content, postIn, startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { answer, write } from '../support/microblog.ts'
import { streamPhoto } from '../support/photostream.ts'
import { boardItem } from '../support/quartermaster.ts'
import { onlySettings } from '../support/settings.ts'

const dayMs = 24 * 60 * 60_000
const forGood = { deleted: 0, versions: 0, reports: 0, trails: 0, chats: 0 }
type Kind = keyof typeof forGood

const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let moderator: Person
let ann: Person
let bob: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[admin, moderator, ann, bob] = (await people(nodes, { level: 'admin' }, { level: 'moderator' }, {}, {})) as [
    Person,
    Person,
    Person,
    Person,
  ]
})
after(() => nodes.stop())
afterEach(() => onlySettings(nodes))

const ctx = (node = 0) => {
  const found = nodes.apps[node]!.node
  return new Ctx(found, undefined, { requestId: 'retention', log: found.log })
}
const set = (days: Partial<Record<Kind, number>>) => body<RetentionData>(admin.one.post('/admin/retention', { ...forGood, ...days }))
const oldOf = ({ kinds }: RetentionData, kind: Kind) => kinds.find((each) => each.kind === kind)?.old
const foretold = async (kind: Kind, days: number) =>
  oldOf(await body<RetentionData>(admin.two.get(`/admin/retention?${kind}=${days}`)), kind)
/** Sets the days of a kind, removes what is older, and looks whether there were as many as was said. */
async function removed(kind: Kind, days: number): Promise<number> {
  const n = await foretold(kind, days)
  const since = clock.now()
  await set({ [kind]: days })
  await removeOld(ctx())
  const [row] = await nodes.sql<{ n: number }[]>`
    select (details->>'removed')::int as n from audit where action = 'removeOld' and subject_id = ${kind} and created_at >= ${new Date(since)}`
  assert.equal(row?.n ?? 0, n, 'as many as were foretold')
  assert.equal(await foretold(kind, days), 0)
  return row?.n ?? 0
}
const has = async (table: string, id: string | number): Promise<boolean> =>
  (await nodes.sql`select from ${nodes.sql(table)} where id::text = ${String(id)}`).length > 0
const anew = (...days: number[]) => {
  for (const each of days) clock.leap(each * dayMs)
}
const change = (postID: number, text: string) => body(ann.one.post(`/forum/post/${postID}/update`, content(text)))
const report = (path: string) => body(bob.one.post(path, { message: 'not nice' }), 201)

test('nothing goes unless an admin says so', async () => {
  const { forumID } = await startForum(ann.one, 'Hats')
  const post = await postIn(ann.one, forumID, 'red')
  await body(ann.one.delete(`/forum/post/${post}`), 204)
  anew(5000)
  await removeOld(ctx())
  assert.ok(await has('forum_post', post))
  const { kinds } = await body<RetentionData>(admin.one.get('/admin/retention'))
  assert.deepEqual(
    kinds.map(({ kind, days, old }) => [kind, days, old]),
    Object.keys(forGood).map((kind) => [kind, 0, 0]),
  )
  for (const other of [moderator, ann]) await refused(other.one.get('/admin/retention'), 403)
})

test('what was deleted so long ago goes with all that belongs to it; what was deleted later, or not, stays', async () => {
  const { forumID } = await startForum(ann.one, 'Shoes')
  const [gone, young, kept] = [
    await postIn(ann.one, forumID, 'a'),
    await postIn(ann.one, forumID, 'b'),
    await postIn(ann.one, forumID, 'c'),
  ]
  await change(gone, 'a changed')
  await body(bob.one.post(`/forum/post/${gone}/like`))
  await body(bob.one.post(`/forum/post/${gone}/bookmark`), 201)
  const { forumID: whole, postID: inWhole } = await startForum(ann.one, 'All of it')
  const chat = await createChat(ann.one, {})
  const [said, saidLast] = [await say(ann.one, chat, 'hello'), await say(ann.one, chat, 'still here')]
  const group = await createChat(ann.one, {})
  await body(bob.one.post(`/fez/${group}/join`), 201)
  const inGroup = await say(bob.one, group, 'I come')
  const photo = await streamPhoto(nodes, ann)
  const item = await boardItem(ann.one)
  const { pollID } = await body(
    ann.one.post('/poll/create', { place: 'forum', placeID: forumID, question: 'Which?', choices: ['x', 'y'] }),
    201,
  )
  const [{ asked } = { asked: 0 }] = await nodes.sql<{ asked: number }[]>`select post_id as asked from poll where id = ${pollID}`
  await body(bob.one.post(`/poll/${pollID}/vote`, { choices: [0] }))
  const picture = storedImage(nodes)
  await nodes.sql`update forum_post set images = ${[picture]} where id = ${gone}`

  await body(ann.one.delete(`/forum/post/${gone}`), 204)
  await body(ann.one.delete(`/forum/post/${asked}`), 204)
  await body(moderator.one.delete(`/forum/${whole}`), 204)
  await body(ann.one.delete(`/fez/post/${said}`), 204)
  await body(moderator.one.delete(`/fez/${group}`), 204)
  await body(moderator.one.delete(`/mod/photostream/${photo}`))
  await body(ann.one.delete(`/quartermaster/${item}`), 204)
  anew(6)
  await body(ann.two.delete(`/forum/post/${young}`), 204)
  anew(2)
  await removed('deleted', 9)
  assert.ok(await has('forum_post', gone), 'not yet')
  assert.ok((await removed('deleted', 7)) >= 8)

  for (const [table, id] of [
    ['forum_post', gone],
    ['forum_post', asked],
    ['forum_post', inWhole],
    ['forum', whole],
    ['fez_post', said],
    ['fez_post', inGroup],
    ['fez', group],
    ['stream_photo', photo],
    ['quartermaster_item', item],
    ['poll', pollID],
  ] as const)
    assert.equal(await has(table, id), false, table)
  for (const table of ['forum_post_edit', 'forum_post_mark'])
    assert.equal((await nodes.sql`select from ${nodes.sql(table)} where post_id = ${gone}`).length, 0, table)
  assert.equal((await nodes.sql`select from fez_member where fez_id = ${group}`).length, 0)
  assert.ok(await has('forum_post', young))
  assert.ok(await has('fez_post', saidLast))
  const shown = await body(bob.two.get(`/forum/${forumID}`))
  assert.deepEqual(
    shown.posts.map(({ postID }: { postID: number }) => postID).filter((id: number) => [gone, young, kept].includes(id)),
    [kept],
  )

  // Its file goes with the next sweep of the pictures.
  const archived = join(nodes.config.imagesDir, imagePath('archive', picture))
  const hour = new Date(Date.now() - 2 * dayMs)
  for (const size of ['full', 'thumb', 'archive'] as const) {
    const path = join(nodes.config.imagesDir, imagePath(size, picture))
    if (existsSync(path)) utimesSync(path, hour, hour)
  }
  assert.ok(existsSync(archived), 'kept for moderators until then')
  await sweepImages(ctx())
  assert.equal(existsSync(archived), false)
})

test('a post of the microblog that was answered stays until its answers are gone', async () => {
  const [first, alone] = [await write(ann.one, 'who comes?'), await write(ann.one, 'nobody answers')]
  const reply = await answer(bob.one, first, 'me')
  for (const id of [first, alone]) await body(ann.one.delete(`/microblog/${id}`), 204)
  anew(3)
  await removed('deleted', 2)
  assert.deepEqual([await has('microblog_post', first), await has('microblog_post', alone)], [true, false])
  await body(bob.one.delete(`/microblog/${reply}`), 204)
  anew(3)
  assert.equal(await removed('deleted', 2), 2)
  assert.deepEqual([await has('microblog_post', first), await has('microblog_post', reply)], [false, false])
})

test('what is reported stays with its earlier versions until the report is closed; then it goes, and the report in its time', async () => {
  const { forumID } = await startForum(ann.one, 'Loud')
  const post = await postIn(ann.one, forumID, 'an insult')
  await report(`/forum/post/${post}/report`)
  await change(post, 'a compliment')
  await body(ann.one.delete(`/forum/post/${post}`), 204)
  const versions = () => nodes.sql`select from forum_post_edit where post_id = ${post}`
  const reports = () => nodes.sql<{ id: string }[]>`select id from report where type = 'forumPost' and reported_id = ${String(post)}`
  anew(100)
  await removed('deleted', 1)
  await removed('versions', 1)
  await removed('reports', 30)
  assert.deepEqual([await has('forum_post', post), (await versions()).length, (await reports()).length], [true, 1, 1])
  const [{ id } = { id: '' }] = await reports()
  await body(moderator.one.post(`/mod/reports/${id}/closeall`))
  anew(20)
  await removed('reports', 30)
  assert.equal((await reports()).length, 1, 'closed 20 days ago')
  await removed('versions', 1)
  assert.equal((await versions()).length, 0)
  await removed('deleted', 1)
  assert.equal(await has('forum_post', post), false)
  anew(11)
  await removed('reports', 30)
  assert.equal((await reports()).length, 0)
})

test('a deleted chat or forum stays for as long as a post in it is under report, deleted or not', async () => {
  type Row = [table: string, id: string | number]
  type Place = Record<'place' | 'post', Row> & { other: Row[] }
  const group = async (isDeleted: boolean): Promise<Place> => {
    const chat = await createChat(ann.one, {})
    await body(bob.one.post(`/fez/${chat}/join`), 201)
    const post = await say(ann.one, chat, 'an insult')
    await report(`/fez/post/${post}/report`)
    if (isDeleted) await body(ann.one.delete(`/fez/post/${post}`), 204)
    await body(moderator.one.delete(`/fez/${chat}`), 204)
    return { place: ['fez', chat], post: ['fez_post', post], other: [] }
  }
  const forum = async (isDeleted: boolean): Promise<Place> => {
    const { forumID, postID } = await startForum(ann.one, 'Loud')
    const post = await postIn(ann.one, forumID, 'an insult')
    await report(`/forum/post/${post}/report`)
    if (isDeleted) await body(ann.one.delete(`/forum/post/${post}`), 204)
    await body(moderator.one.delete(`/forum/${forumID}`), 204)
    return { place: ['forum', forumID], post: ['forum_post', post], other: [['forum_post', postID]] }
  }
  const places = [await group(false), await group(true), await forum(false), await forum(true)]
  anew(5)
  await set({ deleted: 4 })
  await removeOld(ctx())
  for (const { place, post, other } of places) {
    assert.deepEqual([await has(...place), await has(...post)], [true, true], place[0])
    for (const each of other) assert.equal(await has(...each), false)
  }
  const reports = await nodes.sql<{ id: string }[]>`select id from report where not is_closed`
  for (const { id } of reports) await body(moderator.one.post(`/mod/reports/${id}/closeall`))
  await removeOld(ctx())
  for (const { place, post } of places) assert.deepEqual([await has(...place), await has(...post)], [false, false], place[0])
})

test('with a post goes its own poll, not that of a post elsewhere which has the same number', async () => {
  const { forumID } = await startForum(ann.one, 'Votes')
  const tweet = await write(ann.one, 'gone')
  const { pollID } = await body(
    ann.one.post('/poll/create', { place: 'forum', placeID: forumID, question: 'Which?', choices: ['x', 'y'] }),
    201,
  )
  await nodes.sql`update poll set post_id = ${tweet} where id = ${pollID}`
  await body(ann.one.delete(`/microblog/${tweet}`), 204)
  anew(5)
  await removed('deleted', 4)
  assert.deepEqual([await has('microblog_post', tweet), await has('poll', pollID)], [false, true])
})

test('earlier versions go, and what stands there now stays', async () => {
  const { forumID } = await startForum(ann.one, 'Before')
  await body(ann.one.post(`/forum/${forumID}/rename/After`), 201)
  const tweet = await write(ann.one, 'frist')
  await body(ann.one.post(`/microblog/${tweet}/update`, content('first')))
  anew(2)
  const late = await write(ann.one, 'secnod')
  await body(ann.one.post(`/microblog/${late}/update`, content('second')))
  await removed('versions', 1)
  assert.equal((await nodes.sql`select from forum_edit where forum_id = ${forumID}`).length, 0)
  assert.equal((await nodes.sql`select from microblog_post_edit where post_id = ${tweet}`).length, 0)
  assert.equal((await nodes.sql`select from microblog_post_edit where post_id = ${late}`).length, 1)
  assert.equal((await body(bob.two.get(`/forum/${forumID}`))).title, 'After')
})

test('what one table refuses keeps nothing else, and the run fails in the end', async (t) => {
  const { forumID } = await startForum(ann.one, 'Stuck')
  const tweet = await write(ann.one, 'stuck as well')
  await body(ann.one.delete(`/microblog/${tweet}`), 204)
  await body(admin.one.post(`/forum/${forumID}/delete`), 204)
  await nodes.sql`create function refused() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`
  await nodes.sql`create trigger refused before delete on forum for each row execute function refused()`
  t.after(() => nodes.sql`drop function refused cascade`)
  anew(5)
  await set({ deleted: 4 })
  await assert.rejects(removeOld(ctx()), /stuck/)
  assert.deepEqual([await has('microblog_post', tweet), await has('forum', forumID)], [false, true])
  await nodes.sql`drop trigger refused on forum`
  await removeOld(ctx())
  assert.equal(await has('forum', forumID), false)
})

test('records of the team go after their days, not before thirty', async () => {
  const tweet = await write(bob.one, 'x')
  await body(moderator.one.post(`/mod/microblog/${tweet}/setstate/locked`))
  const acts = () => nodes.sql`select from moderator_action where content_type = 'twarrt' and content_id = ${String(tweet)}`
  const trail = () => nodes.sql`select from audit where action = 'setState' and subject_type = 'twarrt' and subject_id = ${String(tweet)}`
  anew(29)
  await set({ trails: 30 })
  await removeOld(ctx())
  assert.deepEqual([(await acts()).length, (await trail()).length], [1, 1])
  anew(2)
  await removeOld(ctx(1))
  assert.deepEqual([(await acts()).length, (await trail()).length], [0, 0])
})

test('private chats in which nobody has written for so long are deleted for all, with an event; groups and others stay', async () => {
  const silent = await createSeamail(ann.one, [bob], { title: 'Long ago' })
  const group = await createChat(ann.one, {})
  await say(ann.one, silent, 'bye')
  const kept = await createSeamail(ann.one, [bob], { title: 'Daily' })
  const socket = await bob.two.socket(`/fez/${silent}/socket`)
  anew(9)
  await say(bob.one, kept, 'morning')
  anew(1)
  assert.ok((await removed('chats', 9)) >= 1)
  await refused(ann.two.get(`/fez/${silent}`), 400)
  await body(ann.two.get(`/fez/${kept}`))
  await body(ann.two.get(`/fez/${group}`))
  const joined = await body(bob.two.get('/fez/joined?type=closed'))
  assert.deepEqual(
    joined.fezzes.map(({ fezID }: { fezID: string }) => fezID).filter((id: string) => [silent, kept].includes(id)),
    [kept],
  )
  assert.ok(await has('fez', silent), 'moderators can still look at it')
  socket.ws.close()
})

test('two workers at once remove each thing once', async () => {
  const { forumID } = await startForum(ann.one, 'Many')
  await nodes.sql`
    insert into forum_post (forum_id, author_id, real_author_id, text, created_at, deleted_at)
    select ${forumID}, ${ann.id}, ${ann.id}, 'x', ${new Date(clock.now())}, ${new Date(clock.now())} from generate_series(1, 1200)`
  anew(3)
  const n = await foretold('deleted', 2)
  const since = new Date(clock.now())
  await set({ deleted: 2 })
  await Promise.all([removeOld(ctx(0)), removeOld(ctx(1)), removeOld(ctx(0))])
  const rows = await nodes.sql<{ n: number }[]>`
    select (details->>'removed')::int as n from audit where action = 'removeOld' and created_at >= ${since}`
  assert.equal(
    rows.reduce((sum, row) => sum + row.n, 0),
    n,
  )
  assert.equal(await foretold('deleted', 2), 0)
})

test('takes only days that there are, and none upon what somebody else has changed', async () => {
  const post = (days: object) => admin.one.post('/admin/retention', { ...forGood, ...days })
  for (const wrong of [{ deleted: -1 }, { versions: 3651 }, { reports: 29 }, { trails: 29 }, { chats: 6 }]) {
    const [kind, days] = Object.entries(wrong)[0] as [string, number]
    assert.deepEqual(Object.keys((await body(post(wrong), 400)).fieldErrors), [kind])
    await refused(admin.one.get(`/admin/retention?${kind}=${days}`), 400)
  }
  for (const right of [{ deleted: 1 }, { versions: 3650 }, { reports: 30 }, { trails: 30 }, { chats: 7 }]) await body(post(right))
  const { kinds } = await body<RetentionData>(admin.two.get('/admin/retention'))
  assert.equal(kinds.find(({ kind }) => kind === 'chats')?.days, 7)
  await refused(post({ basedOn: forGood }), 409)
  await body(post({ basedOn: { ...forGood, chats: 7 } }))
})
