// Asking and voting. Who may see a poll is who may see its post.
import { createHash } from 'node:crypto'
import type { Ctx } from '../core/work/ctx.ts'
import { Replay } from '../core/db/idempotency.ts'
import { AppError, badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import type { ServiceFeature } from '../core/http/route.ts'
import { requireCreator } from '../core/base/viewer.ts'
import { writePostIn } from '../fez/posts.service.ts'
import { visiblePostsIn } from '../fez/reading.service.ts'
import { addPost } from '../forum/posts.service.ts'
import type { PostData } from '../forum/schemas.ts'
import { createPost } from '../microblog/posts.service.ts'
import type { MicroblogPostData } from '../microblog/schemas.ts'
import { isHidden } from '../moderation/types.ts'
import { visiblePosts } from '../post/access.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { pollTopic } from './events.ts'
import {
  deleteLostPoll,
  deleteLostPolls,
  insertPoll,
  lockPoll,
  replaceVotes,
  selectPolls,
  selectVotes,
  updateEnd,
  updatePostOfPoll,
} from './queries.ts'
import type { PollPlace, PollRow, PostedPoll } from './rows.ts'
import type { PollContentData, PollData, PollVoteData } from './schemas.ts'
import { hasEnded, pollData, textOf } from './views.ts'

/** The end of a poll is at most so far away. */
const longestMs = 366 * 24 * 60 * 60_000
/** A request that wrote a poll, and not its post, is not under way any more. */
const lostAfterMs = 60 * 60_000

const placeWord: Record<PollPlace, string> = { fez: 'chat', forum: 'forum', microblog: 'microblog' }
const featureOf: Record<PollPlace, ServiceFeature> = { fez: 'friendlyfez', forum: 'forums', microblog: 'tweets' }

/**
 * Writes a poll, then its post, whose text needs the poll's address, and joins the two. The id of a poll follows from the
 * Idempotency-Key: a request that is sent again finds what the first one has written, wherever that was broken off.
 */
export async function createPoll(ctx: Ctx, content: PollContentData): Promise<PollData> {
  const { node, viewer, nowMs } = ctx
  requireCreator(viewer, nowMs)
  requireFeature(ctx, content.place)
  const endsAt = content.endsAt ?? null
  if (endsAt && endsAt.getTime() <= nowMs && !(await ctx.isRepetition())) throw badRequest('poll_ended', 'The end of the poll is over.')
  if (endsAt && endsAt.getTime() > nowMs + longestMs) throw badRequest('poll_ended', 'A poll ends within a year.')
  const poll: Omit<PollRow, 'postId'> = {
    id: idOf(ctx),
    authorId: viewer.id,
    place: content.place,
    fezId: content.place === 'fez' ? (content.placeID as string) : null,
    question: content.question.trim(),
    choices: content.choices.map((choice) => choice.trim()),
    isSeveral: content.several ?? false,
    isAnonymous: content.anonymous ?? false,
    endsAt,
    createdAt: new Date(nowMs),
  }
  const isNew = await insertPoll(ctx.sql, poll)
  try {
    await updatePostOfPoll(ctx.sql, poll.id, await writePost(ctx, content, textOf(poll, node.config.externalUrl)))
  } catch (error) {
    // When it is not known whether the post is there, the poll waits for the request to be sent again.
    if (isNew && error instanceof AppError && error.status < 500) await deleteLostPoll(ctx.sql, poll.id)
    throw error
  }
  return await getPoll(ctx, poll.id)
}

/** The id that this request gives to its poll, each time it is sent. */
function idOf({ node, idempotencyKey }: Ctx): string {
  if (!idempotencyKey) return node.random.uuid()
  const { accountId, key } = idempotencyKey
  const bytes = createHash('sha256').update(`poll ${accountId} ${key}`).digest().subarray(0, 16)
  // Version 8 of RFC 9562: bits of one's own making.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Writes the post, unless this request has done so before, and returns its id. */
async function writePost(ctx: Ctx, { place, placeID = '', ...content }: PollContentData, text: string): Promise<number> {
  const post = { text, images: [], ...authorOf(content) }
  if (place === 'fez') return (await writePostIn(ctx, placeID, post)).post.id
  try {
    return idIn(place === 'forum' ? await addPost(ctx, placeID, post) : await createPost(ctx, post))
  } catch (error) {
    if (error instanceof Replay) return idIn(error.answer as PostData | MicroblogPostData)
    throw error
  }
}

const idIn = (post: PostData | MicroblogPostData): number => ('postID' in post ? post.postID : post.twarrtID)

const authorOf = ({ postAsModerator, postAsServiceTeam }: Pick<PollContentData, 'postAsModerator' | 'postAsServiceTeam'>) => ({
  ...(postAsModerator === undefined ? {} : { postAsModerator }),
  ...(postAsServiceTeam === undefined ? {} : { postAsServiceTeam }),
})

function requireFeature({ node }: Ctx, place: PollPlace): void {
  if (settingsOf(node).disabled([featureOf[place]])) throw notAvailable(placeWord[place])
}

/** One poll that is there for the caller. */
export async function getPoll(ctx: Ctx, pollId: string): Promise<PollData> {
  const [poll] = await listPolls(ctx, [pollId])
  if (!poll) throw notAvailable('poll')
  return poll
}

/** Polls in this order, without those that are not there for the caller. */
export async function listPolls(ctx: Ctx, ids: readonly string[]): Promise<PollData[]> {
  const polls = await withoutHidden(ctx, await selectPolls(ctx.sql, ids))
  if (polls.length === 0) return []
  const votes = await selectVotes(
    ctx.sql,
    polls.map(({ id }) => id),
  )
  const { accounts, config } = ctx.node
  await accounts.load(new Set([...polls.map(({ authorId }) => authorId), ...votes.map(({ accountId }) => accountId)]))
  const byId = new Map(polls.map((poll) => [poll.id, poll]))
  const view = { viewer: ctx.viewer, accounts, nowMs: ctx.nowMs, serverUrl: config.externalUrl }
  return [...new Set(ids)].flatMap((id) => {
    const poll = byId.get(id)
    return poll
      ? [
          pollData(
            view,
            poll,
            votes.filter(({ pollId }) => pollId === id),
          ),
        ]
      : []
  })
}

/** Those whose post is there for the caller and not under review: the poll has the same words. */
async function withoutHidden(ctx: Ctx, polls: readonly PostedPoll[]): Promise<PostedPoll[]> {
  const open = polls.filter(({ place }) => !settingsOf(ctx.node).disabled([featureOf[place]]))
  const ids = (place: PollPlace) => open.filter((poll) => poll.place === place).map(({ postId }) => postId)
  const chats = [...new Set(open.flatMap(({ fezId }) => fezId ?? []))]
  const [inForums, inMicroblog, ...inChats] = await Promise.all([
    visiblePosts(ctx, 'forum', ids('forum')),
    visiblePosts(ctx, 'microblog', ids('microblog')),
    ...chats.map((fezId) => visiblePostsIn(ctx, fezId, new Set(open.filter((poll) => poll.fezId === fezId).map(({ postId }) => postId)))),
  ])
  const shown = {
    forum: new Set(inForums.filter(({ moderationStatus }) => !isHidden(moderationStatus)).map(({ id }) => id)),
    microblog: new Set(inMicroblog.filter(({ moderationStatus }) => !isHidden(moderationStatus)).map(({ id }) => id)),
    fez: new Set(
      inChats
        .flat()
        .filter(({ moderationStatus }) => !isHidden(moderationStatus))
        .map(({ id }) => id),
    ),
  }
  return open.filter(({ place, postId }) => shown[place].has(postId))
}

/** Votes for these choices, and for no others. */
export async function vote(ctx: Ctx, pollId: string, { choices }: PollVoteData): Promise<PollData> {
  const { viewer } = ctx
  const wanted = [...new Set(choices)]
  requireCreator(viewer, ctx.nowMs)
  await getPoll(ctx, pollId)
  await ctx.transaction(async (tx) => {
    const poll = await lockPoll(tx.sql, pollId)
    if (!poll) throw notAvailable('poll')
    if (hasEnded(poll, ctx.nowMs)) throw badRequest('poll_ended', 'The poll has ended.')
    if (wanted.some((choice) => choice < 0 || choice >= poll.choices.length)) throw badRequest('choice_invalid', 'There is no such choice.')
    if (wanted.length > 1 && !poll.isSeveral) throw badRequest('choice_invalid', 'Only one choice can be voted for.')
    await replaceVotes(tx.sql, { pollId, personId: viewer.personId, accountId: viewer.id }, wanted, tx.now)
    tx.emit(pollTopic, pollId, { type: 'changed' })
  })
  return await getPoll(ctx, pollId)
}

/** Ends a poll of the caller. */
export async function endPoll(ctx: Ctx, pollId: string): Promise<PollData> {
  await getPoll(ctx, pollId)
  await ctx.transaction(async (tx) => {
    const poll = await lockPoll(tx.sql, pollId)
    if (!poll) throw notAvailable('poll')
    if (poll.authorId !== ctx.viewer.id) throw forbidden('not_owner', 'Only its author ends a poll.')
    if (hasEnded(poll, ctx.nowMs)) throw badRequest('poll_ended', 'The poll has ended.')
    await updateEnd(tx.sql, pollId, tx.now)
    tx.emit(pollTopic, pollId, { type: 'changed' })
  })
  return await getPoll(ctx, pollId)
}

/** Deletes polls whose post was never written. */
export async function removeLostPolls(ctx: Ctx<undefined>): Promise<void> {
  await deleteLostPolls(ctx.sql, new Date(ctx.nowMs - lostAfterMs))
}
