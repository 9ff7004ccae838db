// One browser and several people: whose page it is, in all of its tabs, and what it keeps for whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { body, createSeamail, people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { go, settled, storeOf, webTests } from '../support/web.ts'

const web = webTests()

/** Another tab signs in, and the others do not know yet. */
async function sessionOf(context: BrowserContext, { username }: Person): Promise<void> {
  const origin = new URL(web.url).origin
  const Authorization = `Basic ${btoa(`${username}:${testPassword}`)}`
  const answer = await context.request.post('/api/v3/auth/login', { headers: { 'X-Session': 'cookie', Origin: origin, Authorization } })
  assert.equal(answer.status(), 200)
}

async function fillDoor(page: Page, { username }: Person): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Changes to an account that was signed in here before. */
async function changeTo(page: Page, { username }: Person): Promise<void> {
  await page.getByRole('button', { name: `Switch to ${username}` }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(testPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
}

const usedHere = (page: Page, ...used: readonly Person[]) =>
  page.evaluate(`localStorage.setItem('used names', ${JSON.stringify(used.map(({ username }) => username).join(' '))})`)

const authorsIn = async ({ one }: Person, fezID: string): Promise<string[]> =>
  (await body(one.get(`/fez/${fezID}?start=0&limit=50`))).members.posts.map(
    ({ author, text }: { author: { username: string }; text: string }) => `${author.username}: ${text}`,
  )

test('a page of somebody whose session is that of somebody else by now posts nothing in the name of the other', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Whose words' })
  const { page, context } = await web.openAs(heidi.username, { expected: /401/ })
  // Without a socket the page learns of nothing by itself.
  await page.routeWebSocket(/socket/, () => undefined)
  await page.goto(`/seamail/${chat}`)
  await settled(page)
  await sessionOf(context, sam)
  await page.getByRole('textbox', { name: 'Message' }).fill('I am Heidi')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/login/)
  await page.getByText('You were signed out here').waitFor()
  assert.deepEqual(await authorsIn(heidi, chat), [])
  await fillDoor(page, heidi)
  await until(async () => (await authorsIn(heidi, chat)).length > 0, 'it is sent when its writer is there again')
  assert.deepEqual(await authorsIn(heidi, chat), [`${heidi.username}: I am Heidi`])
})

test('when somebody changes the account in one tab, or signs out, the others follow', async () => {
  const [heidi, sam, mara] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const chat = await createSeamail(heidi.one, [mara], { title: 'Between Heidi and Mara' })
  const { page, context } = await web.openAs(heidi.username, { expected: /401|WebSocket/ })
  await usedHere(page, heidi, sam)
  await page.goto('/account')
  const other = await context.newPage()
  await other.goto(`/seamail/${chat}`)
  await other.getByText('Between Heidi and Mara').first().waitFor()
  await changeTo(page, sam)
  await other.getByText('Between Heidi and Mara').first().waitFor({ state: 'detached' })
  await other.getByText('Waits for you').waitFor()
  await go(other, '/account')
  await other.getByText(sam.username).first().waitFor()
  await page.getByText('Waits for you').waitFor()
  await other.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.waitForURL(/\/login/)
})

test('an answer for one account that is kept late, when the next is there, is not shown to the next', async () => {
  const [heidi, sam, mara] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  await createSeamail(heidi.one, [mara], { title: 'Nobody else knows' })
  const { page } = await web.openAs(heidi.username, { expected: /401|WebSocket/ })
  await usedHere(page, heidi, sam)
  await page.goto('/seamail')
  await page.getByText('Nobody else knows').waitFor()
  const answersKept = async () => Object.entries(await storeOf(page)).filter(([name]) => name.startsWith('answer'))
  await until(async () => JSON.stringify(await answersKept()).includes('Nobody else knows'), 'it is kept')
  const kept = Object.fromEntries(await answersKept())
  await page.goto('/account')
  await changeTo(page, sam)
  await page.getByText('Waits for you').waitFor()
  await storeOf(page, kept)
  // The server does not answer: only what was kept can be shown.
  await page.route('**/api/v3/fez/joined?*', () => undefined)
  await page.goto('/seamail')
  await page.getByRole('heading', { level: 1, name: 'Seamail' }).waitFor()
  await until(async () => !JSON.stringify(await answersKept()).includes('Nobody else knows'), 'it is removed')
  assert.ok(!(await page.locator('body').innerText()).includes('Nobody else knows'))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a post that waits for slow mode is not lost when its writer changes to another account and back', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Later' })
  const { page } = await web.openAs(heidi.username, { expected: /401|WebSocket/ })
  const writtenAt = new Date().toISOString()
  const letter = { key: 'k', place: 'fez', id: chat, authorID: heidi.id, text: 'It waits', images: [], after: 0, writtenAt }
  await storeOf(page, { [`letter ${writtenAt} k`]: { ...letter, notBefore: Date.now() + 30 * 60_000 } })
  await usedHere(page, heidi, sam)
  await page.goto('/account')
  await changeTo(page, sam)
  await page.getByText('Waits for you').waitFor()
  await go(page, `/seamail/${chat}`)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  assert.equal(await page.locator('.bubble').count(), 0, 'nobody else sees it')
  await go(page, '/account')
  await changeTo(page, heidi)
  await page.getByText('Waits for you').waitFor()
  await go(page, `/seamail/${chat}`)
  await page.locator('.bubble.waiting', { hasText: 'It waits' }).waitFor()
})

test('after signing in nobody is led to another site, whatever the address says', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  for (const to of ['//evil.example/', 'https://evil.example/', '/\t/evil.example/', 'javascript:document.title="evil"', '/help']) {
    // An address of another site is taken for one of this, which does not exist.
    const { page } = await web.open({ expected: /404/ })
    await page.goto(`/login?to=${encodeURIComponent(to)}`)
    await fillDoor(page, heidi)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    assert.equal(new URL(page.url()).origin, new URL(web.url).origin)
    if (to === '/help') assert.equal(new URL(page.url()).pathname, to)
  }
})

for (const [way, script] of [
  ['does not exist', `Object.defineProperty(window, 'indexedDB', { value: undefined })`],
  ['refuses everything', `IDBFactory.prototype.open = () => { throw new DOMException('No.', 'SecurityError') }`],
  ['never answers', `IDBFactory.prototype.open = () => new EventTarget()`],
] as const) {
  test(`a browser whose store ${way}: people sign in, read and write`, async () => {
    const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
    const chat = await createSeamail(heidi.one, [sam], { title: 'Without a store' })
    const { page, context } = await web.open()
    await context.addInitScript(script)
    await page.goto(`/login?to=/seamail/${chat}`)
    await fillDoor(page, heidi)
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Nothing is kept')
    await page.getByRole('button', { name: 'Send' }).click()
    await until(async () => (await authorsIn(heidi, chat)).length === 1, 'it arrives')
    await page.locator('.bubble.waiting').waitFor({ state: 'detached' })
    assert.equal(await page.locator('.bubble', { hasText: 'Nothing is kept' }).count(), 1)
  })
}

test('a post that waits for slow mode by a clock that was weeks ahead goes at once', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'The clock' })
  const { page } = await web.openAs(heidi.username)
  const at = Date.now() + 40 * 24 * 60 * 60_000
  const writtenAt = new Date(at).toISOString()
  const letter = { key: 'k', place: 'fez', id: chat, authorID: heidi.id, text: 'In time', images: [], after: 0, writtenAt, notBefore: at }
  await storeOf(page, { [`letter ${writtenAt} k`]: letter })
  await page.goto(`/seamail/${chat}`)
  await until(async () => (await authorsIn(heidi, chat)).length === 1, 'it arrives')
})
