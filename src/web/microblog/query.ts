// The microblog: one stream of everybody's posts, newest first, and the answers to one of them.
import type { MicroblogPostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { whenArrived } from '../outbox.ts'
import type { PostDeeds, ShownPost } from '../post/post.tsx'
import { useInfiniteQuery, type InfiniteData } from '../infinite.ts'
import { queries, refresh, useQuery } from '../store.ts'

const pageSize = 50
const repliesSize = 200

/** A part of the stream. */
export interface Filter {
  hashtag?: string
  search?: string
  mentionSelf?: boolean
  byUsername?: string
  bookmarked?: boolean
  likeType?: 'all'
}

export function useStream(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['microblog', filter],
    queryFn: ({ pageParam }) =>
      client.microblog.list({
        ...filter,
        limit: pageSize,
        hideReplies: Object.keys(filter).length === 0,
        ...(pageParam < Infinity && { before: pageParam }),
      }),
    initialPageParam: Infinity,
    // The server counts the post that is named.
    getNextPageParam: (page) => (page.length < pageSize ? undefined : (page.at(-1)?.twarrtID ?? 0) - 1),
  })
}

/** How many posts the stream has by now after its newest one here. */
export async function countNewer(filter: Filter, newest: number): Promise<number> {
  const hideReplies = Object.keys(filter).length === 0
  const page = await client.microblog.list({ ...filter, hideReplies, after: newest, limit: pageSize })
  return page.filter(({ twarrtID }) => twarrtID > newest).length
}

/** A post and the answers to it that are here, oldest first: the post alone, then the others page by page. */
export interface Replies extends InfiniteData<MicroblogPostData[]> {
  hasEarlier: boolean
}

const repliesKey = (id: number) => ['microblog', 'group', id]

export function useReplies(id: number) {
  return useQuery({ queryKey: repliesKey(id), queryFn: () => readReplies(id) })
}

async function readReplies(id: number): Promise<Replies> {
  const { replyGroupID: replyGroup = id } = await client.microblog.get({ post_id: id })
  const known = queries.getQueryData<Replies>(repliesKey(id))
  const firstKnown = known?.pages.slice(1).flat()[0]?.twarrtID
  const [head, first] = await Promise.all([
    client.microblog.list({ replyGroup, from: 'first', limit: 1 }),
    client.microblog.list({ replyGroup, limit: repliesSize, ...(firstKnown !== undefined && { after: firstKnown - 1 }) }),
  ])
  const pages = firstKnown === undefined ? [first] : await withLaterPages(replyGroup, first)
  const [{ twarrtID: headID } = { twarrtID: 0 }] = head
  return {
    pages: [head, ...pages.map((page) => page.filter(({ twarrtID }) => twarrtID !== headID))],
    hasEarlier: known && firstKnown !== undefined ? known.hasEarlier : first.length === repliesSize && first[0]?.twarrtID !== headID,
  }
}

/** A page of answers, and those after it. */
async function withLaterPages(replyGroup: number, first: readonly MicroblogPostData[]): Promise<(readonly MicroblogPostData[])[]> {
  const pages = [first]
  for (let page = first; page.length === repliesSize; pages.push(page))
    page = await client.microblog.list({ replyGroup, limit: repliesSize, after: page.at(-1)?.twarrtID ?? 0 })
  return pages
}

/** The page before the first answer that is here. `ready` is called just before it is shown. */
export async function readEarlier(id: number, ready: () => void): Promise<void> {
  const known = queries.getQueryData<Replies>(repliesKey(id))
  const [[head] = [], ...pages] = known?.pages ?? []
  const before = (pages.flat()[0]?.twarrtID ?? 0) - 1
  if (!head || before <= head.twarrtID) return
  await queries.extend<Replies, readonly MicroblogPostData[]>(
    repliesKey(id),
    () => client.microblog.list({ replyGroup: head.replyGroupID ?? head.twarrtID, before, limit: repliesSize }),
    (replies, page) => {
      const earlier = page.filter(({ twarrtID }) => twarrtID !== head.twarrtID)
      ready()
      return {
        pages: [[head], earlier, ...replies.pages.slice(1)],
        hasEarlier: page.length === repliesSize && earlier.length === page.length,
      }
    },
  )
}

// On the screen at once; the lists are read again behind it.
whenArrived('microblog', (post) => {
  queries.setQueryData<InfiniteData<MicroblogPostData[]>>(['microblog', {}], (stream) => {
    if (!stream) return stream
    const [first = [], ...rest] = stream.pages
    return { pages: [[post, ...first], ...rest] }
  })
  refresh('microblog')
})
whenArrived('reply', (post, id) => {
  queries.setQueryData<Replies>(repliesKey(Number(id)), (replies) => replies && { ...replies, pages: [...replies.pages, [post]] })
  refresh('microblog')
})

export const shown = ({ twarrtID, ...post }: MicroblogPostData): ShownPost => ({ id: twarrtID, ...post })

/** Changes a post wherever it is shown; without a result it goes. */
function change(id: number, work: (post: MicroblogPostData) => MicroblogPostData | undefined): void {
  const inPage = (page: readonly MicroblogPostData[]) => page.flatMap((post) => (post.twarrtID === id ? (work(post) ?? []) : [post]))
  queries.setQueriesData<InfiniteData<MicroblogPostData[]>>(
    { queryKey: ['microblog'] },
    (data) => data && { ...data, pages: data.pages.map(inPage) },
  )
}

const calls = { like: client.microblog.like, love: client.microblog.love, laugh: client.microblog.laugh }

/** What can be done with posts of the microblog. */
export const deeds: PostDeeds = {
  feed: 'microblog',
  async reactors({ id }) {
    const { likes, loves, laughs } = await client.microblog.get({ post_id: id })
    return { like: likes, love: loves, laugh: laughs }
  },
  async react({ id }, reaction) {
    const { userLike: _, ...post } = await (reaction ? calls[reaction] : client.microblog.unreact)({ post_id: id })
    change(id, () => ({ ...post, ...(reaction && { userLike: reaction }) }))
  },
  async bookmark({ id, isBookmarked }) {
    await (isBookmarked ? client.microblog.removeBookmark({ post_id: id }) : client.microblog.bookmark({ post_id: id }))
    change(id, (post) => ({ ...post, isBookmarked: !isBookmarked }))
  },
  async edit({ id }, text, images) {
    const post = await client.microblog.update({ post_id: id, text, images })
    change(id, ({ images: _images, imageSizes: _sizes, reactionCounts: _counts, ...before }) => ({ ...before, ...post }))
  },
  async remove({ id }) {
    await client.microblog.remove({ post_id: id })
    change(id, () => undefined)
  },
  report: ({ id }, message) => client.microblog.report({ post_id: id, message }),
}

/** Slow mode of the microblog: seconds between two posts of a person. */
export const useSlowMode = () =>
  useQuery({ queryKey: ['slow mode'], queryFn: () => client.microblog.slowmode(), staleTime: 60_000 }).data?.seconds
