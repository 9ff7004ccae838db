// Posts that wait for the network. They are kept in IndexedDB, each by itself as there may be several tabs, sent in order, and
// each exactly once: the server recognises a repetition by its key. What pages show and do about them is in letters.ts.
import { batch, computed, signal } from '@preact/signals'
import type { Bytes, CallOptions, PostContentData } from '../sdk/client.ts'
import { client, isFault, isRefusal, isSlow, newKey, sentenceOf } from './client.ts'
import { delMany, getMany, keys, setMany } from './device.ts'
import { me } from './session.ts'
import { t } from './texts.ts'

/** Where a post can go, and how. */
const senders = {
  fez: (id: string, content: PostContentData, options: CallOptions) => client.fez.post({ fezID: id, ...content }, options),
  forum: (id: string, content: PostContentData, options: CallOptions) => client.forum.post({ forum_id: id, ...content }, options),
  microblog: (_: string, content: PostContentData, options: CallOptions) => client.microblog.create(content, options),
  reply: (id: string, content: PostContentData, options: CallOptions) =>
    client.microblog.reply({ post_id: Number(id), ...content }, options),
}
export type Place = keyof typeof senders
type Answer<P extends Place> = Awaited<ReturnType<(typeof senders)[P]>>

export type Team = 'moderator' | 'serviceteam'

/** Where a letter goes, beside its words. */
export interface PostPlace {
  place: Place
  /** Of the chat, forum or post; empty for the microblog. */
  id: string
  as?: Team | undefined
  /** Id of the last post that is there. */
  after?: number | undefined
}

/** Letters that are more than words: the server makes their posts of something else, whose beginning are the words. */
export interface LetterKind<More, Answer extends object = object> {
  /** Of the folder that adds it. */
  name: string
  send: (more: More, to: { place: Place; id: string; team: TeamFields }, options: CallOptions) => Promise<Answer>
  /** Called just before the letter goes. */
  arrived(answer: Answer): void
}
type TeamFields = { postAsModerator?: true; postAsServiceTeam?: true }

/** A post that is written and not yet with the server. */
export interface Letter {
  key: string
  place: Place
  /** Of the chat, forum or post. */
  id: string
  authorID: string
  text: string
  /** An earlier version has left base64. */
  images: Bytes[]
  /** What is to be seen in them, in their order. */
  alts?: readonly (string | undefined)[]
  /** In the name of a team. */
  as?: Team
  /** Name of its kind, where it is more than its words. */
  kind?: string
  /** What its kind sends. */
  more?: unknown
  writtenAt: string
  /** Id of the last post that was there when this was written. */
  after: number
  /** When it first left, in milliseconds since 1970: its post may be back, by the socket, before the answer is. */
  sentAt?: number | undefined
  /** Slow mode: not before this moment, in milliseconds since 1970. */
  notBefore?: number | undefined
  /** The server's own sentence when it does not want it. */
  refused?: string | undefined
}

export const letters = signal<readonly Letter[]>([])
/** Shares of letters with pictures that have left, by their keys. */
export const shares = signal<Readonly<Record<string, number>>>({})
export const mine = computed(() => letters.value.filter(({ authorID }) => authorID === me.value?.userID))

/** When the last post to each place was taken: slow mode counts from then. It is kept for pages that come later. */
export const taken = signal<Readonly<Record<string, number>>>({})
/** Replies and posts of the microblog are one place for slow mode. */
export const paceKey = (place: Place, id: string) => (place === 'reply' || place === 'microblog' ? 'microblog' : `${place} ${id}`)

/** Slow mode of a place has changed: what waits for its time may go now. */
export function slowModeChanged(key: string): void {
  change(
    letters.value.map((letter) =>
      letter.notBefore && paceKey(letter.place, letter.id) === key ? { ...letter, notBefore: undefined } : letter,
    ),
  )
  void deliver()
}

const longestDelayMs = 30_000
const shortestDelayMs = 1000
/** A day after the first attempt the server does not recognise a repetition any more. */
const recognisedMs = 23 * 60 * 60_000
/** Slow mode is never slower. */
const slowestMs = 60 * 60_000
const takenKey = 'taken'
/** Of the names of letters in the store. */
const prefix = 'letter '
/** Letters that the server could not take, by their keys: not again before these moments, in milliseconds since 1970. */
const retryAt = new Map<string, number>()
/** Letters that went here. */
const gone = new Set<string>()
/** By name. */
const kinds = new Map<string, LetterKind<never>>()
const arrived: { [P in Place]?: (answer: never, id: string) => void } = {}
let sending: Promise<void> | undefined
let failures = 0
let timer: number | undefined

/** Calls `run` with the answer to each letter, just before the letter goes. */
export function whenArrived<P extends Place>(place: P, run: (answer: Answer<P>, id: string) => void): void {
  arrived[place] = run as (typeof arrived)[P]
}

/** Makes a kind of letters known. Those that an earlier page has left wait for it. */
export function addLetterKind<More, Answer extends object>(kind: LetterKind<More, Answer>): LetterKind<More, Answer> {
  kinds.set(kind.name, kind)
  void deliver()
  return kind
}

/** Takes a letter: it can be shown when this returns, and is on its way. */
export function send<More>(
  place: Place,
  id: string,
  text: string,
  pictures: readonly { image: Bytes; alt?: string }[] = [],
  { after = 0, as, kind, more }: Omit<PostPlace, 'place' | 'id'> & { kind?: LetterKind<More>; more?: More } = {},
): void {
  if (!me.value) return
  const letter: Letter = {
    key: newKey(),
    place,
    id,
    authorID: me.value.userID,
    text,
    images: pictures.map(({ image }) => image),
    alts: pictures.map(({ alt }) => alt),
    writtenAt: new Date().toISOString(),
    after,
    ...(as && { as }),
    ...(kind && { kind: kind.name, more }),
  }
  letters.value = [...letters.value, letter]
  // First its writer sees it.
  setTimeout(() => {
    keepLetters([letter])
    void deliver()
  })
}

/** Brings back what earlier pages left, and watches for the network. */
export async function openOutbox(): Promise<void> {
  const [[before]] = await Promise.all([getMany<typeof taken.value>([takenKey]).catch(() => []), findLetters()])
  taken.value = { ...before, ...taken.value }
  const lookAgain = () => {
    retryAt.clear()
    void findLetters().then(deliver)
  }
  addEventListener('online', lookAgain)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') lookAgain()
  })
  // The first picture does not wait for the network.
  void deliver()
}

/** Takes letters that other tabs have left in the store: these may be closed by now. */
export async function findLetters(): Promise<void> {
  // In the order of their names: the oldest first.
  const names = (await keys<string>().catch(() => [])).filter((name) => name.startsWith(prefix))
  const kept = (await getMany<Letter | undefined>(names).catch(() => [])) as Letter[]
  const found = kept.filter((letter) => letter && !gone.has(letter.key) && letters.value.every(({ key }) => key !== letter.key))
  letters.value = [...found, ...letters.value]
}

/** Shows these, and keeps what is different about them. */
export function change(next: readonly Letter[]): void {
  const before = letters.value
  letters.value = next
  keepLetters(next.filter((letter) => !before.includes(letter)))
  const removed = before.filter(({ key }) => next.every((letter) => letter.key !== key))
  for (const { key } of removed) gone.add(key)
  void delMany(removed.map(nameOf)).catch(() => undefined)
}

function keepLetters(changed: readonly Letter[]): void {
  // Somebody who has signed out leaves nothing behind.
  if (!me.value) return
  void setMany(changed.map((letter) => [nameOf(letter), letter])).catch(() => undefined)
}

const nameOf = ({ writtenAt, key }: Letter) => `${prefix}${writtenAt} ${key}`

function noteTaken(place: string): void {
  const now = Date.now()
  const recent = Object.entries(taken.value).filter(([, at]) => now - at < slowestMs)
  taken.value = { ...Object.fromEntries(recent), [place]: now }
  if (me.value) void setMany([[takenKey, taken.value]]).catch(() => undefined)
}

/** Tries everything that may go now, once more; resolves when it was tried. */
export async function deliverNow(): Promise<void> {
  retryAt.clear()
  // It may have passed them already.
  await sending
  await deliver()
}

/** One at a time. Without a network all wait; a letter that the server does not take now keeps those to the same place waiting. */
export function deliver(): Promise<void> {
  return (sending ??= deliverAll().finally(() => (sending = undefined)))
}

async function deliverAll(): Promise<void> {
  clearTimeout(timer)
  try {
    for (let letter = next(); letter; letter = next()) await deliverOne(letter)
    failures = 0
    const soonest = Math.min(...mine.value.map((letter) => (letter.refused ? Infinity : waitsUntil(letter) || Infinity)))
    if (soonest < Infinity) timer = window.setTimeout(() => void deliver(), soonest - Date.now() + 50)
  } catch {
    failures++
    timer = window.setTimeout(() => void deliver(), 500 + Math.random() * Math.min(longestDelayMs, 1000 * 2 ** failures))
  }
}

/** The oldest that may go. Those behind one that has to wait for its place wait too. */
function next(): Letter | undefined {
  const closed = new Set<string>()
  return mine.value.find((letter) => {
    const { refused, place, id, kind } = letter
    if (refused !== undefined) return false
    if (waitsUntil(letter) > Date.now() || (kind && !kinds.has(kind))) closed.add(place + id)
    return !closed.has(place + id)
  })
}

/** 0 when it waits for nothing, also when the clock of this device has been set back since. */
function waitsUntil({ key, notBefore = 0 }: Letter): number {
  const until = Math.max(notBefore, retryAt.get(key) ?? 0)
  return until - Date.now() > slowestMs ? 0 : until
}

async function deliverOne({ key, place, id, text, images, alts, as, kind, more, sentAt = Date.now() }: Letter): Promise<void> {
  const note = (of: Partial<Letter>) => change(letters.value.map((letter) => (letter.key === key ? { ...letter, ...of } : letter)))
  if (Date.now() - sentAt > recognisedMs) return note({ refused: t('mayHaveArrived') })
  try {
    note({ sentAt })
    const team: TeamFields = as ? (as === 'moderator' ? { postAsModerator: true } : { postAsServiceTeam: true }) : {}
    const content = { text, images: images.map((image, index) => ({ image, ...(alts?.[index] && { alt: alts[index] }) })), ...team }
    const onProgress = (share: number) => (shares.value = { [key]: share })
    const options = { idempotencyKey: key, retries: 0, ...(images.length > 0 && { onProgress }) }
    const special = kind === undefined ? undefined : kinds.get(kind)
    const answer: object = await (special?.send(more as never, { place, id, team }, options) ?? senders[place](id, content, options))
    const postID = 'postID' in answer ? Number(answer.postID) : 0
    batch(() => {
      noteTaken(paceKey(place, id))
      if (special) special.arrived(answer)
      else arrived[place]?.(answer as never, id)
      // A further letter of the same words is another post.
      const others = letters.value.filter((letter) => letter.key !== key)
      change(
        others.map((letter) =>
          letter.place === place && letter.id === id ? { ...letter, after: Math.max(letter.after, postID) } : letter,
        ),
      )
    })
  } catch (error) {
    if (isSlow(error)) {
      return note({ notBefore: Date.now() + (error.retryAfter ?? 1) * 1000 })
    }
    if (isFault(error)) {
      // Twice as long each time, and phones that were refused together do not come back together.
      const delayMs = Math.min(longestDelayMs, Math.max(shortestDelayMs, Date.now() - sentAt))
      retryAt.set(key, Date.now() + 1000 * (error.retryAfter ?? 0) + delayMs * (0.5 + Math.random() / 2))
      return
    }
    if (!isRefusal(error)) throw error
    note({ refused: sentenceOf(error) })
  } finally {
    if (images.length > 0) shares.value = {}
  }
}
