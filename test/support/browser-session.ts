// A browser that is signed in by its cookie, without a browser.
import { testPassword } from './accounts.ts'
import type { TestNodes } from './app.ts'
import type { Person } from './fez.ts'

/** The cookie of a browser that somebody has signed in. */
export async function cookieOf(nodes: TestNodes, { one, username }: Person): Promise<string> {
  const login = await one.post('/auth/login', undefined, {
    basic: [username, testPassword],
    headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
  })
  return String(login.headers['set-cookie']).split(';')[0] as string
}

/** The notification socket of a browser of somebody, at the second node: it gets what apps do not. */
export async function browserSocket(nodes: TestNodes, person: Person) {
  const cookie = await cookieOf(nodes, person)
  return await nodes.client(undefined, 1).socket('/notification/socket', { cookie, origin: nodes.urls[1] as string })
}
