// The pages of an event's life, in a real browser: its dates, backups of the night, the file for everybody, the report of a day, and
// users who move to the next server.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { openBrowser, signIn, untroubled, violations, visit, type Visit } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { shipDay } from '../support/ship-days.ts'
import { sayYes, settled } from '../support/web.ts'

let nodes: TestNodes
/** The server of the next event. */
let next: TestNodes
let browser: Browser
let admin: Person
const visits: Visit[] = []
const wide = { width: 1280, height: 860 }

before(async () => {
  ;[nodes, next] = await Promise.all([startTestNodes(1, { workers: 1 }), startTestNodes(1, { workers: 1 })])
  browser = await openBrowser()
  admin = (await people(nodes, { level: 'admin' }))[0] as Person
})
after(async () => {
  await browser?.close()
  await Promise.all([nodes?.stop(), next?.stop()])
})

async function open(server: TestNodes, { username }: Person, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
  const opened = await visit(browser, server.urls[0] as string, { viewport: wide, ...options })
  visits.push(opened)
  await signIn(opened.page, username, testPassword)
  return opened.page
}

test('an event gets its name and dates on the page, and what is ready is seen', async () => {
  const page = await open(nodes, admin)
  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'Name and dates' }).click()
  await page.getByLabel('Name of the event').fill('Seas of 2027')
  await page.getByLabel('First day').fill(shipDay(10))
  await page.getByLabel('Days', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByRole('heading', { name: 'Seas of 2027' }).waitFor()
  await page.getByText(/It starts in \d+ days/).waitFor()
  await page.locator('.step.done', { hasText: '7 days are set.' }).waitFor()
  await page.locator('.step.open', { hasText: 'No event lies on these days' }).waitFor()
  await apply(admin, [{ uid: 'sail', title: 'Sail away', start: `${shipDay(11)}T15:00:00Z`, end: `${shipDay(11)}T16:00:00Z` }])
  await page.reload()
  await page.locator('.step.done', { hasText: 'One event lies on these days.' }).waitFor()
  await page.getByRole('link', { name: 'Look: Backup' }).click()
  await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()
})

test('a backup is made every night once the page says so, and everybody sees how the last one went', async () => {
  const page = await open(nodes, admin)
  await page.goto('/admin/backups')
  await page.getByText('None is made at night.').waitFor()
  await page.getByLabel('Make a backup every night').check()
  await page.getByLabel('At (ship time)').selectOption('3')
  await page.getByLabel('How many stay').fill('200')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal(await page.locator('input[type=number]:invalid').count(), 1)
  await page.getByLabel('How many stay').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText(/The last one, .*: made\./).waitFor()
  const [other] = (await people(nodes, { level: 'admin' })) as [Person]
  const second = await open(nodes, other)
  await second.goto('/admin/backups')
  await second.getByText(/The next one: .*, 03:00\./).waitFor()
  await second.getByText(/The last one, .*: made\./).waitFor()
  assert.equal(await second.getByLabel('How many stay').inputValue(), '3')
})

test('each day has its list', async () => {
  const page = await open(nodes, admin)
  await body(admin.one.post('/admin/event/trip', { eventName: 'Seas of 2027', startDate: shipDay(-2), lengthInDays: 7 }))
  const [somebody] = (await people(nodes, {})) as [Person]
  await body(somebody.one.post(`/users/${admin.id}/report`, { message: 'x' }), 201)
  await page.goto('/admin/event')
  await page.getByText(/Day [34] of 7/).waitFor()
  await page.locator('.step.open', { hasText: 'One is open.' }).waitFor()
  await page.locator('.step.done', { hasText: 'None has failed.' }).waitFor()
  await page.getByRole('link', { name: 'Look: Report of the day' }).click()
  await page.getByRole('heading', { level: 1, name: 'Report of the day' }).waitFor()
})

test('the report of a day is printed on one sheet', async () => {
  const yesterday = shipDay(-1)
  await nodes.sql`
    insert into figure select (${yesterday}::date + minutes * interval '1 minute') at time zone 'America/New_York', minutes / 10, 60, 0, 3, 5, 40, 1, 0, 100, 20480
    from generate_series(0, 1439) as minutes on conflict do nothing`
  const page = await open(nodes, admin)
  await page.goto('/admin/report')
  await page.getByRole('button', { name: 'The day before' }).click()
  await page.getByText('4,320', { exact: true }).first().waitFor()
  assert.equal(await page.locator('.by-hour tbody tr').count(), 24)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
  assert.equal(await page.locator('.places').isVisible(), false)
  assert.ok(await page.locator('.report .tiles').isVisible())
  const pdf = await page.pdf({ format: 'A4' })
  assert.equal((pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length, 1)
})

test('the host downloads what belongs to each user, with a fresh password', async () => {
  const page = await open(nodes, admin, { expected: /400 \(Bad Request\)/ })
  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'After' }).click()
  await page.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText(/done: \d+ of \d+ people/).waitFor()
  await page.getByRole('button', { name: 'Download …' }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByText('The password is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()])
  assert.equal(file.suggestedFilename(), 'quarterdeck-everybody.zip')
  assert.equal(await file.failure(), null)
})

test('the farewell has words to begin with, and everybody reads it', async () => {
  const page = await open(nodes, admin)
  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'After' }).click()
  await page.locator('.step.open', { hasText: 'Farewell' }).waitFor()
  await page.getByRole('button', { name: 'Write it …' }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  assert.match(await text.inputValue(), /Thank you all for being part of Seas of 2027!/)
  await text.fill(`${await text.inputValue()} The crew`)
  await page.getByRole('button', { name: 'Announce', exact: true }).click()
  await sayYes(page)
  await page.locator('.step.done', { hasText: 'Farewell' }).waitFor()
  const [reader] = (await people(nodes, {})) as [Person]
  const [announcement] = await body(reader.one.get('/notification/announcements'))
  assert.match(announcement.text, /Seas of 2027![^]*My data[^]*The crew$/)
  assert.ok(Date.parse(announcement.displayUntil) > Date.now() + 6 * 24 * 3_600_000)
})

test('users move to the next server: downloaded there, uploaded here, looked at, applied', async () => {
  const [ada] = (await people(nodes, { username: 'Ada-who-moves', displayName: 'Ada' })) as [Person]
  await nodes.sql`insert into registration_code (code, person_id) values ('movers', ${ada.id})`
  await next.sql`insert into registration_code (code) values ('movers')`
  const away = await open(nodes, admin, { expected: /400 \(Bad Request\)/ })
  await away.goto('/admin/moving')
  await away.getByText('Everybody can come in.').waitFor()
  await away.getByRole('button', { name: 'Let only admins in' }).click()
  await sayYes(away)
  await away.getByText('Only admins can come in.').waitFor()
  await away.getByRole('button', { name: 'Download the file' }).click()
  const question = away.getByRole('dialog')
  await question.getByLabel('Your password').fill('a wrong password')
  await question.getByRole('button', { name: 'Download' }).click()
  await question.getByText('The password is wrong.').waitFor()
  await question.getByLabel('Your password').fill(testPassword)
  const [file] = await Promise.all([away.waitForEvent('download'), question.getByRole('button', { name: 'Download' }).click()])
  const path = await file.path()
  await away.getByRole('button', { name: 'Open it again' }).click()
  await sayYes(away)
  await away.getByText('Everybody can come in.').waitFor()

  const [host] = (await people(next, { level: 'admin' })) as [Person]
  const here = await open(next, host, { expected: /400 \(Bad Request\)/ })
  await here.goto('/admin/moving')
  await here.getByRole('button', { name: 'Let only admins in' }).click()
  await sayYes(here)
  await here
    .getByLabel('Choose the file')
    .setInputFiles({ name: 'userfile.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') })
  await here.getByRole('alert').waitFor()
  await here.getByLabel('Choose the file').setInputFiles(path)
  await here.getByRole('heading', { name: 'What would happen' }).waitFor()
  assert.equal(
    await next
      .client()
      .post('/auth/login', undefined, { basic: ['Ada-who-moves', testPassword] })
      .then(({ status }) => status),
    401,
  )
  await here.getByRole('button', { name: 'Take one person over' }).click()
  await sayYes(here)
  await here.getByRole('heading', { name: 'What happened' }).waitFor()
  await here.getByRole('button', { name: 'Open it again' }).click()
  await sayYes(here)
  await here.getByText('Everybody can come in.').waitFor()
  await body(next.client().post('/auth/login', undefined, { basic: ['Ada-who-moves', testPassword] }))
})

test('these pages are accessible, by day and by night, wide and narrow, in both languages', async () => {
  const folder = process.env['PICTURES']
  if (folder) mkdirSync(folder, { recursive: true })
  const page = await open(nodes, admin, { bypassCSP: true })
  const found: string[] = []
  for (const language of ['en', 'de'] as const) {
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const [path, tab] of [
      ['/admin/event', 0],
      ['/admin/event', 1],
      ['/admin/event', 2],
      ['/admin/end'],
      ['/admin/report'],
      ['/admin/moving'],
      ['/admin/backups'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      if (tab !== undefined) await page.locator('main .tabs button').nth(tab).click()
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 })
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the screen`)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          if (language === 'en') found.push(...(await violations(page)).map((violation) => `${path} ${width} ${colorScheme}: ${violation}`))
          if (folder && (language === 'de') === (colorScheme === 'dark'))
            await page.screenshot({
              path: join(folder, `${path.slice(7)}${tab ?? ''}-${width}-${language}-${colorScheme}.png`),
              fullPage: true,
            })
        }
      }
    }
  }
  assert.deepEqual(found, [])
})

test('no page had an error', () => untroubled(...visits))
