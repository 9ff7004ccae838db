// Who is signed in here. The page knows only a name and a level.
import { computed, signal } from '@preact/signals'
import type { CurrentUserData } from '../sdk/client.ts'
import { client, watchSession, whoami } from './client.ts'
import { clear, delMany, keys } from './device.ts'

export type Me = Pick<CurrentUserData, 'userID' | 'username' | 'accessLevel' | 'roles' | 'isSubAccount'>

const meKey = 'me'
const lastKey = 'last user'
const usedKey = 'used names'
/** Names of the answers that the first page shows. */
export const shownKey = 'shown first'
/** Who has signed out here while the server could not be told. */
const owedKey = 'signed out'
const maxUsed = 6
const tellAgainMs = 5000
const tellTimeoutMs = 8000

/** Undefined: nobody. */
export const me = signal<Me | undefined>(read())

/** False for accounts that may look but not write. */
export const mayWrite = computed(() => !['banned', 'unverified', 'quarantined'].includes(me.value?.accessLevel ?? 'banned'))
/** The team has two names: the product and the phone apps of today call it differently. */
export const isModerator = computed(() =>
  ['moderator', 'serviceteam', 'twitarrteam', 'tho', 'admin'].includes(me.value?.accessLevel ?? 'banned'),
)

/** A session has just begun or is being ended, and the next page is about to come. */
let changing = false

/** A sign-out here: `owed` until the server knows of it, then `told`. */
export const farewell = signal(localStorage.getItem(owedKey) === null ? undefined : ('owed' as 'owed' | 'told'))

watchSession(
  () => me.value?.userID,
  () => {
    if (!me.value || changing) return
    const here = read()
    if (here && here.userID !== me.value.userID) makeRoom()
    else void sessionOver()
  },
  tellFarewell,
)

// Another tab has ended the session, or begun that of somebody else.
addEventListener('storage', makeRoom)

/** The page of somebody makes room for whoever is signed in by now. */
function makeRoom(): void {
  const here = read()
  if (!me.value || changing || here?.userID === me.value.userID) return
  const { pathname } = location
  me.value = undefined
  // Without a network there may be no other page.
  if (!here && localStorage.getItem(owedKey) !== null) showDoor()
  else location.assign(here ? '/' : `/login?to=${pathname}`)
}

/** The session of this page is over. The browser forgets its answers, and all words when somebody has signed it out on purpose. */
async function sessionOver(): Promise<void> {
  changing = true
  const ended = `?ended&to=${location.pathname}`
  const answer = await client.auth.sessionsEnded({}, { retries: 0 }).catch((error: unknown) => error)
  // Whoever hears nothing does not know yet: the next request asks again.
  if ((answer as { status?: number }).status === 0) {
    changing = false
    return
  }
  if ((answer as { isSignedOut?: boolean }).isSignedOut) return leave('?elsewhere')
  // What was written and not sent stays for the next time the same person signs in, who comes back to where they were.
  await leave(ended, async () => delMany((await keys<string>()).filter((name) => name.startsWith('answer'))))
}

/** Ends this browser's session. Where the server cannot be told now, it is told before anything else as soon as it can. */
export async function signOut(): Promise<void> {
  changing = true
  localStorage.setItem(owedKey, me.value?.userID ?? '')
  await tellFarewell()?.catch(() => undefined)
  if (localStorage.getItem(owedKey) === null) return leave()
  await takeOff()
  farewell.value = 'owed'
  // It has just failed.
  tellLater()
}

/** Does something after which nobody is signed in here. When it fails, everything stays as it is. */
export async function end(work: () => Promise<unknown>): Promise<void> {
  changing = true
  try {
    await work()
  } catch (error) {
    changing = false
    throw error
  }
  await leave()
}

let telling: Promise<void> | undefined

/** Tells the server of a sign-out that it has not heard of, if there is one. */
function tellFarewell(): Promise<void> | undefined {
  const userID = localStorage.getItem(owedKey)
  return userID === null ? undefined : (telling ??= tell(userID).finally(() => (telling = undefined)))
}

async function tell(userID: string): Promise<void> {
  const { ok, status } = await fetch('/api/v3/auth/logout', {
    method: 'POST',
    headers: { 'X-Session': 'cookie', 'X-Session-User': userID },
    signal: AbortSignal.timeout(tellTimeoutMs),
  })
  // 401: the session is over already, or somebody else's.
  if (!ok && status !== 401) return
  localStorage.removeItem(owedKey)
  farewell.value = 'told'
}

let again: number | undefined

/** Until the server knows. */
function keepTelling(): void {
  clearTimeout(again)
  void tellFarewell()
    ?.catch(() => undefined)
    .then(tellLater)
}

function tellLater(): void {
  again = window.setTimeout(keepTelling, tellAgainMs)
}

addEventListener('online', keepTelling)
keepTelling()
// The page was closed in the middle of it.
if (me.value && localStorage.getItem(owedKey) === me.value.userID) void takeOff()

/** Opens a session with a name and a password; `there`: where it begins. */
export async function signIn(username: string, password: string, there?: string): Promise<void> {
  await client.auth.login({ username, password })
  await begin(there)
}

/** Names that were signed in with here, the last one first. */
export function usedHere(): string[] {
  return (localStorage.getItem(usedKey) ?? '').split(' ').filter((name) => name !== '')
}

/** In the web view of an app that is signed in: its session is this page's, too. False where there is none, or none any more. */
export async function beginInApp(): Promise<boolean> {
  if (me.value || !document.cookie.includes('app-signed-in=1')) return false
  return await begin(location.pathname === '/login' ? undefined : location.pathname + location.search).then(
    () => true,
    () => false,
  )
}

/** After any answer that has opened a session; goes to `there`, or to where somebody was led here from. */
export async function begin(there?: string): Promise<void> {
  changing = true
  const found = await whoami().catch((error: unknown) => {
    changing = false
    throw error
  })
  const { userID, username, needsSecondFactor } = found
  // Another person may have used this browser before. Who changes between accounts comes back to the posts that wait.
  if (!me.value && localStorage.getItem(lastKey) !== userID) await clear().catch(() => undefined)
  localStorage.setItem(lastKey, userID)
  localStorage.setItem(meKey, asMe(found))
  // The server has put this session in the place of that one.
  localStorage.removeItem(owedKey)
  localStorage.setItem(usedKey, [username, ...usedHere().filter((name) => name !== username)].slice(0, maxUsed).join(' '))
  // A new page: nothing of what was in memory before belongs to this person.
  const { origin, pathname, search } = location
  const to = needsSecondFactor ? '/account/secondFactor' : (there ?? new URLSearchParams(pathname === '/login' ? search : '').get('to'))
  // Somebody else may have made this address: it leads to no other site, and is no script.
  location.assign(origin + (to?.startsWith('/') ? to : '/'))
}

/** Asks the server who this is: levels and names change. */
export async function refreshMe(): Promise<void> {
  const now = await client.user.whoami()
  localStorage.setItem(
    usedKey,
    usedHere()
      .map((name) => (name === me.value?.username ? now.username : name))
      .join(' '),
  )
  const found = asMe(now)
  // The same person draws nothing again.
  if (found === JSON.stringify(me.value)) return
  me.value = JSON.parse(found) as Me
  localStorage.setItem(meKey, found)
}

const asMe = ({ userID, username, accessLevel, roles, isSubAccount }: CurrentUserData) =>
  JSON.stringify({ userID, username, accessLevel, roles, isSubAccount })

/** Shows the door in place of the page. */
function showDoor(more = ''): void {
  history.replaceState(null, '', `/login${more}`)
}

/** Goes to the door by a new page: nothing of what was in memory before belongs to whoever comes next. */
async function leave(more?: string, clean?: (username: string) => Promise<unknown>): Promise<void> {
  await takeOff(more, clean)
  location.assign(`/login${more ?? ''}`)
}

/** Takes the account off the page; `clean` removes what this device has kept of it. */
async function takeOff(more?: string, clean: (username: string) => Promise<unknown> = forget): Promise<void> {
  const { username = '' } = me.value ?? {}
  showDoor(more)
  localStorage.removeItem(meKey)
  localStorage.removeItem(shownKey)
  me.value = undefined
  await clean(username).catch(() => undefined)
}

async function forget(username: string): Promise<void> {
  localStorage.removeItem(lastKey)
  localStorage.setItem(
    usedKey,
    usedHere()
      .filter((name) => name !== username)
      .join(' '),
  )
  await clear()
}

function read(): Me | undefined {
  try {
    return (JSON.parse(localStorage.getItem(meKey) ?? 'null') as Me | null) ?? undefined
  } catch {
    return undefined
  }
}
