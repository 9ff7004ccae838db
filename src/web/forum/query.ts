// Forums: categories, lists of forums, and one forum with its posts.
import type { CategoryData, ForumData, ForumListData, PostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { readOn } from '../kit/read-on.ts'
import { whenArrived } from '../outbox.ts'
import type { PostDeeds, ShownPost } from '../post/post.tsx'
import { queries, refresh, useQuery } from '../store.ts'

const listSize = 100
const earlierSize = 50

export function useCategories() {
  return useQuery({ queryKey: ['forums', 'categories'], queryFn: () => client.forum.categories(), staleTime: 5 * 60_000 })
}

export type Sort = 'update' | 'create' | 'title'

export function useCategory(id: string, sort: Sort) {
  return useQuery({
    queryKey: ['forums', 'category', id, sort],
    queryFn: (): Promise<CategoryData> => client.forum.category({ category_id: id, sort, limit: listSize }),
  })
}

export const forumLists = ['recent', 'unread', 'favorites', 'owner'] as const
export type ForumList = (typeof forumLists)[number]

export function useForumList(which: ForumList) {
  return useQuery({ queryKey: ['forums', which], queryFn: () => client.forum[which]({ limit: listSize }) })
}

export function useForumSearch(words: string) {
  return useQuery({
    queryKey: ['forums', 'search', words],
    queryFn: () => client.forum.search({ search: words, limit: listSize }),
    enabled: words !== '',
  })
}

/** Posts that mention the viewer. */
export function useForumMentions(enabled: boolean) {
  return useQuery({
    queryKey: ['forums', 'mentions'],
    queryFn: async () => {
      const posts = await client.forum.mentions({ limit: listSize })
      refresh('numbers')
      return posts
    },
    enabled,
  })
}

/** A forum and the posts of it that are here: all from `firstStart` on. */
export interface Thread extends ForumData {
  firstStart: number
  /** Posts that had been read before this visit. */
  readCount: number
}

export function useForum(id: string) {
  return useQuery({ queryKey: ['forum', id], queryFn: () => readForum(id) })
}

async function readForum(id: string): Promise<Thread> {
  const known = queries.getQueryData<Thread>(['forum', id])
  const { first, items, firstStart } = await readOn(
    (page) => client.forum.get({ forum_id: id, ...page }),
    ({ posts, paginator }) => ({ items: posts, start: paginator.start, total: paginator.total }),
    known,
  )
  refresh('forums', 'numbers')
  return { ...first, posts: items, firstStart, readCount: readCountOf(id) ?? first.paginator.total }
}

/** As the lists know it: the answer of a forum itself does not say. */
function readCountOf(id: string): number | undefined {
  for (const [, data] of queries.getQueriesData<{ forumThreads?: ForumListData[] }>({ queryKey: ['forums'] })) {
    const found = data?.forumThreads?.find(({ forumID }) => forumID === id)
    if (found) return found.readCount
  }
  return undefined
}

/** The page before the first post that is here. */
export async function readEarlier(id: string): Promise<void> {
  const known = queries.getQueryData<Thread>(['forum', id])
  if (!known || known.firstStart === 0) return
  const start = Math.max(0, known.firstStart - earlierSize)
  const { posts } = await client.forum.get({ forum_id: id, start, limit: known.firstStart - start })
  change(id, (forum) => ({ ...forum, posts: merge(posts, forum.posts), firstStart: start }))
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
export function deedsIn(forumID: string): PostDeeds {
  const put = (post: PostData) =>
    change(forumID, (forum) => ({
      ...forum,
      posts: forum.posts.map((other) => (other.postID === post.postID ? { ...other, ...post } : other)),
    }))
  const call = { like: client.forum.postLike, love: client.forum.postLove, laugh: client.forum.postLaugh }
  return {
    async react({ id }, reaction) {
      const { userLike: _, ...post } = await (reaction ? call[reaction] : client.forum.postUnreact)({ post_id: id })
      change(forumID, (forum) => ({
        ...forum,
        posts: forum.posts.map((other) => (other.postID === id ? { ...post, ...(reaction && { userLike: reaction }) } : other)),
      }))
    },
    async bookmark({ id, isBookmarked }) {
      await (isBookmarked ? client.forum.removePostBookmark({ post_id: id }) : client.forum.postBookmark({ post_id: id }))
      change(forumID, (forum) => ({
        ...forum,
        posts: forum.posts.map((post) => (post.postID === id ? { ...post, isBookmarked: !isBookmarked } : post)),
      }))
    },
    async edit({ id, images = [] }, text) {
      put(await client.forum.updatePost({ post_id: id, text, images: images.map((filename) => ({ filename })) }))
    },
    async remove({ id }) {
      await client.forum.removePost({ post_id: id })
      change(forumID, (forum) => ({ ...forum, posts: forum.posts.filter(({ postID }) => postID !== id) }))
    },
    report: ({ id }, message) => client.forum.postReport({ post_id: id, message }),
  }
}

/** Does something to a forum and reads it again. */
export async function changeForum(id: string, work: () => Promise<unknown>): Promise<void> {
  await work()
  await queries.invalidateQueries({ queryKey: ['forum', id] })
  refresh('forums')
}
