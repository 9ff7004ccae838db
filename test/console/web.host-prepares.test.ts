// The host's day, first part, in a real browser and only there: an event is prepared from nothing, until everything is ready.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { sayYes } from '../support/web.ts'
import { openBrowser, signIn, untroubled, visit, type Visit } from '../support/browser.ts'
import { empty } from '../support/db.ts'
import { body, people, type Person } from '../support/fez.ts'
import { calendar, type Listed } from '../support/schedule.ts'

let nodes: TestNodes
let browser: Browser
let host: Visit
let page: Page
let admin: Person

before(async () => {
  nodes = await startTestNodes(1, { workers: 1 })
  browser = await openBrowser()
  admin = (await people(nodes, { level: 'admin', username: 'The-host' }))[0] as Person
  // As it is after `npm run setup`: no content, nobody invented, no password that everybody knows.
  await empty(nodes.sql, 'boardgame', 'karaoke_song', 'registration_code')
  await nodes.sql`
    update account set password_hash = (select password_hash from account where id = ${admin.id}) where id <> ${admin.id}`
  host = await visit(browser, nodes.urls[0] as string, { viewport: { width: 1280, height: 860 } })
  page = host.page
  await signIn(page, admin.username, testPassword)
})
after(async () => {
  await browser?.close()
  await nodes?.stop()
})

const dayMs = 24 * 60 * 60_000
const firstDay = new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10)
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** 500 events over a week. */
const events: Listed[] = Array.from({ length: 500 }, (_, index) => {
  const start = Date.parse(`${firstDay}T14:00:00Z`) + (index % 7) * dayMs + Math.floor(index / 70) * 60 * 60_000
  return {
    uid: `event-${index}`,
    title: `Event ${index}`,
    description: `About event ${index}`,
    location: ['Lido', 'Atrium', 'Theatre'][index % 3] ?? '',
    start: new Date(start).toISOString(),
    end: new Date(start + 45 * 60_000).toISOString(),
  }
})

/** From the list of what has to be ready to the page where it is done. */
async function goTo(step: string): Promise<void> {
  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'Before' }).click()
  await page.getByRole('link', { name: `Look: ${step}` }).click()
}

test('name and dates', async () => {
  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'Name and dates' }).click()
  await page.getByLabel('Name of the event').fill('Seas of 2027')
  await page.getByLabel('First day').fill(firstDay)
  await page.getByLabel('Days', { exact: true }).fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByRole('heading', { name: 'Seas of 2027' }).waitFor()
})

test('a schedule of 500 events, and then its next version, seen before it is applied', async () => {
  await goTo('Schedule')
  const choose = page.getByLabel('Choose a calendar')
  // That of last year: it says so, and asks.
  const early = (date: string) => new Date(Date.parse(date) - 364 * dayMs).toISOString()
  const old = events.map((each) => ({ ...each, uid: `old-${each.uid}`, start: early(each.start), end: early(each.end) }))
  await choose.setInputFiles(file('old.ics', calendar(old)))
  await page.getByText(/500 of the 500 events in this calendar lie on none/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Apply' }).isDisabled(), true)
  await page.getByLabel('These days are meant').check()
  await page.getByRole('button', { name: 'Apply' }).isEnabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await choose.setInputFiles(file('first.ics', calendar(events)))
  await page.getByRole('button', { name: 'new 500', exact: true }).waitFor()
  assert.equal(await page.getByLabel('These days are meant').count(), 0)
  // The sample schedule goes as a whole, which is more than a tenth.
  assert.equal(await page.getByLabel('Also take off what the calendar lacks').isChecked(), false)
  await page.getByLabel('Also take off what the calendar lacks').check()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText(/500 new, 0 changed/).waitFor()
  const later = (event: Listed): Listed => ({
    ...event,
    start: new Date(Date.parse(event.start) + 30 * 60_000).toISOString(),
    end: new Date(Date.parse(event.end) + 30 * 60_000).toISOString(),
  })
  const next = events.slice(2).map((event, index) => (index < 3 ? later(event) : index < 7 ? { ...event, location: 'Library' } : event))
  await choose.setInputFiles(file('next.ics', calendar([...next, { ...(events[0] as Listed), uid: 'more', title: 'One more' }])))
  for (const [kind, count] of [
    ['new', 1],
    ['gone', 2],
    ['time', 3],
    ['place', 4],
    ['text', 0],
  ] as const)
    await page.getByRole('button', { name: `${kind} ${count}`, exact: true }).waitFor()
  await page.getByText('491 events stay as they are').waitFor()
  assert.equal(await page.getByLabel('Also take off what the calendar lacks').isChecked(), true)
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText('1 new, 7 changed, 2 taken off.').waitFor()
})

test('games and songs', async () => {
  await goTo('Board games')
  const games = Array.from({ length: 30 }, (_, index) => ({ gameName: `Game ${index}`, numCopies: 1 }))
  await page.getByLabel('Choose a file of games').setInputFiles(file('games.json', JSON.stringify(games)))
  await page.getByText('30 are new').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' })
  const songs = Array.from({ length: 40 }, (_, index) => `Singer ${index}\tSong ${index}`)
  await page.getByLabel('Choose a file of songs').setInputFiles(file('songs.txt', songs.join('\n')))
  await page.getByText('40 are new').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' })
})

test('3,000 codes', async () => {
  await goTo('Registration codes')
  const codes = Array.from({ length: 3000 }, (_, index) => `h${String(index).padStart(5, '0')}`)
  await page.getByLabel('Choose a list of codes').setInputFiles(file('codes.txt', codes.join('\r\n')))
  await page.getByText('3000 are new').waitFor()
  await page.getByRole('button', { name: 'Add them' }).click()
  await page.getByText('3000 codes were added.').waitFor()
  await page.getByLabel('Codes, with blanks').fill('H00007 xyzxyz h00008')
  await page.getByRole('button', { name: 'Delete these' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 codes were deleted. Used, and still there: 0. Unknown: 1.').waitFor()
  await page.getByRole('button', { name: 'Delete all 2998 that are free' }).waitFor()
})

test('a moderator', async () => {
  const [mo] = (await people(nodes, { username: 'Mo-of-the-team' })) as [Person]
  await goTo('The team')
  await page.getByRole('searchbox', { name: 'Find by name, cabin or code' }).fill('mo-of-the')
  await page.getByText('One account').waitFor()
  await page.getByRole('link', { name: /Mo-of-the-team/ }).click()
  await page.getByRole('button', { name: 'Make moderator' }).click()
  await sayYes(page)
  await page.getByText('is now moderator').waitFor()
  assert.equal((await body(admin.one.get(`/admin/users/${mo.id}`))).accessLevel, 'moderator')
})

test('texts of their own', async () => {
  await goTo('Texts')
  await page.getByRole('link', { name: /Code of conduct/ }).click()
  await page.getByLabel('Text in Markdown').fill('# Code of conduct\n\nBe kind.')
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText('Saved.').waitFor()
})

test('a backup every night, and one that was tried', async () => {
  await goTo('Backup')
  await page.getByLabel('Make a backup every night').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText(/The last one, .*: made\./).waitFor()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('Try of a backup: done').waitFor()
})

test('then everything is ready', async () => {
  await page.goto('/admin/event')
  for (const text of [
    '7 days are set.',
    '499 events lie on these days.',
    '30 games',
    '40 songs',
    '2998 codes',
    '2 people have a level',
    'The code of conduct is your own.',
    'No account has a password that everybody knows.',
    'one was restored as a try',
  ])
    await page.locator('.step.done', { hasText: text }).waitFor()
  await page.getByText('Everything is ready.').waitFor()
  untroubled(host)
})
