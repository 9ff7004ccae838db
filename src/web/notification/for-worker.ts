// What pages tell the service worker: to show a notice, and in which words to show those that come while the app is closed.

/** What a page asks for: a notice on the device's screen, or that one goes again. */
export type ForWorker = { show: OutsideNotice } | { close: string }

interface OutsideNotice {
  title: string
  body: string
  /** The next with the same takes its place. */
  tag: string
  /** Where a tap leads. */
  href: string
  silent: boolean
  vibrate: readonly number[]
  /** Until somebody answers. */
  stays: boolean
}

/** The cache, and the name in it. */
export const wordsCache = 'push words'
export const wordsPath = '/push-words'
export interface PushWords {
  /** By type; `{id}` in the address is what it is about. */
  types: Record<string, { title: string; href: string }>
  /** Where the notice does not say what was written. */
  body: string
  /** Of notices in the reader's language; none in English. */
  sentences: Record<string, string>
  isSilent: boolean
}
