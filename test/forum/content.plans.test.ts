// How Postgres answers questions about posts when there are many: by index, never by reading all posts; and
// a page of a long forum without reading the forum.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import postgres from 'postgres'
import type { Sql } from '../../src/core/db/db.ts'
import type { Viewer } from '../../src/core/base/viewer.ts'
import { selectForumPage, type ForumFilter, type ForumOrder } from '../../src/forum/lists.queries.ts'
import { selectFezPage } from '../../src/fez/lists.queries.ts'
import { selectRememberedImages, selectUsedImages } from '../../src/image/queries.ts'
import { selectThread, type PageStart } from '../../src/forum/threads.queries.ts'
import { selectPostPage, type PostFilter, type PostRange } from '../../src/post/queries.ts'
import type { FeedName } from '../../src/hits/hits.ts'
import { createCommunity, type Community } from '../bench/community.ts'
import { testTokenSecret } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/db.ts'

let database: TestDatabase
let client: postgres.Sql
let community: Community
let viewer: Viewer
/** The last statement that went out. */
let sent: { text: string; values: unknown[] }

before(async () => {
  database = await createTestDatabase()
  client = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    transform: { column: { from: postgres.toCamel } },
    debug: (_connection, text, values) => {
      sent = { text, values }
    },
  })
  community = await createCommunity(client, testTokenSecret, {
    users: 500,
    forums: 100,
    forumPosts: 20_000,
    microblogPosts: 10_000,
    alertwords: 100,
    longest: 4000,
  })
  const { id, username } = community.regulars[3] as { id: string; username: string }
  viewer = {
    id,
    personId: id,
    username,
    level: 'verified',
    roles: new Set(),
    tempQuarantineUntilMs: 0,
    revision: 0,
    ownRevision: 0,
    blockedPersons: new Set(),
    mutes: new Set(),
    mutewords: [],
  }
})
after(async () => {
  await client.end()
  await database.drop()
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const large = new Set(['account', 'forum_post', 'forum_post_mark', 'forum_reader', 'microblog_post', 'microblog_post_mark'])

/** Runs a query; tells which indexes it goes by and how many rows of posts it touches. Reading a large table from end to end fails. */
async function planOf(query: (sql: Sql) => Promise<unknown>): Promise<{ indexes: Set<string>; touched: number }> {
  await query(client as unknown as Sql)
  const { text, values } = sent
  const [row] = await client.unsafe(`explain (analyze, format json) ${text}`, values as never[])
  const nodes: PlanNode[] = []
  const walk = (node: PlanNode) => {
    nodes.push(node)
    node.Plans?.forEach(walk)
  }
  walk((Object.values(row as object)[0] as [{ Plan: PlanNode }])[0].Plan)
  assert.ok(
    !nodes.some((node) => node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? '')),
    JSON.stringify(nodes, undefined, 1),
  )
  const posts = nodes.filter((node) => node['Relation Name']?.endsWith('_post'))
  const touched = posts.reduce(
    (sum, node) => sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0),
    0,
  )
  return { indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])), touched }
}

const thread = (forum: number, from: PageStart) => (sql: Sql) =>
  selectThread(sql, viewer, { forumId: community.forumIds[forum] as string }, from, 50)
const forums = (filter: ForumFilter, order: ForumOrder) => (sql: Sql) => selectForumPage(sql, viewer, filter, order, 0, 50)
const posts =
  (feed: FeedName, filter: PostFilter, range: Partial<PostRange> = {}) =>
  (sql: Sql) =>
    selectPostPage(sql, feed, viewer, filter, { start: 0, limit: 50, from: 'newest', counted: false, ...range })

it('GET /forum/:forum_id reads a page from the nearer end of the forum, and of hidden authors only their posts', async () => {
  for (const from of [{ index: 0 }, { index: 3900 }, {}]) {
    const { indexes, touched } = await planOf(thread(0, from))
    assert.ok(indexes.has('forum_post_page') && indexes.has('forum_post_author'), [...indexes].join())
    assert.ok(touched < 1500, `${touched} rows for ${JSON.stringify(from)}`)
  }
})

it('lists of forums do not read their posts', async () => {
  for (const [filter, order] of [
    [{ withinCategory: community.categoryIds[0] }, { sort: 'event', grouped: true }],
    [{ isFavorite: true }, { sort: 'update' }],
    [{ isUnread: true, isMuted: false }, { sort: 'update' }],
    [{ hasRead: true }, { sort: 'recent' }],
  ] as const) {
    const { indexes, touched } = await planOf(forums(filter, order))
    assert.ok(indexes.has('forum_post_author'), [...indexes].join())
    assert.ok(touched < 6000, `${touched} rows for ${JSON.stringify(filter)}`)
  }
})

it('GET /forum/post/search and GET /microblog without filters read a page only, counted or not', async () => {
  for (const query of [
    posts('forum', {}, { counted: true }),
    posts('forum', { forumId: community.forumIds[0] }, { counted: true }),
    posts('microblog', {}),
    posts('microblog', { upToId: 5000 }),
    posts('microblog', { afterId: 5000 }, { from: 'oldest' }),
  ]) {
    const { touched } = await planOf(query)
    assert.ok(touched < 2500, `${touched} rows`)
  }
})

it('searches go by the indexes on words, tags, names, authors and marks', async () => {
  const author = community.residents[400]?.id ?? ''
  for (const [filter, index] of [
    [{ words: community.vocabulary[15_000] }, 'search'],
    [{ hashtags: [community.hashtags[300] as string] }, 'hashtags'],
    [{ mentions: [community.residents[9]?.username ?? ''] }, 'mentions'],
    [{ authorIds: [author] }, 'of_author'],
  ] as const) {
    for (const feed of ['forum', 'microblog'] as const)
      assert.ok((await planOf(posts(feed, filter))).indexes.has(`${feed}_post_${index}`), `${feed} ${index}`)
  }
  for (const filter of [{ isBookmarked: true }, { reaction: 'any' }] as const) {
    for (const feed of ['forum', 'microblog'] as const)
      assert.ok((await planOf(posts(feed, filter))).indexes.has(`${feed}_post_mark_pkey`), feed)
  }
})

it('whether pictures are shown, or were, is found without reading the posts', async () => {
  for (const query of [selectUsedImages, selectRememberedImages])
    for (const count of [1, 100]) {
      const names = Array.from({ length: count }, (_, index) => `${index}.jpg`)
      const { indexes, touched } = await planOf((sql) => query(sql, names))
      assert.ok(indexes.has('forum_post_images') && indexes.has('microblog_post_images'), [...indexes].join())
      assert.equal(touched, 0)
    }
})

it('groups to join are counted by an index, without their rows', async () => {
  // A row whose commit is not on the disk yet cannot be known to be there for everybody.
  await client`set synchronous_commit = on`
  await client`
    insert into fez (id, owner_id, fez_type, title, info, start_time, min_capacity, max_capacity, created_at, updated_at)
    select gen_random_uuid(), ${viewer.id}, case when number % 2 = 0 then 'closed' else 'gaming' end::fez_type, 'Number ' || number, '',
      now() + (1 + number * 7919 % 20000) * interval '1 minute', 0, 0, now(), now() from generate_series(1, 20000) number`
  await client`vacuum analyze fez`
  let total = 0
  const { indexes } = await planOf(async (sql) => {
    const filter = { visibleTo: viewer.id, isLfg: true, notCancelled: true, startsAfter: new Date() }
    total = (await selectFezPage(sql, filter, viewer.id, 'startTime', 0, 50)).total
  })
  assert.equal(total, 10_000)
  assert.ok(indexes.has('fez_joinable'), [...indexes].join())
})
