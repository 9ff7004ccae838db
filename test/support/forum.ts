// Categories, forums and posts, for tests of forums.
import type { TestNodes } from './app.ts'
import type { Client } from './client.ts'
import { body } from './fez.ts'

/** Ids of the categories that are seeded. */
export const categories = Object.fromEntries(
  [
    'moderatorsOnly',
    'dumpsterFire',
    'events',
    'shadowEvents',
    'news',
    'helpDesk',
    'general',
    'activities',
    'safeSpace',
    'jokes',
    'food',
    'shutternauts',
  ].map((name, index) => [name, `00000000-0000-4000-8000-${String(301 + index).padStart(12, '0')}`]),
) as Record<
  | 'moderatorsOnly'
  | 'dumpsterFire'
  | 'events'
  | 'shadowEvents'
  | 'news'
  | 'helpDesk'
  | 'general'
  | 'activities'
  | 'safeSpace'
  | 'jokes'
  | 'food'
  | 'shutternauts',
  string
>

/** A PostContentData. */
export const content = (text: string, more: object = {}) => ({ text, images: [], ...more })

export interface Started {
  forumID: string
  postID: number
}

/** Starts a forum; returns its id and that of its first post. */
export async function startForum(
  client: Client,
  title: string,
  { category = categories.general, text = 'first', ...more }: { category?: string; text?: string; postAsModerator?: boolean } = {},
): Promise<Started> {
  const { forumID, posts } = await body(client.post(`/forum/categories/${category}/create`, { title, firstPost: content(text, more) }), 201)
  return { forumID, postID: posts[0].postID }
}

let made = 0

/** A category of its own for a test; returns its id. */
export async function newCategory(
  nodes: TestNodes,
  more: { title?: string; viewLevel?: string; createLevel?: string; role?: string; isEvent?: boolean } = {},
): Promise<string> {
  const {
    title = `Category ${++made} of ${process.pid}`,
    viewLevel = 'unverified',
    createLevel = 'verified',
    role = null,
    isEvent = false,
  } = more
  const [row] = await nodes.sql<[{ id: string }]>`
    insert into forum_category (id, title, purpose, view_level, create_level, required_role, is_event)
    values (gen_random_uuid(), ${title}, 'A purpose', ${viewLevel}::access_level, ${createLevel}::access_level, ${role}::user_role, ${isEvent}) returning id`
  return row.id
}

/** Sets the moderation state of a forum or post. */
export async function setState(nodes: TestNodes, table: 'forum' | 'forum_post', id: string | number, status: string): Promise<void> {
  await nodes.sql`update ${nodes.sql(table)} set moderation_status = ${status}::moderation_status where id::text = ${String(id)}`
}

/** Posts a text and returns the post's id. */
export async function postIn(client: Client, forumID: string, text: string, more: object = {}): Promise<number> {
  return (await body(client.post(`/forum/${forumID}/create`, content(text, more)), 201)).postID
}

/** Several posts by one account, straight into the database; returns their ids. */
export async function fillForum(nodes: TestNodes, forumID: string, authorID: string, count: number): Promise<number[]> {
  const rows = await nodes.sql<{ id: number }[]>`
    with written as (
      insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at)
      select ${forumID}, ${authorID}, ${authorID}, 'Post ' || number, '{}', now() from generate_series(1, ${count}::int) number returning id),
    counted as (update forum set post_count = post_count + ${count}, last_post_id = (select max(id) from written) where id = ${forumID})
    select id from written order by id`
  return rows.map(({ id }) => id)
}
