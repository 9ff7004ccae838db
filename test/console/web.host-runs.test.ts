// The host's day, second part, in a real browser and only there: an event is run. Two servers and a worker.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { sayYes } from '../support/web.ts'
import { openBrowser, signIn, untroubled, visit, type Visit } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'

let nodes: TestNodes
let browser: Browser
let page: Page
let admin: Person
const visits: Visit[] = []

before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  browser = await openBrowser()
  admin = (await people(nodes, { level: 'admin', displayName: 'Ada' }))[0] as Person
  page = await openAs(admin, 0)
  const startDate = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10)
  await body(admin.one.post('/admin/event/trip', { eventName: 'Seas of 2027', startDate, lengthInDays: 7 }))
})
after(async () => {
  await browser?.close()
  await nodes?.stop()
})

async function openAs({ username }: Person, node: number, expected?: RegExp): Promise<Page> {
  const viewport = { width: 1280, height: 860 }
  const opened = await visit(browser, nodes.urls[node] as string, { viewport, ...(expected && { expected }) })
  visits.push(opened)
  await signIn(opened.page, username, testPassword)
  return opened.page
}

/** From the list of the day to the page where it is done. */
async function goTo(what: string): Promise<void> {
  await page.goto('/admin/event')
  await page.getByText(/Day \d of 7/).waitFor()
  await page.getByRole('link', { name: `Look: ${what}` }).click()
}

test('an announcement comes to a page on the other server with one frame, and nobody asks for it', async () => {
  const [reader] = (await people(nodes, {})) as [Person]
  const other = await openAs(reader, 1)
  const frames: string[] = []
  other.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  await other.goto('/')
  await other.getByText('Waits for you').first().waitFor()
  const asked: string[] = []
  await goTo('Announcements that end today')
  await page.getByRole('button', { name: 'New announcement' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('The pool opens at noon')
  const before = frames.length
  other.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const answered = page.waitForResponse((response) => response.url().endsWith('/notification/announcement/create'))
  await page.getByRole('button', { name: 'Announce', exact: true }).click()
  await sayYes(page)
  await answered
  await other.getByText('The pool opens at noon').first().waitFor()
  const news = frames.slice(before).filter((frame) => frame.includes('nnouncement'))
  assert.equal(news.length, 1, frames.slice(before).join('\n'))
  assert.ok(asked.length <= 3, asked.join())
})

test('a report is handled in five key strokes at most', async () => {
  const [author, reporter] = (await people(nodes, { displayName: 'Rudi' }, {})) as [Person, Person]
  await goTo('Reports')
  await page.getByText('No report waits').waitFor()
  const id = await write(author.one, 'Rude words')
  await body(reporter.two.post(`/microblog/${id}/report`, { message: 'Look at this' }), 201)
  await page.locator('.quote').getByText('Rude words').waitFor()
  const keys = ['t', 'q', 'c'] as const
  await page.keyboard.press(keys[0])
  await page.getByRole('status').getByText('Taken by Ada').waitFor()
  await page.keyboard.press(keys[1])
  await page.locator('.tag', { hasText: 'Hidden' }).waitFor()
  await page.keyboard.press(keys[2])
  await page.getByText('No report waits').waitFor()
  const { moderationStatus, reports } = await body(admin.two.get(`/mod/microblog/${id}`))
  assert.equal(moderationStatus, 'quarantined')
  assert.ok(reports.every(({ isClosed }: { isClosed: boolean }) => isClosed))
})

test('a ban is in force on both servers', async () => {
  const [rudi] = (await people(nodes, { displayName: 'Rudi the rude' })) as [Person]
  const away = await openAs(rudi, 1, /401 \(Unauthorized\)|no valid credentials/)
  await page.goto('/admin/users')
  await page.getByRole('searchbox', { name: 'Find by name, cabin or code' }).fill(rudi.username)
  await page.getByText('One account').waitFor()
  await page.getByRole('link', { name: /Rudi the rude/ }).click()
  await page.getByRole('button', { name: 'Ban …' }).click()
  await page.getByLabel('Reason').fill('Rude words, again and again')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByText('Rude words, again and again').waitFor()
  assert.deepEqual(await Promise.all(rudi.clients.map(async (client) => (await client.get('/user/whoami')).status)), [401, 401])
  // Their open page on the other server knows it.
  await away.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a failed job is found and tried again', async () => {
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error)
    values ('ban-ending', ${nodes.sql.json({ personID: admin.id, until: new Date(0).toISOString() })}, now(), 20, 'Error: no network')`
  await page.goto('/admin/event')
  await page.locator('.step.bad', { hasText: 'One has failed for good.' }).waitFor()
  await goTo('Jobs')
  await page.getByText('Technical part').first().click()
  await page.getByText('Error: no network').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Error: no network').waitFor({ state: 'detached' })
  await page.goto('/admin/event')
  await page.locator('.step.done', { hasText: 'None has failed.' }).waitFor()
})

test('a backup is made and tried; somebody else sees how far it is, also after a reload', async () => {
  const [second] = (await people(nodes, { level: 'admin' })) as [Person]
  const other = await openAs(second, 1)
  await other.goto('/admin/backups')
  await goTo('Backup of the night')
  await page.getByRole('button', { name: 'Make a backup now' }).click()
  await page.getByText('Backup: done').waitFor()
  await other.getByText('Backup: done').waitFor()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('Try of a backup: done').waitFor()
  await other.reload()
  await other.getByText('Try of a backup: done').waitFor()
  await other.getByText('it can be restored').waitFor()
})

test('no page had an error', () => untroubled(...visits))
