// The microblog: one stream of everybody's posts, newest first, and the answers to one of them.
import type { MicroblogPostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { whenArrived } from '../outbox.ts'
import type { PostDeeds, ShownPost } from '../post/post.tsx'
import { useInfiniteQuery, type InfiniteData } from '../infinite.ts'
import { queries, refresh, useQuery } from '../store.ts'

const pageSize = 50

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
        ...(pageParam > 0 && { before: pageParam }),
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.twarrtID),
  })
}

/** A post and its answers, oldest first. */
export function useReplies(id: number) {
  return useQuery({
    queryKey: ['microblog', 'group', id],
    queryFn: async () => {
      const { replyGroupID } = await client.microblog.get({ post_id: id })
      return client.microblog.list({ replyGroup: replyGroupID ?? id, limit: 200 })
    },
  })
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
  queries.setQueryData<MicroblogPostData[]>(['microblog', 'group', Number(id)], (posts) => posts && [...posts, post])
  refresh('microblog')
})

export const shown = ({ twarrtID, ...post }: MicroblogPostData): ShownPost => ({ id: twarrtID, ...post })

/** Changes a post wherever it is shown; without a result it goes. */
function change(id: number, work: (post: MicroblogPostData) => MicroblogPostData | undefined): void {
  const inPage = (page: readonly MicroblogPostData[]) => page.flatMap((post) => (post.twarrtID === id ? (work(post) ?? []) : [post]))
  queries.setQueriesData<MicroblogPostData[] | InfiniteData<MicroblogPostData[]>>({ queryKey: ['microblog'] }, (data) => {
    if (!data) return data
    return Array.isArray(data) ? inPage(data) : { ...data, pages: data.pages.map(inPage) }
  })
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
  async edit({ id, images = [] }, text) {
    const post = await client.microblog.update({ post_id: id, text, images: images.map((filename) => ({ filename })) })
    change(id, (before) => ({ ...before, ...post }))
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
