// Notices outside of the app: shown by the device while nobody looks, kept in a list, chosen by kind and hour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { listens, webTests } from '../support/web.ts'

const web = webTests()

interface Shown {
  title: string
  body: string
  data: string
  silent: boolean
}

/** What the device shows of the app: headless browsers show nothing, so the last step of the worker is taken down here. */
const shown = async (page: Page) => (await workerOf(page)).evaluate<Shown[]>('self.shown')
const workerOf = async (page: Page) => page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
const takenDown = `
  self.shown = []
  registration.showNotification = async (title, more) => {
    self.shown = self.shown.filter(({ tag }) => tag !== more.tag).concat({ title, ...more })
  }`

const lookAway = (page: Page) =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`)
const lookAgain = (page: Page) => page.evaluate(`delete document.visibilityState`)

/** A page that may show notices, with them turned on. */
async function wanting(username: string): Promise<Page> {
  const { page } = await web.openAs(username, { serviceWorkers: 'allow' })
  await page.addInitScript(`
    Object.defineProperty(Notification, 'permission', { value: 'granted' })
    Notification.requestPermission = async () => 'granted'`)
  await page.goto('/notices')
  await (await workerOf(page)).evaluate(takenDown)
  await page.getByRole('button', { name: 'Show notices on this device' }).click()
  await page.getByRole('button', { name: 'Do not show them any more' }).waitFor()
  await listens(page)
  return page
}

test('a message comes to the device while nobody looks; a tap leads to its chat, the list keeps it', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(ann.one, [bob], { title: 'Dinner' })
  const page = await wanting(bob.username)
  await say(ann.one, fezID, 'looked at')
  await page
    .getByText(/looked at/)
    .first()
    .waitFor()
  assert.deepEqual(await shown(page), [], 'whoever looks at the app sees it there')
  await lookAway(page)
  await say(ann.one, fezID, 'at eight?')
  await until(async () => (await shown(page)).length === 1, 'it is shown')
  await say(ann.one, fezID, 'or nine?')
  await until(async () => (await shown(page))[0]?.body.endsWith('or nine?') ?? false, 'the next takes its place')
  const [only, ...others] = await shown(page)
  assert.deepEqual(others, [])
  assert.deepEqual([only?.title, only?.data, only?.silent], ['New message', `/seamail/${fezID}`, false])
  await lookAgain(page)
  // As a tap on it does.
  await page.evaluate(`navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open: '/seamail/${fezID}' } }))`)
  await page.getByRole('heading', { name: 'Dinner' }).waitFor()
  await page.goto('/notices')
  const kept = page.locator('.row', { hasText: 'wrote' })
  await kept.nth(2).waitFor()
  await kept.first().getByRole('link').click()
  await page.waitForURL(`**/seamail/${fezID}`, { waitUntil: 'commit' })
})

test('only the kinds that somebody wants, and none in quiet hours', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(ann.one, [bob], { title: 'Dinner' })
  const page = await wanting(bob.username)
  await page.getByLabel('Messages').uncheck()
  await page.getByLabel('With sound').uncheck()
  await lookAway(page)
  await say(ann.one, fezID, 'not wanted')
  await write(ann.one, `hello @${bob.username}`)
  await until(async () => (await shown(page)).some(({ title }) => title === 'You are mentioned'), 'the mention is shown')
  assert.deepEqual(
    (await shown(page)).map(({ title, silent }) => [title, silent]),
    [['You are mentioned', true]],
  )
  await lookAgain(page)
  // The whole day is quiet but for one minute, which is not now in any zone.
  await page.getByLabel('Quiet hours').check()
  const minute = (new Date().getUTCMinutes() + 20) % 60
  const clock = (minutes: number) => `${12 + Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
  await page.getByLabel('From', { exact: true }).fill(clock(minute + 1))
  await page.getByLabel('To', { exact: true }).fill(clock(minute))
  await page.reload()
  assert.ok(await page.getByLabel('Quiet hours').isChecked(), 'it is kept')
  assert.ok(!(await page.getByLabel('Messages').isChecked()), 'and so are the kinds')
  await listens(page)
  await lookAway(page)
  await write(ann.one, `once more @${bob.username}`)
  await page
    .getByText(/mentioned you/)
    .nth(1)
    .waitFor()
  assert.equal((await shown(page)).length, 1)
})

test('a host who has not set up push offers none', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const page = await wanting(ann.username)
  await page.getByText('Messages').first().waitFor()
  assert.equal(await page.getByLabel('Also while the app is closed').count(), 0)
})

test('the title counts what waits', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(ann.one, [bob], { title: 'Dinner' })
  // He has seen that he was added.
  await body(bob.one.get(`/fez/${fezID}`))
  const { page } = await web.openAs(bob.username)
  await page.goto('/events')
  await listens(page)
  await until(async () => (await page.title()).startsWith('Schedule'), 'nothing waits')
  await say(ann.one, fezID, 'hello')
  await until(async () => (await page.title()).startsWith('(1) Schedule'), 'the title counts it')
  await page.goto(`/seamail/${fezID}`)
  await page.getByText('hello').waitFor()
  await until(async () => !(await page.title()).startsWith('('), 'it counts no more')
})

test('where notices cannot be, the page says why', async () => {
  const [bob] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(bob.username)
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => window.permission ?? 'denied' })`)
  await page.goto('/notices')
  await page.getByText(/This browser was told not to show notices/).waitFor()
  // And where to allow them; after that they can be had without a new page.
  await page.getByText(/^Click the sign to the left of the address/).waitFor()
  await page.evaluate(`window.permission = 'default'`)
  await page.getByRole('button', { name: 'I have allowed them' }).click()
  await page.getByRole('button', { name: 'Show notices on this device' }).waitFor()
  await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
  await page.reload()
  await page.getByText(/an address that browsers do not trust/).waitFor()
})
