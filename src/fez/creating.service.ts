// New chats, with their first members and, where the request has one, their first post.
import { userTopic } from '../accounts/events.ts'
import { builtIn, isDeleted } from '../accounts/rows.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { atLeast, blocked, isModerator, requireCreator, type Viewer } from '../core/base/viewer.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { holdImages, storeUpload, type StoredImage } from '../image/service.ts'
import { sizesOf } from '../image/sizes.ts'
import { audit } from '../moderation/audit.service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import type { PostContentData } from '../post/schemas.ts'
import { withLineFeeds } from '../text/line-ends.ts'
import { readInboxes } from './inboxes.service.ts'
import { addedNotice } from './notices.ts'
import { effectiveAuthor, requirePostAllowed } from './posts.service.ts'
import { isLfg } from './types.ts'
import { insertFez, insertPosts } from './queries.ts'
import { fezView } from './reading.service.ts'
import type { FezContentData, FezData } from './schemas.ts'
import { changesChat, fieldsOf, notify } from './service.ts'

/** Creates a chat, for the caller or for a shared account. */
export async function createFez(ctx: Ctx, content: FezContentData): Promise<FezData> {
  const { firstPost } = content
  if (firstPost) requirePostAllowed(content.fezType, firstPost)
  requireCreator(ctx.viewer, ctx.nowMs)
  const ownerId = ownerFor(ctx.viewer, content)
  const members = await initialMembers(ctx, ownerId, content.initialUsers)
  if (content.fezType === 'closed' && members.length < 2) throw badRequest('too_few_members', 'A private chat needs at least two users.')
  const post = firstPost && (await postToWrite(ctx, firstPost))
  const { fezID } = await ctx.transaction(async (tx) => {
    const id = ctx.node.random.uuid()
    changesChat(tx, id)
    if (firstPost) await holdImages(tx, firstPost.images)
    const unlisted = content.visibility === 'unlisted'
    await insertFez(tx.sql, { id, ownerId, createdAt: tx.now, unlisted, ...fieldsOf(ctx, content) }, members)
    // Who talks with whom is nobody's business outside.
    if (isLfg(content.fezType))
      tx.enqueue('webhook-event', { kind: 'fez.created', at: tx.now, data: { fezID: id, fezType: content.fezType } })
    const postId = post ? await writeFirst(tx, id, members.length, post) : 0
    for (const accountId of members) tx.emitConfirmed(userTopic, accountId, { type: 'chatsChanged', fezID: id })
    const notice = addedNotice(id, content, ctx.node.accounts.get(ownerId).username)
    for (const accountId of members) if (accountId !== ownerId) notify(tx, accountId, notice)
    await readInboxes(tx, id, (accountId) => members.includes(accountId), postId)
    if (ownerId !== ctx.viewer.id) await audit(tx, { action: 'post', subject: { type: 'fez', id }, userId: ownerId })
    return { fezID: id }
  })
  return await fezView(ctx, fezID, { firstPosts: post ? 1 : 0 })
}

function ownerFor(viewer: Viewer, content: FezContentData): string {
  if (content.createdByServiceTeam) {
    if (!atLeast(viewer.level, 'serviceteam'))
      throw badRequest('level_too_low', 'Only the service team can create a chat as the service team.')
    return builtIn.ServiceTeam
  }
  if (content.createdByModerator) {
    if (!isModerator(viewer)) throw badRequest('level_too_low', 'Only moderators can create a chat as moderator.')
    return builtIn.moderator
  }
  return viewer.id
}

/** Owner first, then the named users who are there and in no block with the owner. */
async function initialMembers(ctx: Ctx, ownerId: string, named: readonly string[]): Promise<string[]> {
  const { accounts } = ctx.node
  await accounts.load([ownerId, ...named])
  const there = named.filter((id) => accounts.has(id) && !isDeleted(accounts.get(id)))
  // A chat of a shared account belongs to the team: whoever made it is not a member.
  const wanted = there.filter((id) => ownerId === ctx.viewer.id || id !== ctx.viewer.id)
  return [...new Set([ownerId, ...wanted.filter((id) => ownerId !== ctx.viewer.id || !blocked(ctx.viewer, accounts.get(id)))])]
}

interface FirstPost {
  authorId: string
  text: string
  image: StoredImage | undefined
}

async function postToWrite(ctx: Ctx, content: PostContentData): Promise<FirstPost> {
  const authorId = effectiveAuthor(ctx.viewer, content)
  if (!(await ctx.node.accounts.find(authorId))) throw notAvailable('user')
  const [upload] = content.images
  // That of a repetition was stored before.
  const image = upload && !(await ctx.isRepetition()) ? await storeUpload(ctx, upload, 'content') : undefined
  return { authorId, text: content.text, image }
}

/** Writes it into a chat that this transaction has made; nobody hears of the chat before it is there. Returns its id. */
async function writeFirst(tx: Tx, fezId: string, version: number, { authorId, text, image }: FirstPost): Promise<number> {
  const post = { fezId, version, authorId, realAuthorId: tx.viewer.id, text: withLineFeeds(text), now: tx.now }
  const [written] = await insertPosts(
    tx.sql,
    [{ ...post, image: image?.name ?? null, imageSizes: image ? sizesOf([image.size]) : null }],
    true,
  )
  const id = written?.id
  if (!id) throw new Error('the first post of a new chat was not written')
  await logModeratorAction(tx, { action: 'post', contentType: 'fezPost', contentId: String(id), ownerId: authorId })
  return id
}
