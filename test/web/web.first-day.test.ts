// The first day of somebody new, on a phone: everything is found without being told. `PICTURES=folder` keeps each step.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { phone } from '../support/browser.ts'
import { anEvening, drawing, type Evening } from '../support/evening.ts'
import { body, createSeamail, say } from '../support/fez.ts'
import { settled, webTests, write } from '../support/web.ts'

const folder = process.env['PICTURES']
/** Of the pictures, which may be of another screen: `WIDTH=1280 SCHEME=dark`. */
const screen = {
  viewport: { width: Number(process.env['WIDTH'] ?? phone.width), height: phone.height },
  colorScheme: process.env['SCHEME'] === 'dark' ? 'dark' : 'light',
} as const
let evening: Evening
const web = webTests(
  () => startTestNodes(1, { workers: 1 }),
  async (nodes) => {
    evening = await anEvening(nodes)
    await nodes.sql`insert into registration_code (code) values ('abc123')`
  },
)

let steps = 0

async function look(page: Page, name: string): Promise<void> {
  if (!folder) return
  await settled(page)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `day-${String(++steps).padStart(2, '0')}-${name}.png`) })
}

/** The five places at the lower edge. */
const goTo = (page: Page, place: string) => page.getByRole('navigation').getByRole('link', { name: place }).click()

test('an account, the next event, a group, a seamail, a picture in a forum, and a block', async () => {
  const { page } = await web.open(screen)
  await page.goto('/')
  await look(page, 'welcome')
  await page.getByRole('link', { name: 'Create account' }).click()
  await look(page, 'create')
  await page.getByLabel('Username').fill('newcomer')
  await page.getByLabel('Password').fill('a new password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Welcome aboard, newcomer' }).waitFor()
  await look(page, 'recovery')
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.getByRole('heading', { name: 'What you find here' }).waitFor()
  await look(page, 'first-look')
  await page.getByRole('button', { name: /^(Skip|Look around)$/ }).click()
  await page.getByText('Waits for you').waitFor()
  await look(page, 'today')

  // The next event is on the first page; it can be followed from its own.
  await page.locator('main').getByText('Knots for beginners').click()
  await page.getByText('Talk about it').waitFor()
  await look(page, 'event')
  await page
    .getByRole('button', { name: /^Follow/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
  await look(page, 'followed')

  await goTo(page, 'Groups')
  await page.getByText('Cards at nine').click()
  // Without a registration code one may only look around; the page says so, and takes the code.
  await page.getByRole('button', { name: 'Enter the code' }).waitFor()
  await look(page, 'group')
  await page.getByRole('button', { name: 'Enter the code' }).click()
  await page.getByLabel('Registration code').fill('abc 123')
  await look(page, 'code')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Enter the code' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Join' }).click()
  await write(page, 'I come along')
  await page.locator('.bubble.waiting').waitFor({ state: 'detached' })
  await look(page, 'joined')

  const me = await body(evening.sam.one.get('/users/find/newcomer'))
  const seamail = await createSeamail(evening.sam.one, [{ id: me.userID } as never], { title: 'Welcome!' })
  await say(evening.sam.one, seamail, 'You joined us for cards. Do you know Hearts?')
  await page.getByRole('link', { name: 'Seamail' }).locator('.badge').waitFor()
  await look(page, 'seamail-waits')
  await goTo(page, 'Seamail')
  await look(page, 'seamails')
  await page.getByText('Welcome!').first().click()
  await page.locator('.bubble', { hasText: 'Do you know Hearts?' }).waitFor()
  await write(page, 'Yes, but I always lose.')
  await page.locator('.bubble.waiting').waitFor({ state: 'detached' })
  await look(page, 'answered')

  await goTo(page, 'Forums')
  await look(page, 'forums')
  await page.getByRole('link', { name: /General/ }).click()
  await look(page, 'category')
  await page.getByText('Whales, dolphins and birds').first().click()
  await page.getByText('Three humpbacks').first().waitFor()
  await look(page, 'forum')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add a picture' }).click()
  await (await chooser).setFiles({ name: 'fin.jpg', mimeType: 'image/jpeg', buffer: await drawing('#3f7f8c', 3, 3000, 2000) })
  await page.getByRole('textbox', { name: 'Your post' }).fill('A fin, I am sure')
  await page.locator('.chosen img').waitFor()
  await look(page, 'picture-chosen')
  await page.getByRole('button', { name: 'Send' }).click()
  const post = page.getByRole('article').filter({ hasText: 'A fin, I am sure' })
  await post.locator('.pictures img').waitFor()
  await page.locator('.waiting').waitFor({ state: 'detached' })
  await look(page, 'picture-sent')

  await page
    .getByRole('link', { name: /Otto Lind/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /Otto Lind/ }).waitFor()
  await look(page, 'person')
  await page.getByRole('button', { name: 'More about this person' }).click()
  await look(page, 'person-menu')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('heading', { name: 'Blocked people' }).waitFor()
  await look(page, 'blocked')
  await page.goto(`/forum/${evening.ids.forum}`)
  await post.waitFor()
  assert.equal(await page.getByText('Got one of them!').count(), 0, 'their posts are gone')

  // Everything is where it belongs.
  const favorites = await body(evening.sam.one.get(`/fez/${evening.ids.group}`))
  assert.ok(JSON.stringify(favorites).includes('I come along'))
  const answers = await body(evening.sam.one.get(`/fez/${seamail}`))
  assert.ok(JSON.stringify(answers).includes('I always lose'))
})
