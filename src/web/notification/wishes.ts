// Which notices somebody wants outside of the app, on this device.
import { signal } from '@preact/signals'
import { me } from '../session.ts'
import { clockField } from '../kit/time.ts'

/** What notices are about, with the server's types of each. */
export const kinds = {
  messages: ['seamailUnreadMsg', 'fezUnreadMsg', 'privateEventUnreadMsg'],
  groups: ['addedToSeamail', 'addedToLFG', 'addedToPrivateEvent', 'lfgCanceled', 'privateEventCanceled'],
  mentions: ['twarrtMention', 'forumMention', 'alertwordTwarrt', 'alertwordPost'],
  starts: ['followedEventStarting', 'joinedLFGStarting', 'personalEventStarting'],
  announcements: ['announcement'],
  calls: ['incomingPhoneCall'],
  // Of the team alone.
  incidents: ['incident'],
} as const
export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[]

/** Undefined for what is no notice for people. */
export const kindOf = (type: string): Kind | undefined => kindNames.find((kind) => (kinds[kind] as readonly string[]).includes(type))

export interface Wishes {
  /** Outside of the app at all. */
  isOn: boolean
  without: readonly Kind[]
  sound: boolean
  vibration: boolean
  /** Nothing is shown from the one time to the other, as `22:30`. */
  quiet?: { from: string; to: string } | undefined
  /** Also while the app is closed, by a push service. */
  closed?: boolean
}

const usual: Wishes = { isOn: false, without: [], sound: true, vibration: true }
const keyOf = (userID: string | undefined) => `notices ${userID}`

/** Those of whoever is signed in. */
export const wishes = signal<Wishes>(usual)
me.subscribe((user) => (wishes.value = { ...usual, ...(JSON.parse(localStorage.getItem(keyOf(user?.userID)) ?? '{}') as Wishes) }))

export function wish(change: Partial<Wishes>): void {
  wishes.value = { ...wishes.value, ...change }
  localStorage.setItem(keyOf(me.value?.userID), JSON.stringify(wishes.value))
}

/** Whether one of this kind is to be shown outside of the app at that moment. */
export function isWanted(kind: Kind, at: Date): boolean {
  const { isOn, without, quiet } = wishes.value
  return isOn && !without.includes(kind) && !(quiet && isWithin(quiet, clockField(at)))
}

/** Also over midnight. */
const isWithin = ({ from, to }: { from: string; to: string }, time: string) =>
  from <= to ? time >= from && time < to : time >= from || time < to

/** Why nothing can be shown outside of this page, if that is so. */
export function obstacle(): 'insecure' | 'unknown' | 'refused' | undefined {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('Notification' in window)) return 'unknown'
  return Notification.permission === 'denied' ? 'refused' : undefined
}
