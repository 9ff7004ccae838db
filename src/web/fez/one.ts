// One chat, with its posts as they come.
import { useEffect, useRef } from 'preact/hooks'
import { signal } from '@preact/signals'
import type { FezData, FezPostData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { readOn } from '../kit/read-on.ts'
import { whenArrived } from '../outbox.ts'
import { me } from '../session.ts'
import { queries, refresh, useQuery } from '../store.ts'

const earlierSize = 200
const markReadAfterMs = 800

/** A chat and the posts of it that are here: all from `firstStart` on. */
export interface Chat extends FezData {
  posts: FezPostData[]
  firstStart: number
}

/** The others who look at the chat that is on the screen. */
export const watchers = signal<readonly UserHeader[]>([])

/** One chat, kept up to date by its socket for as long as it is on the screen. */
export function useChat(id: string) {
  const result = useQuery({ queryKey: ['chat', id], queryFn: () => readChat(id) })
  const isMember = result.data?.members !== undefined
  useEffect(() => {
    if (!isMember) return
    const stop = new AbortController()
    void listen(id, stop.signal)
    return () => {
      stop.abort()
      watchers.value = []
    }
  }, [id, isMember])
  return result
}

/** Where the new posts began when this page was opened; it stays there while one reads on. */
export function useFirstNew(chat: Chat | undefined): { postID: number; count: number } | undefined {
  const found = useRef<{ postID: number; count: number } | null | undefined>(undefined)
  if (found.current === undefined && chat?.members) {
    const first = chat.posts[chat.members.readCount - chat.firstStart]
    const count = chat.posts
      .slice(chat.members.readCount - chat.firstStart)
      .filter(({ author }) => author.userID !== me.value?.userID).length
    // From the store comes what was new the last time.
    const isCurrent = Date.now() - (queries.getQueryState(['chat', chat.fezID])?.dataUpdatedAt ?? 0) < 5000
    if (isCurrent) found.current = first && chat.members.readCount > 0 && count > 0 ? { postID: first.postID, count } : null
  }
  return found.current ?? undefined
}

/** Reads from the first post that is here, or from the page with the first new post, to the last. */
async function readChat(id: string): Promise<Chat> {
  const known = queries.getQueryData<Chat>(['chat', id])
  const { first, items, firstStart } = await readOn(
    (page) => client.fez.get({ fezID: id, ...page }),
    ({ members }) => ({ items: members?.posts ?? [], start: members?.paginator?.start ?? 0, total: members?.postCount ?? 0 }),
    known?.members && known,
  )
  if (first.members && first.members.readCount < first.members.postCount) refresh('numbers', 'chats')
  return { ...first, posts: sameAs(known?.posts, [...items, ...arrivedSince(id, known?.posts, items.at(-1)?.postID ?? 0)]), firstStart }
}

/** What the socket has brought after this answer was made: where much is written, something has come whenever an answer arrives. */
function arrivedSince(id: string, before: readonly FezPostData[] = [], lastPostID: number): FezPostData[] {
  const now = queries.getQueryData<Chat>(['chat', id])?.posts ?? []
  return now.filter((post) => post.postID > lastPostID && !before.some(({ postID }) => postID === post.postID))
}

/** Posts that have not changed stay the same objects: they are not drawn again. */
function sameAs(before: readonly FezPostData[] = [], posts: readonly FezPostData[]): FezPostData[] {
  const known = new Map(before.map((post) => [post.postID, post]))
  return posts.map((post) => {
    const old = known.get(post.postID)
    return old && JSON.stringify(old) === JSON.stringify(post) ? old : post
  })
}

/** The page before the first post that is here. */
export async function readEarlier(id: string): Promise<void> {
  const known = queries.getQueryData<Chat>(['chat', id])
  if (!known || known.firstStart === 0) return
  const start = Math.max(0, known.firstStart - earlierSize)
  await queries.extend<Chat, FezData>(
    ['chat', id],
    () => client.fez.get({ fezID: id, start, limit: known.firstStart - start }),
    (chat, { members }) => ({ ...chat, posts: merge(members?.posts ?? [], chat.posts), firstStart: start }),
  )
}

async function listen(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const after = queries.getQueryData<Chat>(['chat', id])?.posts.at(-1)?.postID
      for await (const frame of client.fez.socket({ fezID: id, watching: true, ...(after !== undefined && { after }) }, { signal })) {
        if ('postID' in frame) add(id, frame)
        else if ('watching' in frame) watchers.value = frame.watching
        else void queries.invalidateQueries({ queryKey: ['chat', id] })
      }
    } catch {
      // Too much was missed for the socket to bring it, or the chat is not for us any more: reading it says which.
      await queries.invalidateQueries({ queryKey: ['chat', id] })
      await new Promise((resolve) => setTimeout(resolve, 5000))
    }
  }
}

let marking: number | undefined

function add(id: string, { postID, author, text, timestamp, image, imageSize }: FezPostData): void {
  const post = { postID, author, text, timestamp, ...(image && { image }), ...(imageSize && { imageSize }) }
  queries.setQueryData<Chat>(['chat', id], (chat) => chat && { ...chat, posts: merge(chat.posts, [post]) })
  if (author.userID === me.value?.userID || document.visibilityState !== 'visible') return
  clearTimeout(marking)
  marking = window.setTimeout(() => void markRead(id), markReadAfterMs)
}

/** The server counts as read what it has sent as a page; what a socket brought it does not. */
async function markRead(id: string): Promise<void> {
  const known = queries.getQueryData<Chat>(['chat', id])
  if (!known) return
  await client.fez.get({ fezID: id, start: known.firstStart + known.posts.length, limit: 1 }).catch(() => undefined)
  refresh('numbers', 'chats')
}

whenArrived('fez', (answer, id) => {
  add(id, answer)
  refresh('chats')
})

/** In order, each once. */
function merge(before: readonly FezPostData[], more: readonly FezPostData[]): FezPostData[] {
  const known = new Set(before.map(({ postID }) => postID))
  return [...before, ...more.filter(({ postID }) => !known.has(postID))].sort((a, b) => a.postID - b.postID)
}

/** Does something to a chat and reads it again. */
export async function changeChat(id: string, work: () => Promise<unknown>): Promise<void> {
  await work()
  await queries.invalidateQueries({ queryKey: ['chat', id] })
  refresh('chats', 'numbers')
}

/** Takes a deleted post off the screen. */
export async function deletePost(id: string, postID: number): Promise<void> {
  await client.fez.removePost({ postID })
  queries.setQueryData<Chat>(['chat', id], (chat) => chat && { ...chat, posts: chat.posts.filter((post) => post.postID !== postID) })
}
