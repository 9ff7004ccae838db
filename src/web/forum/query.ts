// Forums: categories, lists of forums, and one forum with its posts.
import { useRef } from 'preact/hooks'
import type { CategoryData, ForumData, ForumListData, ForumSearchData, PostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { readOn } from '../kit/read-on.ts'
import { whenArrived } from '../outbox.ts'
import type { PostDeeds, ShownPost } from '../post/post.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { useInfiniteQuery } from '../infinite.ts'
import { queries, refresh, useQuery } from '../store.ts'

const listSize = 50
const earlierSize = 50

export function useCategories() {
  return useQuery({ queryKey: ['forums', 'categories'], queryFn: () => client.forum.categories(), staleTime: 5 * 60_000 })
}

export const sorts = ['unread', 'update', 'create', 'title'] as const
export type Sort = (typeof sorts)[number]

/** A list of forums that grows at its end. */
export type ForumPage = Pick<ForumSearchData, 'paginator'> & { forumThreads?: ForumListData[] | undefined }

function useForumPages<Page extends ForumPage>(name: readonly unknown[], read: (page: PageOf) => Promise<Page>, enabled = true) {
  return useInfiniteQuery({
    queryKey: ['forums', ...name],
    queryFn: ({ pageParam }): Promise<Page> => read({ start: pageParam, limit: listSize }),
    initialPageParam: 0,
    getNextPageParam: ({ paginator, forumThreads = [] }) => nextStart(paginator, forumThreads.length),
    enabled,
  })
}

interface PageOf {
  start: number
  limit: number
}

function nextStart({ start, total }: ForumPage['paginator'], count: number): number | undefined {
  return count > 0 && start + count < total ? start + count : undefined
}

/** A category with its forums. */
export function useCategory(id: string, sort: Sort) {
  const order = sort === 'unread' ? 'update' : sort
  return useForumPages<CategoryData>(['category', id, order], (page) => client.forum.category({ category_id: id, sort: order, ...page }))
}

/** Those with something new first; pinned ones stay above, muted ones below. */
export function unreadFirst(forums: readonly ForumListData[]): ForumListData[] {
  const rank = ({ isPinned, isMuted, readCount, postCount }: ForumListData) => (isMuted ? 3 : isPinned ? 0 : readCount < postCount ? 1 : 2)
  return [...forums].sort((a, b) => rank(a) - rank(b))
}

export const forumLists = ['recent', 'unread', 'favorites', 'owner', 'mutes'] as const
export type ForumList = (typeof forumLists)[number]

export function useForumList(which: ForumList) {
  return useForumPages<ForumSearchData>([which], (page) => client.forum[which](page))
}

/** Filters of the search of forums. */
export interface ForumSearch {
  search?: string
  searchposts?: string
  creator?: readonly string[]
  category?: readonly string[]
  creatorself?: boolean
  favorite?: boolean
  mute?: boolean
  posted?: boolean
  unread?: boolean
}

/** Filters of the search of posts. */
export interface PostSearch {
  search?: string
  hashtag?: string
  mentionname?: string
  mentionself?: boolean
  ownreacts?: boolean
  bookmarked?: boolean
  byself?: boolean
  category?: string
  forum?: string
}

/** Forums that match all of it. Without anything to look for there is no answer. */
export function useForumSearch(filter: ForumSearch) {
  return useForumPages<ForumSearchData>(
    ['search', filter],
    (page) => client.forum.search({ ...filter, ...page }),
    Object.keys(filter).length > 0,
  )
}

/** Posts of all forums that match all of it, newest first. */
export function usePostSearch(filter: PostSearch) {
  return useInfiniteQuery({
    queryKey: ['forums', 'posts', filter],
    queryFn: async ({ pageParam }) => {
      const page = await client.forum.postSearch({ ...filter, start: pageParam, limit: listSize })
      // Reading one's mentions has marked them as seen.
      if (filter.mentionself) refresh('numbers')
      return page
    },
    initialPageParam: 0,
    getNextPageParam: ({ paginator, posts }) => nextStart(paginator, posts.length),
  })
}

/** A forum and the posts of it that are here: all from `firstStart` on. */
export interface Thread extends ForumData {
  firstStart: number
  /** Posts that had been read before `readAt`, when this was read. */
  readCount: number
  readAt: number
}

/** `postID`: a post that must be among those that are here. */
export function useForum(id: string, postID?: number) {
  return useQuery({ queryKey: ['forum', id], queryFn: () => readForum(id, postID) })
}

async function readForum(id: string, postID?: number): Promise<Thread> {
  const known = queries.getQueryData<Thread>(['forum', id])
  const isHere = known && (postID === undefined || known.posts.some((post) => post.postID === postID))
  const readCount = await readCountOf(id, known)
  const { first, items, firstStart } = await readOn<ForumData, PostData>(
    (page) => client.forum.get({ forum_id: id, ...page, ...(postID !== undefined && page.start === undefined && { startPost: postID }) }),
    ({ posts, paginator }) => ({ items: posts, start: paginator.start, total: paginator.total }),
    isHere ? known : undefined,
  )
  refresh('forums', 'numbers')
  return { ...first, posts: items, firstStart, readCount, readAt: Date.now() }
}

/** Reading a forum marks its posts as read; so this is asked before. */
async function readCountOf(id: string, known: Thread | undefined): Promise<number> {
  const listed = queries
    .getQueriesData<{ pages?: readonly ForumPage[] }>({ queryKey: ['forums'] })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ forumThreads }) => forumThreads?.find(({ forumID }) => forumID === id)?.readCount ?? [])
  const counts = [...listed, ...(known ? [known.firstStart + known.posts.length] : [])]
  if (counts.length > 0) return Math.max(...counts)
  // A page of one post is the last one that was read. At the start that may be none.
  const { paginator } = await client.forum.get({ forum_id: id, limit: 1 })
  return paginator.start === 0 ? 0 : paginator.start + 1
}

/** How many posts the forum has by now after its last one here. Reads none of them. */
export async function countNewer({ forumID, posts }: Thread): Promise<number> {
  const last = posts.at(-1)?.postID ?? 0
  const { posts: newest } = await client.forum.postSearch({ forum: forumID, limit: listSize })
  return newest.filter(({ postID }) => postID > last).length
}

/** The first post that was new when a page was opened, and how many there were. */
export interface FirstNew {
  postID: number
  count: number
}

/** It stays so while one reads on. */
export function useFirstNew(forum: Thread | undefined): FirstNew | undefined {
  const openedAt = useRef(Date.now())
  const found = useRef<FirstNew | undefined>(undefined)
  // What comes from the store was new the last time.
  if (!found.current && forum && forum.readAt >= openedAt.current && forum.readCount > 0) {
    const fresh = forum.posts
      .slice(Math.max(0, forum.readCount - forum.firstStart))
      .filter(({ author }) => author.userID !== me.value?.userID)
    if (fresh[0]) found.current = { postID: fresh[0].postID, count: fresh.length }
  }
  return found.current
}

/** Posts that stand out; others than those of the page may be among them. */
export function usePinned(id: string) {
  return useQuery({ queryKey: ['forum', id, 'pinned'], queryFn: () => client.forum.pinnedposts({ forum_id: id }) })
}

/** The page before the first post that is here. `ready` is called just before it is shown. */
export async function readEarlier(id: string, ready: () => void): Promise<void> {
  const known = queries.getQueryData<Thread>(['forum', id])
  if (!known || known.firstStart === 0) return
  const start = Math.max(0, known.firstStart - earlierSize)
  await queries.extend<Thread, ForumData>(
    ['forum', id],
    () => client.forum.get({ forum_id: id, start, limit: known.firstStart - start }),
    (forum, { posts }) => {
      ready()
      return { ...forum, posts: merge(posts, forum.posts), firstStart: start }
    },
  )
}

whenArrived('forum', (post, id) => {
  change(id, (forum) => ({ ...forum, posts: merge(forum.posts, [post]) }))
  refresh('forums')
})

function change(id: string, work: (forum: Thread) => Thread): void {
  queries.setQueryData<Thread>(['forum', id], (forum) => forum && work(forum))
}

/** In order, each once. */
function merge(before: readonly PostData[], more: readonly PostData[]): PostData[] {
  const known = new Set(before.map(({ postID }) => postID))
  return [...before, ...more.filter(({ postID }) => !known.has(postID))].sort((a, b) => a.postID - b.postID)
}

export const shown = ({ postID, ...post }: PostData): ShownPost => ({ id: postID, ...post })

/** What can be done with the posts of a forum. */
export function deedsIn({ forumID, creator }: Thread): PostDeeds {
  const put = (id: number, work: (post: PostData) => PostData) =>
    change(forumID, (forum) => ({ ...forum, posts: forum.posts.map((post) => (post.postID === id ? work(post) : post)) }))
  const call = { like: client.forum.postLike, love: client.forum.postLove, laugh: client.forum.postLaugh }
  const mayPin = mayWrite.value && (creator.userID === me.value?.userID || isModerator.value)
  return {
    feed: 'forum',
    async reactors({ id }) {
      const { likes, loves, laughs } = await client.forum.getPost({ post_id: id })
      return { like: likes, love: loves, laugh: laughs }
    },
    async react({ id }, reaction) {
      const { userLike: _, ...post } = await (reaction ? call[reaction] : client.forum.postUnreact)({ post_id: id })
      put(id, () => ({ ...post, ...(reaction && { userLike: reaction }) }))
    },
    async bookmark({ id, isBookmarked }) {
      await (isBookmarked ? client.forum.removePostBookmark({ post_id: id }) : client.forum.postBookmark({ post_id: id }))
      put(id, (post) => ({ ...post, isBookmarked: !isBookmarked }))
    },
    async edit({ id }, text, images) {
      const after = await client.forum.updatePost({ post_id: id, text, images })
      put(id, ({ images: _images, imageSizes: _sizes, reactionCounts: _counts, ...post }) => ({ ...post, ...after }))
    },
    async remove({ id }) {
      await client.forum.removePost({ post_id: id })
      change(forumID, (forum) => ({ ...forum, posts: forum.posts.filter(({ postID }) => postID !== id) }))
      refresh('forums')
    },
    report: ({ id }, message) => client.forum.postReport({ post_id: id, message }),
    ...(mayPin && {
      async pin({ id, isPinned = false }: ShownPost) {
        await (isPinned ? client.forum.removePostPin({ post_id: id }) : client.forum.postPin({ post_id: id }))
        put(id, (post) => ({ ...post, isPinned: !isPinned }))
        await queries.invalidateQueries({ queryKey: ['forum', forumID, 'pinned'] })
      },
    }),
  }
}

/** Does something to a forum and reads it again. */
export async function changeForum(id: string, work: () => Promise<unknown>): Promise<void> {
  await work()
  await queries.invalidateQueries({ queryKey: ['forum', id] })
  refresh('forums')
}
