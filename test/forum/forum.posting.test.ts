// Writing posts into a forum while something else happens to it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sql } from '../../src/core/db/db.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, mute, people, refused, unmute, type Person } from '../support/fez.ts'
import { categories, content, newCategory, postIn, startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

/** Posts in a forum while a transaction holds its lock, and does something before it lets go. */
async function postMeanwhile(
  person: Person,
  forumID: string,
  change: (sql: Sql) => Promise<unknown>,
  text = 'meanwhile',
): Promise<{ answer: Promise<Answer> }> {
  let answer: Promise<Answer> | undefined
  await nodes.apps[0]?.node.db.transaction(async (sql) => {
    await sql`select from forum where id = ${forumID} for update`
    answer = person.one.post(`/forum/${forumID}/create`, content(text))
    await until(
      async () =>
        (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
      'the post waits for the forum',
    )
    await change(sql)
  })
  return { answer: answer as Promise<Answer> }
}

async function rowsOf(forumID: string): Promise<{ texts: string[]; jobs: number[]; counted: number; last: number }> {
  const posts = await nodes.sql<
    { id: number; text: string }[]
  >`select id, text from forum_post where forum_id = ${forumID} and deleted_at is null order by id`
  const jobs = await nodes.sql<{ id: number }[]>`
    select id::int from (select jsonb_array_elements(payload->'postIds') as id from outbox where job = 'alertword-scan' and payload->>'feed' = 'forum') as scanned
    where id::int = any(${posts.map(({ id }) => id)}) order by 1`
  const [forum] = await nodes.sql<
    [{ postCount: number; lastPostId: number }]
  >`select post_count, last_post_id from forum where id = ${forumID}`
  assert.equal(forum.lastPostId, posts.at(-1)?.id)
  return { texts: posts.map(({ text }) => text), jobs: jobs.map(({ id }) => id), counted: forum.postCount, last: forum.lastPostId }
}

/** Somebody wants to know of posts with this word: others need no job. */
async function watchWord(word: string): Promise<void> {
  const [watcher] = (await people(nodes, {})) as [Person]
  await body(watcher.one.post(`/user/alertwords/add/${word}`))
}

for (const text of ['meanwhile', 'meanwhile, with @nobody and a #hashtag']) {
  test(`a post that waits for its forum finds it as it is then: ${text}`, async () => {
    const [owner, writer] = (await people(nodes, {}, {})) as [Person, Person]
    const { forumID } = await startForum(owner.one, `Waiting: ${text}`)
    const elsewhere = await newCategory(nodes)
    const post = (change: (sql: Sql) => Promise<unknown>) => postMeanwhile(writer, forumID, change, text)

    const moved = await post((sql) => sql`update forum set category_id = ${elsewhere}, post_count = post_count + 0 where id = ${forumID}`)
    await body(moved.answer, 201)
    const locked = await post((sql) => sql`update forum set moderation_status = 'locked' where id = ${forumID}`)
    await refused(locked.answer, 403)
    const opened = await post((sql) => sql`update forum set moderation_status = 'modReviewed' where id = ${forumID}`)
    await body(opened.answer, 201)
    const hidden = await post((sql) => sql`update forum set category_id = ${categories.moderatorsOnly} where id = ${forumID}`)
    await refused(hidden.answer, 400)
    const shown = await post((sql) => sql`update forum set category_id = ${elsewhere} where id = ${forumID}`)
    await body(shown.answer, 201)
    const blocked = await post(
      (sql) => sql`insert into block (person_id, blocked_id, created_at) values (${owner.personId}, ${writer.id}, now())`,
    )
    await refused(blocked.answer, 400)
    const forgiven = await post((sql) => sql`delete from block where person_id = ${owner.personId}`)
    await body(forgiven.answer, 201)
    const deleted = await post((sql) => sql`update forum set deleted_at = now() where id = ${forumID}`)
    await refused(deleted.answer, 400)
    const { texts, counted } = await rowsOf(forumID)
    assert.deepEqual(texts, ['first', text, text, text, text])
    assert.equal(counted, 5)
  })
}

test('each post with a watched word is in one job, also when many come at once; others have none', async () => {
  const writers = (await people(nodes, {}, {}, {})) as Person[]
  const { forumID, postID } = await startForum((writers[0] as Person).one, 'Jobs of posts')
  await watchWord('lantern')
  const ids = await Promise.all(writers.flatMap(({ one }) => Array.from({ length: 5 }, (_, at) => postIn(one, forumID, `lantern ${at}`))))
  await postIn((writers[0] as Person).one, forumID, 'words that nobody watches')
  const { texts, jobs, counted } = await rowsOf(forumID)
  assert.equal(texts.length, 17)
  assert.equal(counted, 17)
  assert.deepEqual(
    jobs,
    [postID, ...ids].toSorted((a, b) => a - b),
  )
})

test('the same request again writes neither a second post nor a second job', async () => {
  const [writer] = (await people(nodes, {})) as [Person]
  const { forumID } = await startForum(writer.one, 'Repeated posts')
  await watchWord('anchor')
  const again = () => writer.one.post(`/forum/${forumID}/create`, content('anchor'), { headers: { 'Idempotency-Key': 'once' } })
  const [first, second] = [await body(again(), 201), await body(again(), 201)]
  assert.deepEqual(second, first)
  const { texts, jobs } = await rowsOf(forumID)
  assert.deepEqual([texts, jobs.length], [['first', 'anchor'], 2])
})

test('two pages at once: the read position stays at the later one, whichever is noted last', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Read in two places')
  const posts = [postID]
  for (const text of ['second', 'third', 'fourth']) posts.push(await postIn(owner.one, forumID, text))
  await body(reader.one.get(`/forum/${forumID}?start=0&limit=1`))
  let earlier: Promise<Answer> | undefined
  await nodes.apps[0]?.node.db.transaction(async (sql) => {
    await sql`update forum_reader set read_post_id = ${posts[3] as number} where forum_id = ${forumID} and account_id = ${reader.id}`
    earlier = reader.one.get(`/forum/${forumID}?start=0&limit=2`)
    await until(
      async () =>
        (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
      'the earlier page waits for the later one',
    )
  })
  await body(earlier as Promise<Answer>)
  assert.deepEqual(await unreadIn(reader, forumID), [4, 4])
})

test('POST /forum/:forum_id/markRead: what was read before its author was muted stays read', async () => {
  const [owner, bore, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(owner.one, 'Marked as read')
  for (const text of ['second', 'third']) await postIn(bore.one, forumID, text)
  await body(reader.one.get(`/forum/${forumID}`))
  await mute(reader, bore)
  await body(reader.one.post(`/forum/${forumID}/markRead`))
  await unmute(reader, bore)
  assert.deepEqual(await unreadIn(reader, forumID), [3, 3])
})

/** How many posts of a forum are read, and how many there are. */
async function unreadIn(reader: Person, forumID: string): Promise<[number, number]> {
  const { forumThreads } = await body(reader.one.get('/forum/recent'))
  const { readCount, postCount } = forumThreads.find((each: { forumID: string }) => each.forumID === forumID)
  return [readCount, postCount]
}
