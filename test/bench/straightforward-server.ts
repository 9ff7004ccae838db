// The same day written the straightforward way: Fastify and ws, every answer from Postgres by the same
// statements, every frame made and sent socket by socket, pictures scaled in the process.
import Fastify, { type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { WebSocketServer, type WebSocket } from 'ws'
import { tokenDigest } from '../../src/auth/tokens.ts'
import { Accounts } from '../../src/accounts/accounts.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { createDb } from '../../src/core/db/db.ts'
import { applyCalendar } from '../../src/events/apply.service.ts'
import { readCalendar } from '../../src/events/calendar.ts'
import { selectEvents } from '../../src/events/queries.ts'
import { emptyLineup } from '../../src/lineup/channel.ts'
import { eventData } from '../../src/events/views.ts'
import { versionOf } from '../../src/fez/rows.ts'
import { insertPosts as insertChatPosts, lockFez, selectFezSnapshot, selectMemberships, selectPosts } from '../../src/fez/queries.ts'
import { fezData, fezPostData } from '../../src/fez/views.ts'
import { lockForum, isVisibleForum, selectThread } from '../../src/forum/threads.queries.ts'
import { forumData, postData } from '../../src/forum/views.ts'
import { insertPosts as insertMicroblogPosts } from '../../src/microblog/queries.ts'
import { selectAnnouncements } from '../../src/announcements/queries.ts'
import { selectHitCounts } from '../../src/hits/queries.ts'
import { selectPostVersions } from '../../src/post/queries.ts'
import { readRefs } from '../../src/post/refs.ts'
import type { PostRow as ForumPostRow } from '../../src/forum/rows.ts'
import { UnreadState } from '../../src/fez/unread.ts'
import { selectUnread } from '../../src/fez/unread.queries.ts'
import { feedColumns, noMarks } from '../../src/post/feed.ts'
import { Trip } from '../../src/settings/trip.ts'
import { selectAccountsByToken, selectUserChannelRows, type UserChannelRow } from '../../src/users/queries.ts'
import { takeOrders } from './processes.ts'

const db = createDb({ url: process.env['DATABASE_URL'] ?? '' })
const accounts = new Accounts(
  () => db.sql,
  () => true,
)
const trip = new Trip({ portZone: 'America/New_York', startDate: '2025-03-02', lengthInDays: 8, changes: [] })
/** Open sockets by account, and by chat and account. */
const notificationSockets = new Map<string, Set<WebSocket>>()

class Refused extends Error {
  readonly statusCode = 401
}

async function callerOf(authorization: string | undefined): Promise<UserChannelRow> {
  const digest = tokenDigest((authorization ?? '').slice(7)).toString('base64')
  const id = (await selectAccountsByToken(db.sql, [digest])).get(digest)
  const row = id && (await selectUserChannelRows(db.sql, [id])).get(id)
  if (!row) throw new Refused('not logged in')
  return row
}

const viewerOf = (row: UserChannelRow) => ({
  ...row,
  roles: new Set(row.roles),
  blockedPersons: new Set(row.blockedPersons),
  mutes: new Set(row.mutes),
  tempQuarantineUntilMs: 0,
  revision: 0,
  ownRevision: 0,
})

const app = Fastify({ bodyLimit: 20 * 1024 * 1024 })
const caller = async (request: FastifyRequest) => viewerOf(await callerOf(request.headers.authorization))
app.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

app.get('/api/v3/notification/user', async (request) => {
  const viewer = await caller(request)
  const [entries, hits, announcements] = await Promise.all([
    selectUnread(db.sql, [viewer.id]).then((found) => found.get(viewer.id) ?? []),
    selectHitCounts(db.sql, [viewer.id]),
    selectAnnouncements(db.sql, { deleted: false }),
  ])
  const mailbox = new UnreadState()
  mailbox.replaceAll(entries)
  return { serverTime: new Date(), activeAnnouncementIDs: announcements.map(({ id }) => id), ...mailbox.counts(), hits }
})

app.get<{ Params: { id: string } }>('/api/v3/fez/:id', async (request) => {
  const viewer = await caller(request)
  const fez = await selectFezSnapshot(db.sql, request.params.id)
  if (!fez) throw new Error('no such chat')
  await accounts.load(new Set([fez.ownerId, ...fez.memberIds, ...fez.postAuthorIds]))
  const [membership] = await selectMemberships(db.sql, fez.id, [viewer.id])
  const start = Math.max(0, Math.floor((fez.postIds.length - 1) / 50) * 50)
  const posts = await selectPosts(db.sql, fez.postIds.slice(start, start + 50))
  const total = fez.postIds.length
  return fezData({ viewer, accounts, trip }, fez, fez.memberIds, {
    postCount: total,
    readCount: total,
    isMuted: membership?.isMuted ?? false,
    isFavorite: membership?.isFavorite ?? false,
    posts,
    paginator: { total, start, limit: 50 },
  })
})

app.post<{ Params: { id: string }; Body: { text: string } }>('/api/v3/fez/:id/post', async (request, reply) => {
  const viewer = await caller(request)
  const post = {
    fezId: request.params.id,
    authorId: viewer.id,
    realAuthorId: viewer.id,
    text: request.body.text,
    image: null,
    imageSizes: null,
    now: new Date(),
  }
  const { id } = await db.transaction(async (tx) => {
    const chat = await lockFez(tx, post.fezId)
    await selectMemberships(tx, post.fezId, [viewer.id])
    const [inserted] = chat ? await insertChatPosts(tx, [{ ...post, version: versionOf(chat) }], true) : []
    if (!inserted || inserted.id === null) throw new Error('no such chat')
    return { id: inserted.id }
  })
  const author = await accounts.find(viewer.id)
  const [fez] = [await selectFezSnapshot(db.sql, post.fezId)]
  if (!author || !fez) throw new Error('gone')
  await accounts.load(fez.memberIds)
  const written = { ...post, id, moderationStatus: 'normal' as const, createdAt: post.now }
  for (const member of fez.memberIds) {
    if (member === viewer.id) continue
    for (const socket of notificationSockets.get(member) ?? [])
      socket.send(JSON.stringify({ type: { fezUnreadMsg: {} }, info: `${author.username} wrote: ${post.text}`, contentID: fez.id }))
  }
  return await reply
    .code(201)
    .send({ ...fezData({ viewer, accounts, trip }, fez, fez.memberIds, undefined), ...fezPostData(written, author.header) })
})

app.get<{ Params: { id: string } }>('/api/v3/forum/:id', async (request) => {
  const viewer = await caller(request)
  const thread = await selectThread(db.sql, viewer, { forumId: request.params.id }, {}, 50)
  if (!thread) throw new Error('no such forum')
  const refs = thread.posts === null ? [] : readRefs(thread.posts)
  const rows = new Map(
    (
      await selectPostVersions<ForumPostRow>(
        db.sql,
        'forum',
        refs.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  )
  await accounts.load(new Set([thread.creatorId, ...Array.from(rows.values(), ({ authorId }) => authorId)]))
  const page = refs.flatMap((ref) => {
    const row = rows.get(ref.id)
    return row ? [postData(accounts, row, ref)] : []
  })
  return { ...forumData(accounts, thread, thread, { total: thread.total, start: thread.start, limit: 50 }, []), posts: page }
})

app.post<{ Params: { id: string }; Body: { text: string } }>('/api/v3/forum/:id/create', async (request, reply) => {
  const viewer = await caller(request)
  const post = {
    forumId: request.params.id,
    authorId: viewer.id,
    realAuthorId: viewer.id,
    text: request.body.text,
    images: [],
    imageSizes: null,
    hashtags: [],
    mentions: [],
    createdAt: new Date(),
  }
  const id = await db.transaction(async (tx) => {
    await lockForum(tx, post.forumId)
    await isVisibleForum(tx, post.forumId, viewer)
    const [written] = await tx<[{ id: number }]>`
      insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at) values (${post.forumId}, ${viewer.id}, ${viewer.id}, ${post.text}, '{}', now()) returning id`
    await tx`update forum set post_count = post_count + 1, last_post_id = ${written.id}, last_post_time = now() where id = ${post.forumId}`
    return written.id
  })
  await accounts.load([viewer.id])
  return await reply.code(201).send(postData(accounts, { ...post, id, moderationStatus: 'normal', isPinned: false }, noMarks))
})

app.get('/api/v3/microblog', async (request) => {
  const viewer = await caller(request)
  const { sql } = db
  const posts = await sql<{ id: number; authorId: string; text: string; createdAt: Date }[]>`
    with hidden as materialized (select hidden_authors(${viewer.id}) as authors)
    select ${sql(feedColumns.microblog)} from microblog_post post cross join hidden
    where post.deleted_at is null and post.author_id <> all (hidden.authors) order by post.id desc limit 50`
  await accounts.load(new Set(posts.map(({ authorId }) => authorId)))
  return posts.map((post) => ({ ...post, author: accounts.get(post.authorId).header }))
})

app.post<{ Body: { text: string } }>('/api/v3/microblog/create', async (request, reply) => {
  const viewer = await caller(request)
  const post = {
    authorId: viewer.id,
    realAuthorId: viewer.id,
    text: request.body.text,
    images: [],
    imageSizes: null,
    replyGroup: null,
    hashtags: [],
    mentions: [],
    createdAt: new Date(),
  }
  const [id] = await db.transaction((tx) => insertMicroblogPosts(tx, [post]))
  return await reply.code(201).send({ ...post, id })
})

app.get('/api/v3/events', async () => (await selectEvents(db.sql)).map((event) => eventData(trip, event, emptyLineup, false)))

app.post('/api/v3/admin/schedule/reload', async (request) => {
  await callerOf(request.headers.authorization)
  const calendar = await readCalendar(await (await fetch(process.env['SCHEDULE_ADDRESS'] ?? '')).text(), trip.portZone)
  await db.transaction((tx) =>
    applyCalendar(tx, {
      calendar,
      processDeletes: true,
      forumPosts: true,
      authorId: builtIn.admin,
      trip,
      now: new Date(),
      newId: randomUUID,
    }),
  )
  return {}
})

app.post<{ Body: Buffer }>('/api/v3/user/image', async (request, reply) => {
  await caller(request)
  const scaled = await Promise.all([
    sharp(request.body).resize(2048, 2048, { fit: 'inside' }).jpeg().toBuffer(),
    sharp(request.body).resize(100, 100).jpeg().toBuffer(),
  ])
  return await reply.code(201).send({ bytes: scaled.map(({ length }) => length) })
})

const sockets = new WebSocketServer({ noServer: true })
app.server.on('upgrade', (request, socket, head) => {
  callerOf(request.headers.authorization).then(
    ({ id }) => {
      sockets.handleUpgrade(request, socket, head, (opened) => {
        const own = notificationSockets.get(id) ?? new Set()
        notificationSockets.set(id, own.add(opened))
        opened.on('close', () => own.delete(opened))
      })
    },
    () => socket.destroy(),
  )
})

const delay = monitorEventLoopDelay({ resolution: 1 })
await app.listen({ port: 0, host: '127.0.0.1' })
takeOrders((app.server.address() as AddressInfo).port, {
  loopDelay() {
    delay.enable()
    const ms = delay.percentile(99) / 1e6
    delay.reset()
    return ms
  },
  /** As an announcement to everybody: the frame is made for each. */
  announce({ text }: { text: string }) {
    for (const own of notificationSockets.values())
      for (const socket of own) socket.send(JSON.stringify({ type: { announcement: {} }, info: text, contentID: '1' }))
  },
})
