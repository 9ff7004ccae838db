// The limit of pages of posts: bare uWebSockets.js, one statement for the rows over postgres.js, JSON.stringify.
import uws from 'uWebSockets.js'
import { createDb } from '../../src/core/db/db.ts'
import { takeOrders } from './processes.ts'

const db = createDb({ url: process.env['DATABASE_URL'] ?? '' })
/** Ids by token. */
const viewers = new Map<string, string>()
const pageLength = 50

const app = uws.App()
const page = (path: string, select: (viewer: string, of: string, start: number) => Promise<object[]>) =>
  app.get(path, async (res, req) => {
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    const viewer = viewers.get(req.getHeader('authorization').slice(7))
    const of = req.getParameter(0)
    const start = Number(req.getQuery('start') ?? 0)
    const rows = viewer === undefined ? undefined : await select(viewer, of, start)
    if (aborted) return
    res.cork(() => {
      if (!rows) res.writeStatus('401 Unauthorized').end()
      else res.writeStatus('200 OK').writeHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(rows))
    })
  })

page(
  '/api/v3/forum/:forum',
  (viewer, forum, start) => db.sql`
  select post.id, post.created_at, author.id as author_id, author.username, author.display_name, author.user_image, author.preferred_pronoun, post.text, post.images, post.is_pinned,
    coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
    (select count(*)::int from forum_post_mark every where every.post_id = post.id and every.reaction is not null) as like_count
  from (
    select post.* from forum_post post
    where post.forum_id = ${forum} and post.deleted_at is null and post.author_id <> all ((select hidden_authors(${viewer}))::uuid[])
    order by post.id limit ${pageLength} offset ${start}) post
  join account author on author.id = post.author_id
  left join forum_post_mark mark on mark.account_id = ${viewer} and mark.post_id = post.id
  order by post.id`,
)

page(
  '/api/v3/:microblog',
  (viewer, _path, start) => db.sql`
  select post.id, post.created_at, author.id as author_id, author.username, author.display_name, author.user_image, author.preferred_pronoun, post.text, post.images, post.reply_group,
    coalesce(mark.is_bookmarked, false) as is_bookmarked, mark.reaction,
    (select count(*)::int from microblog_post_mark every where every.post_id = post.id and every.reaction is not null) as like_count
  from (
    select post.* from microblog_post post
    where post.deleted_at is null and post.author_id <> all ((select hidden_authors(${viewer}))::uuid[])
    order by post.id desc limit ${pageLength} offset ${start}) post
  join account author on author.id = post.author_id
  left join microblog_post_mark mark on mark.account_id = ${viewer} and mark.post_id = post.id
  order by post.id desc`,
)

app.listen('127.0.0.1', 0, (socket) => {
  if (!socket) throw new Error('no port')
  takeOrders(uws.us_socket_local_port(socket), {
    viewers(given: { id: string; token: string }[]) {
      for (const { id, token } of given) viewers.set(token, id)
    },
  })
})
