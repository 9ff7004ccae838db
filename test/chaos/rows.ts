// The rows as they are, read without any of the product's own statements.
import type postgres from 'postgres'
import type { PostKind } from './logbook.ts'

export interface PostRow {
  kind: PostKind
  id: number
  place: string
  authorId: string
  text: string
  images: string[]
}

export interface MemberRow {
  fezId: string
  accountId: string
  position: number
  readPostId: number
  isMuted: boolean
  added: boolean
}
export interface HitRow {
  accountId: string
  kind: string
  word: string
  itemId: number
  isNew: boolean
}
export interface CountRow {
  id: string
  postCount: number
  lastPostId: number
  memberCount: number
}

export interface Rows {
  /** Each kind by id. */
  posts: PostRow[]
  counts: Map<string, CountRow>
  /** By chat and place in it. */
  members: MemberRow[]
  hits: HitRow[]
  mutes: Set<string>
  blocks: Set<string>
  jobs: number
  notices: string[]
}

/** Everything as of one moment. */
export async function readRows(sql: postgres.Sql<Record<string, never>>): Promise<Rows> {
  return (await sql.begin('isolation level repeatable read', async (tx) => {
    const posts = await tx<PostRow[]>`
      select 'chat' as kind, id, fez_id as place, author_id, text, case when image is null then '{}' else array[image] end as images from fez_post where deleted_at is null
      union all select 'forum', id, forum_id, author_id, text, images from forum_post where deleted_at is null
      union all select 'blog', id, null, author_id, text, images from microblog_post where deleted_at is null
      order by 1, 2`
    const counts = await tx<
      CountRow[]
    >`select id, post_count, last_post_id, member_count from fez union all select id, post_count, last_post_id, 0 from forum`
    const members = await tx<
      MemberRow[]
    >`select fez_id, account_id, position, read_post_id, is_muted, added from fez_member where left_at is null order by fez_id, position`
    const hits = await tx<HitRow[]>`select account_id, kind, word, item_id, is_new from hit`
    const mutes = await tx<{ key: string }[]>`select account_id || ' ' || muted_id as key from mute`
    const blocks = await tx<{ key: string }[]>`select person_id || ' ' || blocked_id as key from block`
    const [jobs] = await tx<{ count: number }[]>`select count(*)::int from outbox`
    const notices = await tx<{ subjectId: string }[]>`select subject_id from notice_sent`
    return {
      posts: posts.map((row) => ({ ...row, place: row.place ?? '', images: row.images ?? [] })),
      counts: new Map(counts.map((row) => [row.id, row])),
      members: [...members],
      hits: [...hits],
      mutes: new Set(mutes.map(({ key }) => key)),
      blocks: new Set(blocks.map(({ key }) => key)),
      jobs: jobs?.count ?? 0,
      notices: notices.map(({ subjectId }) => subjectId),
    }
  })) as Rows
}

/** A list by a key of its items. */
export function groupBy<K, T>(list: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of list) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
