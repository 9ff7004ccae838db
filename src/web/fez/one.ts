// One chat, with its posts as they come.
import { useEffect, useRef, useState } from 'preact/hooks'
import { signal } from '@preact/signals'
import type { FezData, FezPostData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { asked } from '../kit/asked.ts'
import { readOn } from '../kit/read-on.ts'
import { whenArrived } from '../outbox.ts'
import { me } from '../session.ts'
import { queries, refresh, useQuery } from '../store.ts'
import type { LookedFor } from './parts.tsx'

const earlierSize = 200
const latestSize = 200
/** What was on the screen for so long was read. */
const readAfterMs = 800

/** A chat and the posts of it that are here: all from `firstStart` on, but for so many `later` ones. */
export interface Chat extends FezData {
  posts: FezPostData[]
  firstStart: number
  later: number
}

/** The others who look at the chat that is on the screen. */
export const watchers = signal<readonly UserHeader[]>([])

/** The post that the address leads to. */
export function lookedFor(): LookedFor | undefined {
  const [postID, place] = [asked('post'), asked('at')]
  return /^\d{1,9}$/.test(postID) && /^\d{1,9}$/.test(place) ? { postID: Number(postID), place: Number(place) } : undefined
}

/**
 * One chat, kept up to date by its socket for as long as it is on the screen.
 *
 * @param at the place of a post that has to be here.
 */
export function useChat(id: string, at?: number) {
  const result = useQuery({ queryKey: ['chat', id], queryFn: () => readChat(id, at) })
  const isMember = result.data?.members !== undefined
  const [isOpen, setOpen] = useState(false)
  const { data } = result
  const isHere = isOpen || data === undefined || beginsRight(data, at)
  useEffect(() => {
    if (isHere) return setOpen(data !== undefined)
    void result.refetch().finally(() => setOpen(true))
  }, [isHere, data === undefined])
  useEffect(() => {
    if (!isMember) return
    const stop = new AbortController()
    void listen(id, stop.signal)
    return () => {
      stop.abort()
      watchers.value = []
    }
  }, [id, isMember])
  return isHere ? result : { ...result, data: undefined }
}

/** The first of the new posts, and how many there are. */
export interface FirstNew {
  postID: number
  count: number
}

/**
 * Where the new posts began when this page was opened; it stays there while one reads on. Until the server has answered, it is where
 * they began at the last visit.
 */
export function useFirstNew(chat: Chat | undefined): { firstNew: FirstNew | undefined; isAnswered: boolean } {
  const answered = useRef<FirstNew | null>()
  if (answered.current === undefined && chat?.members) {
    const found = firstNewIn(chat, chat.members)
    const updatedAt = queries.getQueryState(['chat', chat.fezID])?.dataUpdatedAt ?? 0
    const isAnswered = updatedAt > performance.timeOrigin && Date.now() - updatedAt < 5000
    if (!isAnswered) return { firstNew: found, isAnswered }
    answered.current = found ?? null
  }
  return { firstNew: answered.current ?? undefined, isAnswered: answered.current !== undefined }
}

function firstNewIn({ posts, firstStart }: Chat, { readCount, postCount }: NonNullable<FezData['members']>): FirstNew | undefined {
  const unread = posts.slice(Math.max(0, readCount - firstStart))
  const own = unread.filter(({ author }) => author.userID === me.value?.userID).length
  const count = postCount - readCount - own
  const [first] = unread
  // Those between what was read and a post that was looked for may not be here.
  return first && count > 0 && readCount >= firstStart ? { postID: first.postID, count } : undefined
}

/** Of what was read before a post that somebody looks for. */
const beforeLookedFor = 30

/** Whether what is here of a chat is what it opens with. What is new may begin before a post that was looked for. */
function beginsRight({ firstStart, posts, members }: Chat, at: number | undefined): boolean {
  if (!members) return true
  return at === undefined ? firstStart <= members.readCount : at >= firstStart && at < firstStart + posts.length
}

/** Where to read on from; undefined for the page with the first new post. */
function begun(chat: Chat | undefined, at: number | undefined): Pick<Chat, 'firstStart' | 'posts'> | undefined {
  if (chat?.members && beginsRight(chat, at)) return chat
  return at === undefined ? undefined : { firstStart: Math.max(0, at - beforeLookedFor), posts: [] }
}

/** Reads from the first post that is here, or from the page with the first new post, or that was looked for, to the last. */
async function readChat(id: string, at?: number): Promise<Chat> {
  const known = queries.getQueryData<Chat>(['chat', id])
  const { first, items, firstStart, later } = await readOn(
    (page) => client.fez.get({ fezID: id, peek: true, ...page }),
    ({ members }) => ({ items: members?.posts ?? [], start: members?.paginator?.start ?? 0, total: members?.postCount ?? 0 }),
    begun(known, at),
  )
  // What a socket brings while something between is not here would look like the next post.
  const arrived = later > 0 ? [] : arrivedSince(id, known?.posts, items.at(-1)?.postID ?? 0)
  return { ...first, posts: sameAs(known?.posts, [...items, ...arrived]), firstStart, later }
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
    () => client.fez.get({ fezID: id, peek: true, start, limit: known.firstStart - start }),
    (chat, { members }) => ({ ...chat, posts: merge(members?.posts ?? [], chat.posts), firstStart: start }),
  )
}

/** The page after the last post that is here. */
export async function readLater(id: string): Promise<void> {
  const known = queries.getQueryData<Chat>(['chat', id])
  if (!known || known.later === 0) return
  const start = known.firstStart + known.posts.length
  await queries.extend<Chat, FezData>(
    ['chat', id],
    () => client.fez.get({ fezID: id, peek: true, start, limit: latestSize }),
    (chat, { members }) => {
      const more = members?.posts ?? []
      const later = more.length === 0 ? 0 : Math.max(0, (members?.postCount ?? 0) - start - more.length)
      return { ...chat, posts: merge(chat.posts, more), later }
    },
  )
}

/** The last posts in place of those that are here, when there are others between. */
export async function readLatest(id: string): Promise<void> {
  const known = queries.getQueryData<Chat>(['chat', id])
  if (!known?.members || known.later === 0) return
  const total = known.firstStart + known.posts.length + known.later
  await queries.extend<Chat, FezData>(
    ['chat', id],
    () => client.fez.get({ fezID: id, peek: true, start: Math.max(0, total - latestSize), limit: 2 * latestSize }),
    (chat, { members }) => ({ ...chat, posts: members?.posts ?? [], firstStart: members?.paginator?.start ?? 0, later: 0 }),
  )
}

async function listen(id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const known = queries.getQueryData<Chat>(['chat', id])
      const after = known?.later === 0 ? known.posts.at(-1)?.postID : undefined
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

function add(id: string, { postID, author, text, timestamp, image, imageSize }: FezPostData): void {
  const post = { postID, author, text, timestamp, ...(image && { image }), ...(imageSize && { imageSize }) }
  queries.setQueryData<Chat>(
    ['chat', id],
    (chat) => chat && (chat.later > 0 ? { ...chat, later: chat.later + 1 } : { ...chat, posts: merge(chat.posts, [post]) }),
  )
}

let marking: number | undefined
/** The last post of each chat that the server knows to be read. */
const marked = new Map<string, number>()

/** Notes that a post is on the screen: it is read, and all before it, when it stays there. */
export function noteSeen(id: string, postID: number): void {
  clearTimeout(marking)
  if (postID <= (marked.get(id) ?? 0) || document.visibilityState !== 'visible') return
  marking = window.setTimeout(() => void markRead(id, postID), readAfterMs)
}

function withRead(chat: Chat, upTo: number): Chat {
  const { members, posts, firstStart } = chat
  const readCount = firstStart + posts.filter(({ postID }) => postID <= upTo).length
  return members && members.readCount < readCount ? { ...chat, members: { ...members, readCount } } : chat
}

async function markRead(fezID: string, upTo: number): Promise<void> {
  try {
    await client.fez.markRead({ fezID, upTo })
    marked.set(fezID, upTo)
    queries.setQueryData<Chat>(['chat', fezID], (chat) => chat && withRead(chat, upTo))
    refresh('numbers', 'chats')
  } catch {
    // A moderator who is no member has no mark. Without a network it is done when something else is seen.
  }
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
