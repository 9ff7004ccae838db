// Who is signed in here. The page knows only a name and a level.
import { computed, signal } from '@preact/signals'
import type { CurrentUserData } from '../sdk/client.ts'
import { client, watchSession, whoami } from './client.ts'
import { clear } from './device.ts'

export type Me = Pick<CurrentUserData, 'userID' | 'username' | 'accessLevel' | 'roles'>

const meKey = 'me'
export const lastKey = 'last user'
export const usedKey = 'used names'
const maxUsed = 6

/** Undefined: nobody. */
export const me = signal<Me | undefined>(read())

/** False for accounts that may look but not write. */
export const mayWrite = computed(() => !['banned', 'unverified', 'quarantined'].includes(me.value?.accessLevel ?? 'banned'))
/** The team has two names: the product and the phone apps of today call it differently. */
export const isModerator = computed(() =>
  ['moderator', 'serviceteam', 'twitarrteam', 'tho', 'admin'].includes(me.value?.accessLevel ?? 'banned'),
)

/** A session has just begun, and the next page is about to. */
let begun = false

watchSession(
  () => me.value?.userID,
  () => {
    if (!me.value || begun) return
    const here = read()
    if (here && here.userID !== me.value.userID) makeRoom()
    // Whoever signs in again comes back to where they were.
    else leave(`?ended&to=${location.pathname}`)
  },
)

// Another tab has ended the session, or begun that of somebody else.
addEventListener('storage', makeRoom)

/** The page of somebody makes room for whoever is signed in by now. */
function makeRoom(): void {
  const here = read()
  if (!me.value || begun || here?.userID === me.value.userID) return
  me.value = undefined
  location.assign(here ? '/' : `/login?to=${location.pathname}`)
}

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
  begun = true
  const { userID, username, accessLevel, roles } = await whoami().catch((error: unknown) => {
    begun = false
    throw error
  })
  // Another person may have used this browser before. Who changes between accounts comes back to the posts that wait.
  if (!me.value && localStorage.getItem(lastKey) !== userID) await clear().catch(() => undefined)
  localStorage.setItem(lastKey, userID)
  localStorage.setItem(meKey, JSON.stringify({ userID, username, accessLevel, roles }))
  localStorage.setItem(usedKey, [username, ...usedHere().filter((name) => name !== username)].slice(0, maxUsed).join(' '))
  // A new page: nothing of what was in memory before belongs to this person.
  const { origin, pathname, search } = location
  const to = new URLSearchParams(pathname === '/login' ? search : '').get('to')
  // Somebody else may have made this address: it leads to no other site, and is no script.
  location.assign(origin + (to?.startsWith('/') ? to : '/'))
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
export function leave(to = ''): void {
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
