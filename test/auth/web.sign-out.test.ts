// Leaving a browser: with and without a network, with posts that wait, from elsewhere. What the device keeps of the account after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { go, listens, settled, storeOf, webTests, write } from '../support/web.ts'

const web = webTests()
const offline = { expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|WebSocket/ }

const sessionsOf = async ({ id }: Person): Promise<number> =>
  (await web.nodes.sql`select from browser_session where account_id = ${id}`).length

const localOf = (page: Page) => page.evaluate<Record<string, string>>('({ ...localStorage })')

/** Nothing on the device says whose it was. */
async function isClean(page: Page, { id, username }: Person): Promise<void> {
  let left = ''
  const look = async () => {
    left = JSON.stringify([await storeOf(page), await localOf(page)])
    return left.startsWith('[{},') && [id, username].every((word) => !left.toLowerCase().includes(word.toLowerCase()))
  }
  // A new page may come meanwhile.
  await until(() => look().catch(() => false), 'nothing is left', 10_000).catch(() => assert.equal(left, ''))
}

/** Calls of the API that the page makes from now on, as `POST /auth/login`. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const [, path] = /\/api\/v3([^?]*)/.exec(request.url()) ?? []
    if (path !== undefined) calls.push(`${request.method()} ${path}`)
  })
  return calls
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
const everywhere = (page: Page) => page.getByRole('button', { name: 'Sign out everywhere' }).click()
const atDoor = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor()

async function signInAt(page: Page, { username }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Somebody at their settings, whose device has kept a chat and the first page. */
async function someoneAtSettings(options: object = {}) {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(sam.one, [heidi], { title: 'Only for Heidi' })
  await say(sam.one, chat, 'A secret')
  const { page, context } = await web.openAs(heidi.username, { ...offline, ...options })
  await go(page, `/seamail/${chat}`)
  await page.getByText('A secret').waitFor()
  await go(page, '/account')
  await page.getByText('Sign out everywhere').waitFor()
  const kept = async () => JSON.stringify(await storeOf(page))
  await until(async () => (await kept()).includes('A secret'), 'the chat is kept')
  return { heidi, sam, chat, page, context, kept }
}

test('signing out leaves nothing on the device, the names of answers of the first page included', async () => {
  const { heidi, page } = await someoneAtSettings()
  await go(page, '/')
  await page.getByText('Waits for you').waitFor()
  await until(async () => 'shown first' in (await localOf(page)), 'what the first page shows is noted')
  const { 'shown first': shown = '' } = await localOf(page)
  assert.ok(!shown.includes(heidi.id) && !shown.toLowerCase().includes(heidi.id), shown)
  // A page that is left writes once more.
  await go(page, '/account')
  await signOut(page)
  await page.waitForURL(/\/login$/)
  await atDoor(page)
  await isClean(page, heidi)
  assert.equal(await sessionsOf(heidi), 0)
  assert.ok(!(await page.locator('main').innerText()).includes('server'))
})

test('signing out without a network says so, is remembered, and goes before everything else when the network is back', async () => {
  const { heidi, page, context } = await someoneAtSettings()
  await context.setOffline(true)
  await signOut(page)
  await page.getByText('the server does not know yet').waitFor()
  await atDoor(page)
  assert.equal(await sessionsOf(heidi), 1)
  await until(async () => Object.keys(await storeOf(page)).length === 0, 'the words are gone')
  const { 'signed out': owed, ...others } = await localOf(page)
  assert.equal(owed?.toLowerCase(), heidi.id)
  assert.ok(!JSON.stringify(others).toLowerCase().includes(heidi.id))
  const calls = callsOf(page)
  await context.setOffline(false)
  await page.getByText('The server knows by now').waitFor()
  assert.equal(calls[0], 'POST /auth/logout')
  assert.equal(await sessionsOf(heidi), 0)
  await isClean(page, heidi)
})

test('it is remembered by a page that is opened later, and precedes the sign-in of the next person', async () => {
  // Routes do not see what goes through a worker.
  const { heidi, sam, page, context } = await someoneAtSettings({ serviceWorkers: 'block' })
  // A call that a route holds gets through when its page is closed: here it is the server that refuses.
  const { sql } = web.nodes
  await sql`create function refused() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`
  await sql`create trigger refused before delete on browser_session for each row execute function refused()`
  await signOut(page)
  await page.getByText('the server does not know yet').waitFor()
  await page.close()
  let restarting = true
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => (release = resolve))
  await context.route('**/api/v3/auth/logout', (route) =>
    restarting
      ? route.fulfill({ status: 503, json: { error: true, reason: 'The server is restarting.' } })
      : held.then(() => route.continue()),
  )
  const later = await context.newPage()
  const calls = callsOf(later)
  await Promise.all([later.waitForResponse(/auth\/logout$/), later.goto('/')])
  await later.getByText('the server does not know yet').waitFor()
  assert.equal(await sessionsOf(heidi), 1)
  await sql`drop function refused cascade`
  restarting = false
  const before = calls.length
  await signInAt(later, sam)
  await until(() => calls.length > before, 'it is told first')
  await settled(later)
  assert.ok(!calls.includes('POST /auth/login'), 'nothing goes before it')
  release()
  await later.getByText('Waits for you').waitFor()
  assert.equal(calls[0], 'POST /auth/logout')
  assert.equal(await sessionsOf(heidi), 0)
  assert.equal(await sessionsOf(sam), 1)
  assert.ok(!('signed out' in (await localOf(later))))
  // It was about Heidi's session: nobody ends that of Sam with it.
  await later.reload()
  await later.getByText('Waits for you').waitFor()
  assert.equal(await sessionsOf(sam), 1)
})

test('other tabs of somebody who signs out without a network show nothing more either', async () => {
  const { heidi, page, context } = await someoneAtSettings()
  const other = await context.newPage()
  await other.goto('/seamail')
  await other.getByText('Only for Heidi').waitFor()
  await context.setOffline(true)
  await signOut(page)
  await other.getByText('Only for Heidi').waitFor({ state: 'detached' })
  await atDoor(other)
  await context.setOffline(false)
  await until(async () => (await sessionsOf(heidi)) === 0, 'the server knows')
  await isClean(page, heidi)
})

test('signing out everywhere without a network fails and says so; with one it is done', async () => {
  const { heidi, page, context, kept } = await someoneAtSettings()
  await context.setOffline(true)
  await everywhere(page)
  await page.getByText('You are still signed in everywhere').waitFor()
  assert.equal(await sessionsOf(heidi), 1)
  assert.equal((await heidi.one.get('/user/whoami')).status, 200)
  assert.ok((await kept()).includes('A secret'))
  await page.getByRole('button', { name: 'Sign out everywhere' }).waitFor()
  await context.setOffline(false)
  await everywhere(page)
  await page.waitForURL(/\/login/)
  assert.equal(await sessionsOf(heidi), 0)
  assert.equal((await heidi.one.get('/user/whoami')).status, 401)
  await atDoor(page)
  await isClean(page, heidi)
})

test('posts that wait are asked about first: stay, send or discard', async () => {
  const { heidi, sam, chat, page } = await someoneAtSettings()
  const texts = async () =>
    (await body(sam.one.get(`/fez/${chat}?start=0&limit=50`))).members.posts.map(({ text }: { text: string }) => text) as string[]
  await page.route('**/api/v3/fez/*/post', (route) => route.abort())
  await go(page, `/seamail/${chat}`)
  await write(page, 'Still on its way')
  await go(page, '/account')
  await signOut(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('One post of yours has not been sent').waitFor()
  await dialog.getByText('Still on its way').waitFor()
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await everywhere(page)
  await dialog.getByRole('button', { name: 'Send, then sign out' }).click()
  await dialog.getByText('could not be sent now').waitFor()
  assert.equal(await sessionsOf(heidi), 1)
  assert.equal((await heidi.one.get('/user/whoami')).status, 200)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await dialog.getByRole('button', { name: 'Send, then sign out' }).click()
  await page.waitForURL(/\/login/)
  assert.deepEqual(await texts(), ['A secret', 'Still on its way'])
  assert.equal((await heidi.one.get('/user/whoami')).status, 401, 'everywhere')
  await atDoor(page)
  await isClean(page, heidi)
})

test('posts of another account and of another tab are asked about, too; discarding removes all', async () => {
  const { heidi, sam, chat, page, context } = await someoneAtSettings()
  const letter = (authorID: string, text: string) => {
    const writtenAt = new Date().toISOString()
    return {
      [`letter ${writtenAt} ${text}`]: {
        key: text.replaceAll(' ', '-'),
        place: 'fez',
        id: chat,
        authorID,
        text,
        images: [],
        after: 0,
        writtenAt,
        notBefore: Date.now() + 30 * 60_000,
      },
    }
  }
  // The page has begun without them.
  await storeOf(page, { ...letter(heidi.id, 'By another tab'), ...letter(sam.id, 'By somebody else') })
  await context.setOffline(true)
  await signOut(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('By another tab').waitFor()
  await dialog.getByText('One post of another account').waitFor()
  assert.ok(!(await dialog.innerText()).includes('By somebody else'))
  await dialog.getByRole('button', { name: 'Discard and sign out' }).click()
  await page.getByText('the server does not know yet').waitFor()
  await until(async () => Object.keys(await storeOf(page)).length === 0, 'they are gone')
  await context.setOffline(false)
  await page.getByText('The server knows by now').waitFor()
  assert.equal((await body(sam.one.get(`/fez/${chat}?start=0&limit=50`))).members.posts.length, 1)
})

/** Words that were written and not sent: a draft, and a post that waits. */
async function writeUnsent(page: Page, chat: string): Promise<void> {
  await page.route('**/api/v3/fez/*/post', (route) => route.abort())
  await go(page, `/seamail/${chat}`)
  await write(page, 'A post that waits')
  await page.getByRole('textbox', { name: 'Message' }).fill('A draft')
  await until(async () => {
    const kept = JSON.stringify(await storeOf(page))
    return kept.includes('A draft') && kept.includes('A post that waits')
  }, 'both are kept')
}

for (const [how, endIt] of [
  [
    'from another device',
    async (heidi: Person) => {
      const { sessions } = await body(heidi.one.get('/auth/sessions'))
      await body(heidi.one.delete(`/auth/sessions/${sessions[0].sessionID}`), 204)
    },
  ],
  ['everywhere, from an app', (heidi: Person) => body(heidi.one.post('/auth/logout/everywhere'), 204)],
  [
    'by a ban',
    async (heidi: Person) => {
      const [tho] = (await people(web.nodes, { level: 'tho' })) as [Person]
      await body(tho.one.post(`/mod/user/${heidi.id}/setaccesslevel/banned`))
    },
  ],
] as const) {
  test(`a device that was signed out ${how} forgets its words when it hears of it`, async () => {
    const { heidi, chat, page } = await someoneAtSettings({ expected: /./ })
    await writeUnsent(page, chat)
    await endIt(heidi)
    await page.getByText('This device was signed out from elsewhere').waitFor()
    await page.waitForURL(/\/login\?elsewhere$/)
    await isClean(page, heidi)
  })
}

test('a device that was away hears of it when it is back', async () => {
  const { heidi, chat, page, context, kept } = await someoneAtSettings({ expected: /./ })
  await writeUnsent(page, chat)
  await context.setOffline(true)
  await body(heidi.one.post('/auth/logout/everywhere'), 204)
  await go(page, '/seamail')
  await page.getByText('Only for Heidi').waitFor()
  // The first question may get no answer: then the device does not know yet.
  let questions = 0
  await page.route('**/api/v3/auth/sessions/ended', (route) => (questions++ === 0 ? route.abort() : route.continue()))
  await context.setOffline(false)
  await until(() => questions > 0, 'it asks')
  assert.ok((await kept()).includes('A draft') || questions > 1)
  await page.getByText('This device was signed out from elsewhere').waitFor()
  await isClean(page, heidi)
})

test('a session that has only expired leaves what was written and not sent, and no answers', async () => {
  const { heidi, chat, page, kept } = await someoneAtSettings({ expected: /./ })
  await listens(page)
  await writeUnsent(page, chat)
  await web.nodes.sql`delete from browser_session where account_id = ${heidi.id}`
  await web.nodes.apps[0]?.node.channels.publishConfirmed('user', heidi.id, { type: 'sessionsChanged' })
  await page.getByText('what you wrote is still there').waitFor()
  await page.waitForURL(/\/login\?ended/)
  // The page is loaded anew on the way to the door.
  await until(async () => !(await kept().catch(() => 'A secret')).includes('A secret'), 'the answers are gone')
  const shownFirst = async () => 'shown first' in (await localOf(page).catch(() => ({ 'shown first': '' })))
  await until(async () => !(await shownFirst()), 'nothing is shown first')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await signInAt(page, heidi)
  await page.waitForURL(({ pathname }) => pathname === `/seamail/${chat}`)
  await settled(page)
  await page.locator('.bubble', { hasText: 'A post that waits' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Message' })
  await until(async () => (await field.inputValue()) === 'A draft', 'the draft is back')
})
