// All that a person has written, as moderators see it: one list, hidden or deleted together.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { categories, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { streamPhoto } from '../support/photostream.ts'
import { boardItem } from '../support/quartermaster.ts'

let nodes: TestNodes
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
})
after(() => nodes.stop())

interface Written {
  type: string
  id: string
  author: { userID: string }
  text: string
  place?: string
  moderationStatus: string
}
interface Page {
  items: Written[]
  next?: string
}
const page = (who: Person, query = '', by = moderator): Promise<Page> => body(by.two.get(`/mod/user/${who.id}/written${query}`))

async function all(who: Person, limit: number): Promise<Written[]> {
  const found: Written[] = []
  let next: string | undefined
  do {
    const some = await page(who, `?limit=${limit}${next ? `&before=${next}` : ''}`)
    assert.ok(some.items.length <= limit)
    found.push(...some.items)
    next = some.next
  } while (next)
  return found
}

/** One of each kind, in the order in which they were written. */
async function oneOfEach(who: Person): Promise<{ type: string; id: string }[]> {
  const { forumID, postID } = await startForum(who.one, 'Cheap watches', { text: 'Buy watches here' })
  const post = await write(who.one, 'Watches for all')
  const group = await createChat(who.one, { title: 'Watch club', info: 'All about watches' })
  const said = await say(who.one, group, 'Who wants a watch?')
  const item = await boardItem(who.one, { itemName: 'Watches' })
  const photo = await streamPhoto(nodes, who)
  return [
    { type: 'forum', id: forumID },
    { type: 'forumPost', id: String(postID) },
    { type: 'twarrt', id: String(post) },
    { type: 'fez', id: group },
    { type: 'fezPost', id: String(said) },
    { type: 'quartermasterItem', id: item },
    { type: 'streamPhoto', id: String(photo) },
  ]
}

const refs = (items: readonly { type: string; id: string }[]) => items.map(({ type, id }) => `${type} ${id}`).toSorted()

test('everything that others see, of all accounts of the person; nothing of private chats, of others, or deleted', async () => {
  const [spammer, other] = (await people(nodes, {}, {})) as [Person, Person]
  const [second] = (await people(nodes, { subAccountOf: spammer })) as [Person]
  const written = await oneOfEach(spammer)
  const more = await write(second.one, 'From my other account')
  const thread = await createSeamail(spammer.one, [other])
  await say(spammer.one, thread, 'in private')
  await write(other.one, 'by somebody else')
  const gone = await write(spammer.one, 'thought better of it')
  await body(spammer.one.delete(`/microblog/${gone}`), 204)
  const [lost, forum, item] = [
    await streamPhoto(nodes, spammer),
    await startForum(spammer.one, 'No more'),
    await boardItem(spammer.one, {}),
  ]
  await nodes.sql`update stream_photo set deleted_at = now() where id = ${lost}`
  await body(moderator.one.delete(`/forum/${forum.forumID}`), 204)
  await nodes.sql`update quartermaster_item set deleted_at = now() where id = ${item}`
  const expected = refs([...written, { type: 'twarrt', id: String(more) }])
  for (const who of [spammer, second]) assert.deepEqual(refs(await all(who, 200)), expected)
  const { items } = await page(spammer)
  assert.deepEqual(items.map(({ type }) => type)[0], 'twarrt', 'the newest first')
  const post = items.find(({ type }) => type === 'forumPost')
  assert.deepEqual(
    [post?.text, post?.place, post?.author.userID, post?.moderationStatus],
    ['Buy watches here', 'Cheap watches', spammer.id, 'normal'],
  )
  assert.deepEqual(refs((await page(spammer, '?search=WATCHES%20H')).items), [`forumPost ${post?.id}`])
  assert.deepEqual((await page(spammer, '?search=100%25')).items, [])
})

test('whatever the size of a page, everything comes once and in order, also what is of one moment', async () => {
  const [who] = (await people(nodes, {})) as [Person]
  const written: { type: string; id: string }[] = []
  for (let number = 0; number < 12; number++) written.push({ type: 'twarrt', id: String(await write(who.one, `number ${number}`)) })
  for (let number = 0; number < 3; number++) written.push({ type: 'fez', id: await createChat(who.one, { title: `group ${number}` }) })
  written.push(...(await oneOfEach(who)))
  const moment = new Date(Date.now() - 60_000)
  await nodes.sql`update microblog_post set created_at = ${moment} where author_id = ${who.id} and id % 3 > 0`
  await nodes.sql`update forum_post set created_at = ${moment} where author_id = ${who.id}`
  const whole = refs(written)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 25 }), async (limit) => {
      const found = await all(who, limit)
      assert.deepEqual(refs(found), whole)
    }),
    { numRuns: 12 },
  )
})

test('all of it is hidden, shown again, and deleted; what cannot be is said, and each act is logged', async () => {
  const [spammer] = (await people(nodes, {})) as [Person]
  const items = await oneOfEach(spammer)
  const hidden = await body(moderator.one.post('/mod/content/setstate/quarantined', { items }))
  assert.deepEqual([refs(hidden.done), hidden.refused], [refs(items), []])
  assert.ok((await page(spammer)).items.every(({ moderationStatus }) => moderationStatus === 'quarantined'))
  const [{ acts }] = await nodes.sql<[{ acts: number }]>`
    select count(*)::int as acts from moderator_action where target_user_id = ${spammer.id} and action_type = 'quarantine'`
  assert.equal(acts, items.length)
  await body(moderator.one.post('/mod/content/setstate/normal', { items }))
  assert.ok((await page(spammer)).items.every(({ moderationStatus }) => moderationStatus === 'normal'))
  // Posts before what they stand in.
  const order = items.toSorted((a, b) => Number(b.type.endsWith('Post')) - Number(a.type.endsWith('Post')))
  const deleted = await body(moderator.two.post('/mod/content/delete', { items: order }))
  assert.deepEqual([refs(deleted.done), deleted.refused], [refs(items), []])
  assert.deepEqual((await page(spammer)).items, [])
  const again = await body(
    moderator.two.post('/mod/content/delete', { items: [...items, { type: 'twarrt', id: 'x' }, { type: 'userProfile', id: spammer.id }] }),
  )
  assert.deepEqual(again.done, [])
  assert.deepEqual(refs(again.refused), refs([...items, { type: 'twarrt', id: 'x' }, { type: 'userProfile', id: spammer.id }]))
  assert.ok(again.refused.every(({ reason }: { reason: string }) => reason.length > 10))
})

test('a part of a song is there, cannot be hidden, and says so', async () => {
  const [singer] = (await people(nodes, {})) as [Person]
  const { snippetIDs } = await sungSong(nodes, [singer.id])
  const [id] = snippetIDs as [string]
  assert.deepEqual(refs((await page(singer)).items), [`mkSongSnippet ${id}`])
  const { refused: said } = await body(moderator.one.post('/mod/content/setstate/quarantined', { items: [{ type: 'mkSongSnippet', id }] }))
  assert.match(said[0].reason, /only deleted/)
  assert.equal((await body(moderator.one.post('/mod/content/delete', { items: [{ type: 'mkSongSnippet', id }] }))).done.length, 1)
})

test('nobody below a moderator; nothing of categories that the caller may not see; bounds', async () => {
  const [person, host] = (await people(nodes, {}, { level: 'tho' })) as [Person, Person]
  await refused(person.one.get(`/mod/user/${person.id}/written`), 403)
  for (const path of ['/mod/content/setstate/quarantined', '/mod/content/delete'])
    await refused(person.one.post(path, { items: [{ type: 'twarrt', id: '1' }] }), 403)
  await nodes.sql`update forum_category set view_level = 'tho' where id = ${categories.jokes}`
  try {
    const { forumID } = await startForum(host.one, 'Among hosts', { category: categories.jokes })
    assert.deepEqual((await page(host)).items, [])
    assert.ok((await page(host, '', host)).items.some(({ id }) => id === forumID))
  } finally {
    await nodes.sql`update forum_category set view_level = 'quarantined' where id = ${categories.jokes}`
  }
  const many = Array.from({ length: 51 }, (_, id) => ({ type: 'twarrt', id: String(id) }))
  for (const items of [many, [{ type: 'twarrt' }], [{ type: 'nothing', id: '1' }]])
    await refused(moderator.one.post('/mod/content/delete', { items }), 400)
  // An id of the wrong kind is that of nothing.
  for (const [type, id] of [
    ['twarrt', 'seven'],
    ['forumPost', '1.5'],
    ['fez', '12'],
    ['forum', 'all'],
  ]) {
    const { done, refused: said } = await body(moderator.one.post('/mod/content/delete', { items: [{ type, id }] }))
    assert.deepEqual([done, said.length], [[], 1], `${type} ${id}`)
    assert.ok(said[0].status < 500 || said[0].status === undefined, JSON.stringify(said))
  }
  await refused(moderator.one.get(`/mod/user/${person.id}/written?before=yesterday`), 400)
  await refused(moderator.one.get(`/mod/user/${person.id}/written?limit=0`), 400)
})
