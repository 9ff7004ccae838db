// The host's day, third part: a day with trouble, on a phone, and without a terminal. One server, whose worker dies.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startProcess, watchOnce } from '../../src/incidents/service.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { openBrowser, phone, signIn, untroubled, visit, type Visit } from '../support/browser.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { hasCount } from '../support/web.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'

const clock = new LeapingClock()
let chat: Webhook<{ text: string }>
let nodes: TestNodes
let browser: Browser
let opened: Visit
let page: Page
let admin: Person

before(async () => {
  chat = await startWebhook()
  nodes = await startTestNodes(1, { clock })
  browser = await openBrowser()
  ;[admin] = (await people(nodes, { level: 'admin', displayName: 'Ada' })) as [Person]
  // What is asked at the moment at which the clock leaps is too late.
  opened = await visit(browser, nodes.urls[0] as string, { viewport: phone, expected: /503 \(Service Unavailable\)/ })
  page = opened.page
  await signIn(page, admin.username, testPassword)
})
after(async () => {
  await browser?.close()
  await nodes?.stop()
  chat.close()
})

/** The servers look every fifteen seconds. */
async function quarterOfAMinute(): Promise<void> {
  clock.leap(15_001)
  await watchOnce((nodes.apps[0] as TestNodes['apps'][number]).node, true)
}

test('the worker dies: within a minute it stands first on the phone and in the chat of the team; when another runs, it is over', async () => {
  await page.goto('/admin/incidents')
  await page.getByLabel('Address of the webhook').fill(chat.url)
  await page.getByRole('button', { name: 'Tell them there' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('It was taken').waitFor()
  assert.match(chat.messages[0]?.text ?? '', /this is a test/)
  // What is bad is told in quiet hours, too.
  await page.getByRole('button', { name: 'Quiet hours' }).click()
  await page.getByLabel('From').fill('00:00')
  await page.getByLabel('To', { exact: true }).fill('23:59')
  await page.getByRole('button', { name: 'Let warnings wait' }).click()
  await page.getByText('From 00:00 to 23:59 warnings wait').waitFor()
  const { node } = nodes.apps[0] as TestNodes['apps'][number]
  const end = await startProcess(node, 'worker', 'worker')
  await page.goto('/admin')
  const died = clock.now()
  // It beats no more, and has not said that it stops.
  await nodes.sql`update process set id = gen_random_uuid() where kind = 'worker'`
  await end()
  while (chat.messages.length < 3 && clock.now() - died < 90_000) await quarterOfAMinute()
  assert.ok(clock.now() - died < 70_000, `${clock.now() - died} ms`)
  assert.deepEqual(
    chat.messages
      .slice(1)
      .map(({ text }) => text.replace(/ on \S+ /, ' on it '))
      .sort(),
    [
      'Quarterdeck: No worker runs. Start one: npm start runs a server with its worker, npm start -- worker a worker alone.',
      'Quarterdeck: The worker worker on it ended unexpectedly.',
    ],
  )
  const alert = page.getByRole('alert', { name: 'Incidents' })
  await alert.getByText('No worker runs.').waitFor()
  const top = (await alert.boundingBox())?.y ?? Infinity
  assert.ok(top < 300, `it stands ${top} px below the top`)

  const endAgain = await startProcess(node, 'worker', 'worker')
  await quarterOfAMinute()
  await alert.waitFor({ state: 'detached' })
  assert.ok(chat.messages.some(({ text }) => text === 'Quarterdeck: over. No worker runs.'))
  await page.goto('/admin/incidents')
  await page.getByText('No worker runs.').waitFor()
  await endAgain()
})

test('twenty notices have failed: all are tried again at once, or dropped', async () => {
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error)
    select 'hits-notify', '{"itemId": 1, "noticeId": "x", "hits": []}', now(), 20, 'Error: no network' from generate_series(1, 20)`
  await page.goto('/admin/jobs')
  await page.getByText('Failed 20').first().waitFor()
  // Those of one kind alone.
  const ended = nodes.sql.json({ personID: '00000000-0000-4000-8000-000000000001', until: new Date(0).toISOString() })
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error) values ('ban-ending', ${ended}, now(), 20, 'Error: of another kind')`
  await page.getByRole('button', { name: 'End of a ban' }).click()
  const shown = page.locator('section', { has: page.getByRole('heading', { name: 'What is not done: End of a ban' }) })
  await shown.getByText('of another kind').waitFor({ state: 'attached' })
  assert.equal(await shown.getByText('no network').count(), 0)
  await page.getByRole('button', { name: 'End of a ban' }).click()
  await nodes.sql`delete from outbox where job = 'ban-ending'`
  await hasCount(page.getByRole('button', { name: 'Try all again' }), 1)
  await page.getByRole('button', { name: 'Try all again' }).click()
  await page.getByText('20 are tried again.').waitFor()
  assert.equal((await nodes.sql`select from outbox where failures = 20`).length, 0)
  await nodes.sql`update outbox set failures = 20 where job = 'hits-notify'`
  await page.getByRole('button', { name: 'Drop all …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click()
  await page.getByText('20 dropped.').waitFor()
  assert.equal((await nodes.sql`select from outbox`).length, 0)
})

test('a wrong calendar was applied: notices wait, it is undone, and they go on', async () => {
  const start = new Date(clock.now() + 86_400_000).toISOString()
  const event = (uid: string) => ({ uid, title: `Event ${uid}`, start, end: start })
  await apply(admin, [event('a'), event('b')])
  await apply(admin, [event('c')])
  await page.goto('/admin/jobs')
  await page.getByRole('button', { name: /more kinds/ }).click()
  const moved = page.getByRole('listitem').filter({ hasText: 'Notice of a moved event' })
  await moved.getByRole('button', { name: 'Pause' }).click()
  await moved.getByText('Paused by Ada').waitFor()
  await page.goto('/admin/schedule')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await nodes.sql`select from event where deleted_at is null and uid in ('a', 'b')`).length === 2, 'it is undone')
  await page.goto('/admin/jobs')
  await moved.getByRole('button', { name: 'Go on' }).click()
  await until(async () => (await nodes.sql`select from paused_job`).length === 0, 'they go on')
})

test('a spammer: all that was written is hidden together with the ban, in two presses', async () => {
  const [spammer] = (await people(nodes, { displayName: 'Buy Now' })) as [Person]
  for (let count = 0; count < 30; count++) await write(spammer.one, `Cheap watches ${count}`)
  await page.goto(`/admin/users/${spammer.id}`)
  await page.getByRole('button', { name: 'Ban …' }).click()
  await page.getByLabel('Reason').fill('Spam')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await until(async () => {
    const left =
      await nodes.sql`select from microblog_post where author_id = ${spammer.id} and moderation_status not in ('quarantined', 'autoQuarantined')`
    return left.length === 0
  }, 'nothing of it can be read')
})

test('no page had an error', () => untroubled(opened))
