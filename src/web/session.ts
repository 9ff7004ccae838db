// Who is signed in here. The page knows only a name and a level.
import { computed, signal } from '@preact/signals'
import { clear } from 'idb-keyval'
import type { CurrentUserData } from '../sdk/client.ts'
import { client, whenSignedOut } from './client.ts'

export type Me = Pick<CurrentUserData, 'userID' | 'username' | 'accessLevel' | 'roles'>

const meKey = 'me'
const lastKey = 'last user'
const usedKey = 'used names'
const maxUsed = 6

/** Undefined: nobody. */
export const me = signal<Me | undefined>(read())

/** False for accounts that may look but not write. */
export const mayWrite = computed(() => !['banned', 'unverified', 'quarantined'].includes(me.value?.accessLevel ?? 'banned'))
/** The team has two names: the product and the phone apps of today call it differently. */
export const isModerator = computed(() =>
  ['moderator', 'serviceteam', 'twitarrteam', 'tho', 'admin'].includes(me.value?.accessLevel ?? 'banned'),
)

whenSignedOut(() => {
  // Whoever signs in again comes back to where they were.
  if (me.value) leave(`?to=${location.pathname}`)
})

/** Opens a session with a name and a password. */
export async function signIn(username: string, password: string): Promise<void> {
  await client.auth.login({ username, password })
  await begin()
}

/** Names that were signed in with here, the last one first. */
export function usedHere(): string[] {
  return (localStorage.getItem(usedKey) ?? '').split(' ').filter((name) => name !== '')
}

/** After any answer that has opened a session. */
export async function begin(): Promise<void> {
  const { userID, username, accessLevel, roles } = await client.user.whoami()
  // Another person may have used this browser before.
  if (localStorage.getItem(lastKey) !== userID) await clear().catch(() => undefined)
  localStorage.setItem(lastKey, userID)
  localStorage.setItem(meKey, JSON.stringify({ userID, username, accessLevel, roles }))
  localStorage.setItem(usedKey, [username, ...usedHere().filter((name) => name !== username)].slice(0, maxUsed).join(' '))
  // A new page: nothing of what was in memory before belongs to this person.
  const { pathname, search } = location
  location.assign(pathname === '/login' ? (new URLSearchParams(search).get('to') ?? '/') : '/')
}

/** Ends this browser's session, and removes what it has kept. */
export async function signOut(): Promise<void> {
  await end(() => client.auth.logout().catch(() => undefined))
}

/** The same on all devices, apps included. */
export async function signOutEverywhere(): Promise<void> {
  await end(() => client.auth.logoutEverywhere().catch(() => undefined))
}

/** Does something after which nobody is signed in here, and removes what this browser has kept. */
export async function end(logout: () => Promise<void>): Promise<void> {
  await logout()
  await clear().catch(() => undefined)
  localStorage.removeItem(lastKey)
  localStorage.setItem(
    usedKey,
    usedHere()
      .filter((name) => name !== me.value?.username)
      .join(' '),
  )
  leave()
}

/** Asks the server who this is: levels and names change. */
export async function refreshMe(): Promise<void> {
  const { userID, username, accessLevel, roles } = await client.user.whoami()
  localStorage.setItem(
    usedKey,
    usedHere()
      .map((name) => (name === me.value?.username ? username : name))
      .join(' '),
  )
  const found = JSON.stringify({ userID, username, accessLevel, roles })
  // The same person draws nothing again.
  if (found === JSON.stringify(me.value)) return
  me.value = JSON.parse(found) as Me
  localStorage.setItem(meKey, found)
}

/** What was written and not sent stays for the next time the same person signs in. */
function leave(to = ''): void {
  localStorage.removeItem(meKey)
  me.value = undefined
  location.assign(`/login${to}`)
}

function read(): Me | undefined {
  try {
    return (JSON.parse(localStorage.getItem(meKey) ?? 'null') as Me | null) ?? undefined
  } catch {
    return undefined
  }
}
