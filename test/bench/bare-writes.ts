// The limit of posts: the same rows in one transaction over postgres.js, without a server around it.
import postgres from 'postgres'
import { takeOrders } from './processes.ts'

const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 16, transform: { undefined: null } })

interface Order {
  chats: string[]
  forums: string[]
  authorId: string
  atOnce: number
  durationMs: number
}

/** Does it for some time, `atOnce` at a time; returns how often. */
async function repeat({ atOnce, durationMs }: Order, work: (count: number) => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + durationMs
  let count = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < endMs) await work(count++)
    }),
  )
  return count
}

const text = 'Dinner is at eight, and whoever comes late washes up.'

takeOrders(0, {
  chatPosts: (order: Order) =>
    repeat(order, (count) => {
      const fezId = order.chats[count % order.chats.length] as string
      return sql.begin(
        (tx) => tx`
      with written as (insert into fez_post (fez_id, author_id, real_author_id, text, created_at) values (${fezId}, ${order.authorId}, ${order.authorId}, ${text}, now()) returning id),
      seen as (update fez_member set read_post_id = written.id from written where fez_id = ${fezId} and account_id = ${order.authorId})
      update fez set seq = seq + 1, post_count = post_count + 1, last_post_id = written.id from written where fez.id = ${fezId}`,
      )
    }),
  forumPosts: (order: Order) =>
    repeat(order, (count) => {
      const forumId = order.forums[count % order.forums.length] as string
      return sql.begin(
        (tx) => tx`
      with written as (
        insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at) values (${forumId}, ${order.authorId}, ${order.authorId}, ${text}, '{}', now()) returning id),
      noted as (insert into outbox (job, payload, run_at, request_id) select 'alertword-scan', jsonb_build_object('feed', 'forum', 'postID', id), now() + interval '1 day', '' from written)
      update forum set post_count = post_count + 1, last_post_id = written.id from written where forum.id = ${forumId}`,
      )
    }),
})
