// New posts of a feed: what comes before their writer, and the records made about them in the transaction that writes them.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { hasAnswer, type Outcome } from '../core/db/batcher.ts'
import type { FeedName } from '../hits/hits.ts'
import { namesAnything, noteNewNames } from '../hits/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { isWatched } from '../hits/watched-words.ts'
import { whileImagesHeld } from '../image/service.ts'
import { authorFor, contentOf } from './authors.service.ts'
import type { Feed, FeedPost } from './feed.ts'
import { storedImages } from './images.service.ts'
import type { PostContentData } from './schemas.ts'

interface NewPost {
  authorId: string
  realAuthorId: string
  text: string
}

/** A post before it is written. `isWatched`: it has a word that somebody watches. */
export type PostToWrite = Awaited<ReturnType<typeof prepared>>

async function prepared(ctx: Ctx, { text, images }: PostContentData, authorId: string, requirePlace: () => Promise<void>) {
  const stored = await storedImages(ctx, images, requirePlace)
  return { ...contentOf(text), authorId, ...stored, isWatched: await isWatched(ctx, text) }
}

/** Has `write` write a post whose pictures are stored, and held until then. `requirePlace` refuses it before any is. */
export async function writeNewPost<Data>(
  ctx: Ctx,
  content: PostContentData,
  requirePlace: () => Promise<void>,
  write: (post: PostToWrite) => Promise<Data>,
): Promise<Data> {
  const author = await authorFor(ctx, content)
  const post = await prepared(ctx, content, author.id, requirePlace)
  return await whileImagesHeld(ctx, content.images, () => write(post))
}

/** Notes mentions and hashtags of those posts that were written, and whose power was used; resolves with what each request is answered. */
export async function withNotes<Written extends { tx: Tx; post: NewPost; outcome: Outcome<number> }, Data>(
  { feed, contentType }: { feed: FeedName; contentType: Feed<FeedPost, unknown>['contentType'] },
  posts: readonly Written[],
  dataOf: (post: Written, id: number) => Data,
): Promise<Outcome<Data>[]> {
  const written = posts.flatMap(({ tx, post, outcome }) => {
    if (!hasAnswer(outcome)) return []
    return [{ tx, post: { ...post, id: outcome.answer, before: '', after: post.text } }]
  })
  await noteNewNames(
    feed,
    written.filter(({ post }) => namesAnything(post.text)),
  )
  await Promise.all(
    written.map(({ tx, post }) =>
      logModeratorAction(tx, { action: 'post', contentType, contentId: String(post.id), ownerId: post.authorId }),
    ),
  )
  return posts.map((each) => {
    const { outcome } = each
    return hasAnswer(outcome) ? { answer: dataOf(each, outcome.answer) } : outcome
  })
}
