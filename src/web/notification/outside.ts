// Notices while nobody looks at the app: kept for the page of the last ones, and shown by the device through the service worker.
import { signal } from '@preact/signals'
import { navigate } from 'wouter-preact/use-browser-location'
import { calls } from 'calls-of-notices'
import { addCalls, client } from '../client.ts'
import { getMany, setMany } from '../device.ts'
import { listening, whenNoticed, type Notice } from '../live.ts'
import { waits } from '../kit/page.tsx'
import { me } from '../session.ts'
import { addTexts, t, translated, type TextKey } from '../texts.ts'
import en from '../texts/notices.en.json'
import { startClosed } from './closed.ts'
import type { ForWorker } from './for-worker.ts'
import { hrefOf, words } from './query.ts'
import { sentenceOf } from './sentence.ts'
import { isWanted, kindOf, wishes } from './wishes.ts'

addCalls(calls)
declare module '../texts.ts' {
  interface Books {
    notices: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/notices.de.json') } })

/** A notice as the page of the last ones has it. */
export interface KeptNotice extends Pick<Notice, 'type' | 'info' | 'contentID'> {
  at: number
}

const most = 100
/** The last ones, newest first. */
export const kept = signal<readonly KeptNotice[]>([])
const seenKey = 'notices seen'
/** When the page of the last ones was looked at. */
export const seenAt = signal(Number(localStorage.getItem(seenKey) ?? 0))

/** They have been looked at. */
export function seen(): void {
  seenAt.value = Date.now()
  localStorage.setItem(seenKey, String(seenAt.value))
}

const keyOf = (userID: string) => `notices ${userID}`

/** Follows the notices of whoever is signed in, for as long as the page is there. */
export async function startOutside(): Promise<void> {
  const user = me.value
  if (!user) return
  const [before] = await getMany<KeptNotice[] | undefined>([keyOf(user.userID)]).catch(() => [])
  kept.value = before ?? []
  whenNoticed((notice, isFirst) => {
    const kind = kindOf(notice.type)
    const { type, contentID } = notice
    if (type === 'phoneCallAnswered' || type === 'phoneCallEnded') return tell({ close: contentID })
    if (!kind || me.value?.userID !== user.userID) return
    const { info } = notice
    kept.value = [{ type, info, contentID, at: Date.now() }, ...kept.value].slice(0, most)
    // One tab hears for all.
    if (!isFirst) return
    void setMany([[keyOf(user.userID), kept.value]]).catch(() => undefined)
    if (document.visibilityState === 'hidden' && isWanted(kind, new Date())) showOutside(notice)
  })
  words.of = sentenceOfNotice
  waits.subscribe(showCount)
  startClosed()
  listening.subscribe((isOpen) => isOpen && tellClock())
  if ('serviceWorker' in navigator)
    navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
      if (data.open !== undefined) navigate(data.open)
    })
}

/** Shows one by the device, unless another tab is looked at. Further ones of the same place take its place. */
export function showOutside(notice: Pick<KeptNotice, 'type' | 'info' | 'contentID'>): void {
  const { type, contentID } = notice
  const { sound, vibration } = wishes.value
  const kind = kindOf(type) ?? 'announcements'
  const isCall = kind === 'calls'
  tell({
    show: {
      title: t(`notices.of.${kind}` as TextKey),
      body: sentenceOfNotice(notice),
      tag: isCall ? contentID : `${type} ${contentID}`,
      href: hrefOf(notice) ?? '/',
      silent: !sound,
      vibrate: vibration ? (isCall ? [400, 200, 400, 200, 400] : [200]) : [],
      stays: isCall,
    },
  })
}

const tellClockEveryMs = 10 * 60_000
let clockToldMs = -Infinity

/** So that the team hears when the server's clock is wrong. */
function tellClock(): void {
  if (performance.now() - clockToldMs < tellClockEveryMs) return
  clockToldMs = performance.now()
  client.client.clock({ now: new Date().toISOString() }).catch(() => undefined)
}

function tell(what: ForWorker): void {
  if (!('serviceWorker' in navigator)) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to the own worker has no other origin
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(what))
}

function showCount(count: number): void {
  const badge = navigator as Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>
  const done = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.()
  void done?.catch(() => undefined)
}

/** A notice in the reader's language. The server's sentence names who and what. */
export const sentenceOfNotice = ({ type, info }: Pick<KeptNotice, 'type' | 'info'>): string =>
  type === 'incomingPhoneCall' ? t('notices.calls', { name: info }) : sentenceOf({ type, info }, translated)
