// Signing out: afterwards this browser has nothing of the account any more.
import { client } from '../client.ts'
import { clear } from '../device.ts'
import { lastKey, leave, me, usedHere, usedKey } from '../session.ts'

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
