// Random posts, answers, reactions, blocks, mutes and words; then random lists by random users over two
// nodes are what a naive filter over all rows makes of the reference's rules. A failed run prints its
// seed: see support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, people, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { randomTest } from '../support/random-runs.ts'

let nodes: TestNodes
let users: Person[]
let barrels: { id: string; members: number[] }[]
before(async () => {
  nodes = await startTestNodes(2)
  const some = await people(nodes, { username: 'ann' }, { username: 'ann.bob' }, { username: 'annie-x' }, {}, { level: 'moderator' })
  users = [...some, ...(await people(nodes, { username: 'ann2', subAccountOf: some[0] as Person }))]
  barrels = await Promise.all(
    [[0, 3], [1, 4], []].map(async (members) => {
      const uuidList = members.map((member) => (users[member] as Person).id)
      return {
        id: (await body((users[2] as Person).one.post('/user/barrel', { name: 'Some', uuidList }), 201)).barrelID as string,
        members,
      }
    }),
  )
})
after(() => nodes.stop())

const moderator = 4
const vocabulary = ['lantern', 'compass', 'anchor', 'harbor', 'the']
const names = ['ann', 'ANN', 'ann.bob', 'annie-x', 'ann2', 'annie']
const tags = ['sea', 'Sea', 'seaside', 'Übung']
const pick = <T>(values: readonly T[]) => fc.constantFrom(...values)
const piece = fc.oneof(
  pick(vocabulary),
  fc
    .tuple(pick(['@', 'x@', '(@', '@@']), pick(names), pick(['', '.', ':', '..', '!', '-', '.x', 's', '-+']))
    .map((parts) => parts.join('')),
  fc.tuple(pick(['#', 'x#', '(#']), pick(tags), pick(['', '!', '.', '?!', '2', '#sea', ')'])).map((parts) => parts.join('')),
)
const text = fc.array(piece, { minLength: 1, maxLength: 4 }).chain((pieces) => pick([' ', '\n', '  ']).map((space) => pieces.join(space)))

const user = fc.nat({ max: 5 })
const back = fc.nat({ max: 12 })
const node = fc.nat({ max: 1 })

type Action =
  | { type: 'write'; who: number; text: string; node: number }
  | { type: 'reply' | 'update'; who: number; back: number; text: string; node: number }
  | { type: 'laugh' | 'like' | 'love' | 'unreact' | 'bookmark' | 'bookmark/remove' | 'delete'; who: number; back: number; node: number }
  | { type: 'setstate'; back: number; state: string; node: number }
  | { type: 'block' | 'unblock' | 'mute' | 'unmute'; who: number; other: number; node: number }
  | { type: 'add' | 'remove'; who: number; word: string; node: number }

const one = <const T extends string>(...types: T[]) => fc.constantFrom<T[]>(...types)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: one('write'), who: user, text, node }) },
  { weight: 6, arbitrary: fc.record({ type: one('reply', 'update'), who: user, back, text, node }) },
  {
    weight: 8,
    arbitrary: fc.record({ type: one('laugh', 'like', 'love', 'unreact', 'bookmark', 'bookmark/remove'), who: user, back, node }),
  },
  { weight: 1, arbitrary: fc.record({ type: one('delete'), who: user, back, node }) },
  { weight: 2, arbitrary: fc.record({ type: one('setstate'), back, state: pick(['normal', 'quarantined', 'reviewed', 'locked']), node }) },
  { weight: 2, arbitrary: fc.record({ type: one('block', 'unblock', 'mute', 'unmute'), who: user, other: user, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('add', 'remove'), who: user, word: pick(['lantern', 'ompas', 'seaside']), node }) },
)

/** A list as it is asked for; posts and times are counted back from the newest. */
const query = fc
  .record(
    {
      search: fc.oneof(
        fc
          .array(
            fc.tuple(pick(['', '', '-']), pick(vocabulary)).map((parts) => parts.join('')),
            { minLength: 1, maxLength: 3 },
          )
          .map((parts) => parts.join(' ')),
        pick(tags).map((tag) => `#${tag}`),
        pick(names).map((name) => `@${name}`),
      ),
      hashtag: fc.tuple(pick(['', '#']), pick(tags)).map((parts) => parts.join('')),
      mentions: fc.tuple(pick(['', '@']), pick(names)).map((parts) => parts.join('')),
      mentionSelf: fc.boolean(),
      byUser: user,
      byUsername: user,
      inBarrel: fc.nat({ max: 2 }),
      bookmarked: fc.boolean(),
      likeType: one('laugh', 'like', 'love', 'all'),
      replyGroup: back,
      hideReplies: fc.boolean(),
      after: back,
      before: back,
      afterDate: back,
      beforeDate: back,
      from: one('first', 'last'),
      start: fc.nat({ max: 6 }),
      limit: fc.nat({ max: 12 }),
    },
    { requiredKeys: [] },
  )
  .chain((all) =>
    fc.subarray(Object.keys(all) as (keyof typeof all)[], { maxLength: 4 }).map((keys) => {
      const { hashtag, mentions: mention, ...q } = Object.fromEntries(keys.map((key) => [key, all[key]])) as Partial<Query>
      // A search for a tag together with another tag is one for words, which depends on how Postgres takes texts apart.
      return {
        ...q,
        ...(hashtag === undefined || q.search?.startsWith('#') ? {} : { hashtag }),
        ...(mention === undefined || q.search?.startsWith('@') ? {} : { mentions: mention }),
      }
    }),
  )

interface Query {
  search: string
  hashtag: string
  mentions: string
  mentionSelf: boolean
  byUser: number
  byUsername: number
  inBarrel: number
  bookmarked: boolean
  likeType: 'laugh' | 'like' | 'love' | 'all'
  replyGroup: number
  hideReplies: boolean
  after: number
  before: number
  afterDate: number
  beforeDate: number
  from: 'first' | 'last'
  start: number
  limit: number
}

interface Row {
  id: number
  authorId: string
  text: string
  replyGroup: number | null
  moderationStatus: string
  createdAt: Date
  deleted: boolean
}

interface Rows {
  posts: Row[]
  marks: { accountId: string; postId: number; reaction: string | null; isBookmarked: boolean }[]
  blocks: { personId: string; blockedId: string }[]
  mutes: { accountId: string; mutedId: string }[]
  words: { accountId: string; word: string }[]
}

async function rowsNow(): Promise<Rows> {
  const { sql } = nodes
  const [posts, marks, blocks, mutes, mutewords] = await Promise.all([
    sql<
      Row[]
    >`select id, author_id, text, reply_group, moderation_status, created_at, deleted_at is not null as deleted from microblog_post order by id`,
    sql<Rows['marks']>`select account_id, post_id, reaction, is_bookmarked from microblog_post_mark`,
    sql<Rows['blocks']>`select person_id, blocked_id from block`,
    sql<Rows['mutes']>`select account_id, muted_id from mute`,
    sql<Rows['words']>`select account_id, word from muteword`,
  ])
  return { posts, marks, blocks, mutes, words: mutewords }
}

const clientOf = (who: number, at: number) => (users[who] as Person).clients[at] as Client
/** A post counted back from the newest; one that never was when there are not so many. */
const idBack = ({ posts }: { posts: readonly { id: number }[] }, count: number): number => posts.at(-1 - count)?.id ?? 2_000_000_000
const timeBack = ({ posts }: Rows, count: number): Date => posts.at(-1 - count)?.createdAt ?? new Date(0)

let made: { posts: { id: number }[] } = { posts: [] }

async function perform(act: Action): Promise<void> {
  const accept = async (answer: Promise<Answer>) => {
    const { status, body: value } = await answer
    assert.ok(status < 500, JSON.stringify([act, value]))
    if (value?.twarrtID > (made.posts.at(-1)?.id ?? 0)) made.posts.push({ id: value.twarrtID })
  }
  if (act.type === 'setstate')
    return await accept(clientOf(moderator, act.node).post(`/mod/microblog/${idBack(made, act.back)}/setstate/${act.state}`))
  const client = clientOf(act.who, act.node)
  if (act.type === 'write') await accept(client.post('/microblog/create', content(act.text)))
  else if ('text' in act) await accept(client.post(`/microblog/${idBack(made, act.back)}/${act.type}`, content(act.text)))
  else if ('back' in act) await accept(client.post(`/microblog/${idBack(made, act.back)}/${act.type}`))
  else if ('other' in act) await accept(client.post(`/users/${(users[act.other] as Person).id}/${act.type}`))
  else await accept(client.post(`/user/mutewords/${act.type}/${act.word}`))
}

// The rules, naively

const isModerator = (id: string) => id === (users[moderator] as Person).id

function isBlocked({ blocks }: Rows, a: string, b: string): boolean {
  if (isModerator(a) || isModerator(b)) return false
  const personOf = (id: string) => (users.find((each) => each.id === id) as Person).personId
  return blocks.some(
    ({ personId, blockedId }) =>
      (personId === personOf(a) && personOf(blockedId) === personOf(b)) ||
      (personId === personOf(b) && personOf(blockedId) === personOf(a)),
  )
}

const hasTag = (where: string, tag: string) =>
  where
    .toLowerCase()
    .split(/[\s.,;:!?]+/)
    .includes(`#${tag.replace(/^#/, '').toLowerCase()}`)

/** Looks behind every occurrence of the name: a letter or digit there makes it another name, also after separators. */
function mentions(where: string, name: string): boolean {
  const [hay, needle] = [where.toLowerCase(), `@${name.replace(/^@/, '').toLowerCase()}`]
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    let end = at + needle.length
    while (end < hay.length && '-.+_'.includes(hay[end] as string)) end++
    if (end === hay.length || !/[\p{L}\p{N}]/u.test(hay[end] as string)) return true
  }
  return false
}

/** Words of the vocabulary stem to themselves; one of them is too common to be looked for. */
function hasWords(where: string, search: string): boolean {
  // Postgres takes x.y for a host, whose parts are no words: the vocabulary stands alone in texts.
  const inText = new Set(where.toLowerCase().split(/\s+/))
  const wanted = search.split(' ').filter((word) => !word.endsWith('the'))
  return wanted.length > 0 && wanted.every((word) => (word.startsWith('-') ? !inText.has(word.slice(1)) : inText.has(word)))
}

function expected(rows: Rows, viewer: Person, q: Partial<Query>): number[] {
  let { hashtag, mentions: mention, search } = q
  if (search?.startsWith('#') && hashtag === undefined) [hashtag, search] = [search, undefined]
  else if (search?.startsWith('@') && mention === undefined) [mention, search] = [search, undefined]
  const mutesCount = [q.byUser, q.byUsername, q.likeType, q.inBarrel].every((each) => each === undefined) && !q.bookmarked
  const byText = search !== undefined || hashtag !== undefined || mention !== undefined || q.mentionSelf
  const head = q.replyGroup === undefined ? undefined : idBack(rows, q.replyGroup)
  const found = rows.posts.filter((post) => {
    const mine = rows.marks.find(({ accountId, postId }) => accountId === viewer.id && postId === post.id)
    return (
      !post.deleted &&
      !isBlocked(rows, viewer.id, post.authorId) &&
      !(mutesCount && rows.mutes.some(({ accountId, mutedId }) => accountId === viewer.id && mutedId === post.authorId)) &&
      !(byText && /uarantined/.test(post.moderationStatus) && !isModerator(viewer.id)) &&
      (search === undefined || hasWords(post.text, search)) &&
      (hashtag === undefined || hasTag(post.text, hashtag)) &&
      (mention === undefined || mentions(post.text, mention)) &&
      (!q.mentionSelf || mentions(post.text, viewer.username)) &&
      [q.byUser, q.byUsername].every((who) => who === undefined || users[who]?.id === post.authorId) &&
      (q.inBarrel === undefined || barrels[q.inBarrel]?.members.some((member) => users[member]?.id === post.authorId)) &&
      (!q.bookmarked || mine?.isBookmarked) &&
      (q.likeType === undefined || (q.likeType === 'all' ? (mine?.reaction ?? null) !== null : mine?.reaction === q.likeType)) &&
      (head === undefined
        ? !q.hideReplies || post.replyGroup === null || post.replyGroup === post.id
        : post.id === head || post.replyGroup === head)
    )
  })
  const upwards = found.toSorted((a, b) => a.id - b.id)
  const downwards = upwards.toReversed()
  const counted =
    q.after !== undefined
      ? upwards.filter(({ id }) => id > idBack(rows, q.after as number))
      : q.before !== undefined
        ? downwards.filter(({ id }) => id <= idBack(rows, q.before as number))
        : q.afterDate !== undefined
          ? upwards.filter(({ createdAt }) => createdAt > timeBack(rows, q.afterDate as number))
          : q.beforeDate !== undefined
            ? downwards.filter(({ createdAt }) => createdAt < timeBack(rows, q.beforeDate as number))
            : q.from === 'first'
              ? upwards
              : downwards
  const start = q.start ?? 0
  const mutewords = rows.words.filter(({ accountId }) => accountId === viewer.id).map(({ word }) => word)
  return counted
    .slice(start, start + Math.max(1, q.limit ?? 50))
    .filter((post) => !mutewords.some((word) => post.text.toLowerCase().includes(word)))
    .toSorted((a, b) => (head === undefined ? b.id - a.id : a.id - b.id))
    .map(({ id }) => id)
}

function pathOf(rows: Rows, q: Partial<Query>): string {
  const { byUser, byUsername, inBarrel, replyGroup, after: above, before: upTo, afterDate, beforeDate, ...rest } = q
  const values = {
    ...rest,
    byUser: byUser === undefined ? undefined : users[byUser]?.id,
    byUsername: byUsername === undefined ? undefined : users[byUsername]?.username,
    inBarrel: inBarrel === undefined ? undefined : barrels[inBarrel]?.id,
    replyGroup: replyGroup === undefined ? undefined : idBack(rows, replyGroup),
    after: above === undefined ? undefined : idBack(rows, above),
    before: upTo === undefined ? undefined : idBack(rows, upTo),
    afterDate: afterDate === undefined ? undefined : timeBack(rows, afterDate).toISOString(),
    beforeDate: beforeDate === undefined ? undefined : timeBack(rows, beforeDate).toISOString(),
  }
  const given = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return `/microblog?${given.join('&')}`
}

randomTest('microblog.model', 'lists of the microblog are what a naive filter makes of all rows', 40, async (parameters) => {
  const asked = fc.record({ who: user, node, query })
  let [lists, shown] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 25 }),
      fc.array(asked, { minLength: 20, maxLength: 20 }),
      async (actions, queries) => {
        for (const each of actions) await perform(each)
        const rows = await rowsNow()
        made = { posts: rows.posts.map(({ id }) => ({ id })) }
        for (const { who, node: at, query: q } of queries) {
          const viewer = users[who] as Person
          const path = pathOf(rows, q)
          const answered = await clientOf(who, at).get(path)
          // A name in a block is none.
          if (q.byUsername !== undefined && isBlocked(rows, viewer.id, (users[q.byUsername] as Person).id)) {
            assert.equal(answered.status, 400, path)
            continue
          }
          const ids = (await body<{ twarrtID: number }[]>(Promise.resolve(answered))).map(({ twarrtID }) => twarrtID)
          assert.deepEqual(ids, expected(rows, viewer, q), `${path} as ${viewer.username}`)
          lists++
          if (ids.length > 0) shown++
          for (const post of answered.body as {
            twarrtID: number
            likeCount: number
            reactionCounts?: Record<string, number>
            userLike?: string
            isBookmarked: boolean
            replyGroupID?: number
          }[]) {
            const own = rows.marks.find(({ accountId, postId }) => accountId === viewer.id && postId === post.twarrtID)
            const row = rows.posts.find(({ id }) => id === post.twarrtID) as Row
            const reacted = rows.marks.filter(({ postId, reaction }) => postId === row.id && reaction !== null)
            const count = (wanted: string) => reacted.filter(({ reaction }) => reaction === wanted).length
            assert.deepEqual(
              post.reactionCounts,
              reacted.length === 0 ? undefined : { laugh: count('laugh'), like: count('like'), love: count('love') },
            )
            assert.deepEqual(
              [post.likeCount, post.userLike ?? null, post.isBookmarked, post.replyGroupID ?? null],
              [reacted.length, own?.reaction ?? null, own?.isBookmarked ?? false, row.replyGroup],
            )
          }
        }
      },
    ),
    { ...parameters, endOnFailure: true },
  )
  // Lists that show nothing prove little.
  assert.ok(shown > lists / 4, `${shown} of ${lists} lists showed something`)
})
