// Sessions of browsers end by themselves: unused for a month, and however much they are used at an absolute end. Two nodes that
// have them in memory, and a clock that leaps.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { systemClock } from '../../src/core/base/clock.ts'
import { createAccount, testPassword, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const dayMs = 24 * 60 * 60_000

/** What happens every minute happens when a test wants it, too. */
class MinuteClock extends LeapingClock {
  readonly #minutely: (() => void)[] = []

  override readonly every = (intervalMs: number, callback: () => void): (() => void) => {
    if (intervalMs === 60_000) this.#minutely.push(callback)
    return systemClock.every(intervalMs, callback)
  }

  minute(): void {
    for (const callback of this.#minutely) callback()
  }
}

const clock = new MinuteClock()
let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
})
after(() => nodes.stop())
beforeEach(() => onlySettings(nodes))

const headersOf = (node = 0) => ({ origin: nodes.urls[node] as string, 'x-session': 'cookie' })

/** A browser that is signed in, known to both nodes. */
async function browserOf({ username }: TestAccount) {
  const basic: [string, string] = [username, testPassword]
  const answer = await nodes.client().post('/auth/login', undefined, { basic, headers: headersOf() })
  assert.equal(answer.status, 200)
  const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
  const headers = (node: number) => ({ ...headersOf(node), cookie })
  const browser = {
    ask: (node: number) => nodes.client(undefined, node).get('/user/whoami', { headers: headers(node) }),
    seen: async () => [(await browser.ask(0)).status, (await browser.ask(1)).status],
    socket: (node: number) => nodes.client(undefined, node).socket('/notification/socket', headers(node)),
    devices: async () => (await body(nodes.client().get('/auth/sessions', { headers: headers(0) }))).sessions.length as number,
  }
  assert.deepEqual(await browser.seen(), [200, 200])
  return browser
}

/** Days in which the browser is used each week. */
async function use(browser: Awaited<ReturnType<typeof browserOf>>, days: number): Promise<void> {
  for (let day = 0; day < days; day += 7) {
    clock.leap(Math.min(7, days - day) * dayMs)
    assert.deepEqual(await browser.seen(), [200, 200], `on day ${day}`)
  }
  await noted(browser)
}

/**
 * A use is written after its answer, unless the one before is still being written: until then Postgres, and whoever lists the devices,
 * may think that the session is over.
 */
const noted = (browser: Awaited<ReturnType<typeof browserOf>>) =>
  until(async () => {
    await browser.ask(0)
    const [row] = await nodes.sql<{ noted: boolean }[]>`
      select max(last_seen_at) > ${new Date(clock.now() - dayMs)} as noted from browser_session`
    return row?.noted === true
  }, 'the use is noted')

describe('a session that both nodes have in memory', () => {
  it('ends a month after its last use', async () => {
    const browser = await browserOf(await createAccount(nodes.sql))
    await use(browser, 28)
    clock.leap(30 * dayMs + 1000)
    assert.deepEqual(await browser.seen(), [401, 401])
  })

  it('goes on where another node has seen it used', async () => {
    const browser = await browserOf(await createAccount(nodes.sql))
    clock.leap(20 * dayMs)
    assert.equal((await browser.ask(0)).status, 200)
    await noted(browser)
    clock.leap(20 * dayMs)
    assert.equal((await browser.ask(1)).status, 200)
  })

  it('ends 90 days after its sign-in, although it was used every week', async () => {
    const account = await createAccount(nodes.sql)
    const browser = await browserOf(account)
    await use(browser, 89)
    const fresh = await browserOf(account)
    assert.equal(await fresh.devices(), 2)
    clock.leap(dayMs + 1000)
    assert.deepEqual(await browser.seen(), [401, 401])
    assert.deepEqual(await fresh.seen(), [200, 200])
    assert.equal(await fresh.devices(), 1)
    const { browsers } = await body(admin.one.get(`/admin/users/${account.id}`))
    assert.equal(browsers.length, 1, 'hosts see no other one')
  })

  it('ends when the host says so, and counts again where the host takes that back', async () => {
    const browser = await browserOf(await createAccount(nodes.sql))
    await use(browser, 10)
    const set = (browserSessionDays: number) =>
      body(admin.two.post('/admin/serversettings/update', { browserSessionDays, enableFeatures: [], disableFeatures: [] }))
    await set(10)
    assert.deepEqual(await browser.seen(), [401, 401])
    await set(11)
    assert.deepEqual(await browser.seen(), [200, 200])
    for (const wrong of [0, 401]) {
      const change = { browserSessionDays: wrong, enableFeatures: [], disableFeatures: [] }
      assert.equal((await admin.one.post('/admin/serversettings/update', change)).status, 400)
    }
  })

  for (const [how, days] of [
    ['unused for a month', 30],
    ['at its absolute end', 90],
  ] as const) {
    it(`takes its sockets with it, ${how}; that of an app stays`, async () => {
      const account = await createAccount(nodes.sql)
      const browser = await browserOf(account)
      const sockets = [await browser.socket(0), await browser.socket(1)]
      if (days === 90) await use(browser, 84)
      clock.leap((days === 90 ? 6 : 30) * dayMs + 1000)
      // The next sign-in of anybody would remove its row.
      const app = await nodes.client(account.token, 1).socket('/notification/socket')
      clock.minute()
      for (const socket of sockets) assert.equal(await socket.closed(), 1001)
      await app.flushed()
      assert.ok(app.open)
    })
  }

  it('keeps its sockets when another node has seen it used', async () => {
    const browser = await browserOf(await createAccount(nodes.sql))
    const socket = await browser.socket(1)
    clock.leap(20 * dayMs)
    assert.equal((await browser.ask(0)).status, 200)
    await noted(browser)
    clock.leap(20 * dayMs)
    clock.minute()
    await socket.flushed()
    assert.ok(socket.open)
    assert.equal((await browser.ask(1)).status, 200)
    assert.ok(socket.open)
  })
})
