// Switches that touch everybody: each says whom it touches, asks, and can be undone; and two hosts at the same thing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { settled, webTests } from '../support/web.ts'

let nodes: TestNodes
let admin: Person
let other: Person
const desk = { width: 1280, height: 900 }

const web = webTests(
  () => startTestNodes(2),
  async (started) => {
    nodes = started
    ;[admin, other] = (await people(nodes, { level: 'admin', displayName: 'Ada' }, { level: 'admin', displayName: 'Otto' })) as [
      Person,
      Person,
    ]
    await people(nodes, {}, {}, { level: 'moderator' })
  },
)

const openAs = async ({ username }: Person, options: Parameters<typeof web.openAs>[1] = {}): Promise<Page> =>
  (await web.openAs(username, { viewport: desk, ...options })).page

/** The question, once it says whom the switch touches. */
async function asked(
  page: Page,
  title: string | RegExp,
  whom: RegExp | string = /touches everybody: \d+ people, \d+ of them connected/,
): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText(whom).waitFor()
  return dialog
}
const undoable = 'You can undo it for ten seconds.'
/** Undoes what the message says. */
const undo = async (page: Page, said: string | RegExp = '') => {
  await page.locator('.toast', { hasText: said }).getByRole('button', { name: 'Undo' }).click()
  const done = page.locator('.toast', { hasText: 'Undone: it is as it was before.' })
  await done.waitFor()
  await done.getByRole('button', { name: 'Close' }).click()
  await done.waitFor({ state: 'detached' })
}
const settingOf = async (name: string): Promise<unknown> => {
  const states = (await body(admin.two.get('/admin/settings'))) as { name: string; value: string }[]
  return JSON.parse(states.find((each) => each.name === name)?.value as string)
}
const becomes = (name: string, value: unknown) =>
  until(async () => JSON.stringify(await settingOf(name)) === JSON.stringify(value), `${name} is ${JSON.stringify(value)}`)

test('settings: a feature, the level that may come in and a number say whom they touch, ask, and are undone', async () => {
  const page = await openAs(admin)
  await page.goto('/admin/settings')

  // A feature.
  const karaoke = page.getByRole('checkbox', { name: 'Karaoke in everywhere', exact: true })
  await karaoke.click()
  let dialog = await asked(page, 'Switch off “Karaoke” everywhere?')
  await dialog.getByText(undoable).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await karaoke.isChecked(), true, 'no is no')
  assert.deepEqual(await settingOf('disabledFeatures'), [])
  await karaoke.click()
  dialog = await asked(page, 'Switch off “Karaoke” everywhere?')
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await becomes('disabledFeatures', [{ appName: 'all', featureName: 'karaoke' }])
  await undo(page)
  await becomes('disabledFeatures', [])

  // Who may come in.
  await page.getByLabel('Open to').selectOption('moderator')
  dialog = await asked(page, 'Change “Open to”?', /^\d+ people can then no longer use the app, \d+ of whom are here now/)
  await dialog.getByRole('button', { name: 'Change' }).click()
  await becomes('minAccessUserLevel', 'moderator')
  await undo(page)
  await becomes('minAccessUserLevel', 'banned')

  // A number; and back to the default.
  const field = page.getByRole('spinbutton', { name: 'Longest list of forums' })
  const before = await settingOf('maximumForums')
  await field.fill('77')
  await field.press('Enter')
  dialog = await asked(page, 'Change “Longest list of forums”?')
  await dialog.getByText(`From “${String(before)}” to “77”.`).waitFor()
  await dialog.getByRole('button', { name: 'Change' }).click()
  await becomes('maximumForums', 77)
  await page.getByRole('button', { name: 'Longest list of forums: back to the default' }).click()
  dialog = await asked(page, 'Change “Longest list of forums”?')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await becomes('maximumForums', before)
  await undo(page, `Longest list of forums: now “${String(before)}”.`)
  await becomes('maximumForums', 77)
})

test('a setting that another host has changed meanwhile: nothing is written, theirs is shown, and undoing does not undo theirs', async () => {
  const page = await openAs(admin, { expected: /ERR_FAILED|409 \(Conflict\)/ })
  await page.goto('/admin/settings')
  const field = page.getByRole('spinbutton', { name: 'Longest list of short posts' })
  const set = (maximumTwarrts: number) =>
    body(other.one.post('/admin/serversettings/update', { maximumTwarrts, enableFeatures: [], disableFeatures: [] }))
  await field.fill('90')
  // The page does not hear of it.
  await page.route('**/api/v3/admin/settings', (route) => route.abort())
  await set(66)
  await field.press('Enter')
  let dialog = await asked(page, 'Change “Longest list of short posts”?')
  await page.unroute('**/api/v3/admin/settings')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await page.getByText('Somebody else has changed the setting maximumTwarrts').waitFor()
  assert.equal(await settingOf('maximumTwarrts'), 66)
  // Now it asks with what the other has made of it.
  await field.press('Enter')
  dialog = await asked(page, 'Change “Longest list of short posts”?')
  await dialog.getByText('From “66” to “90”.').waitFor()
  await dialog.getByRole('button', { name: 'Change' }).click()
  await becomes('maximumTwarrts', 90)
  await set(67)
  await page.locator('.toast', { hasText: 'now “90”' }).getByRole('button', { name: 'Undo' }).click()
  await page.locator('.toast.wrong', { hasText: 'Somebody else has changed' }).waitFor()
  assert.equal(await settingOf('maximumTwarrts'), 67)
})

test('announcements and themes: asked, undone; words of another host are shown before the own are sent', async () => {
  const page = await openAs(admin, { expected: /409 \(Conflict\)/ })
  await page.goto('/admin/announcements')
  const list = async () =>
    (await body(admin.one.get('/notification/announcements?inactives=true'))) as { id: number; text: string; isDeleted: boolean }[]
  await page.getByRole('button', { name: 'New announcement' }).click()
  await page.getByLabel('Text').fill('Boat drill at four')
  await page.getByRole('button', { name: 'Announce', exact: true }).click()
  let dialog = await asked(page, 'Announce this to everybody?', /\d+ people get it: \d+ at once/)
  await dialog.getByText('Boat drill at four').waitFor()
  await dialog.getByRole('button', { name: 'Announce' }).click()
  await until(async () => (await list()).some(({ isDeleted }) => !isDeleted), 'it is out')
  await undo(page)
  assert.deepEqual(
    (await list()).map(({ isDeleted }) => isDeleted),
    [true],
  )

  // Edited by two.
  const displayUntil = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await body(other.one.post('/notification/announcement/create', { text: 'Lunch at noon', displayUntil }), 201)
  const { id } = (await list())[0] as { id: number }
  await page.reload()
  await page.locator('.group', { hasText: 'Lunch at noon' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Text').fill('Lunch at half past twelve')
  await body(other.one.post(`/notification/announcement/${id}/edit`, { text: 'Lunch at one', displayUntil }))
  await page.getByRole('button', { name: 'Save' }).click()
  dialog = await asked(page, 'Change this announcement?', /people could read it/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const theirs = page.locator('.meanwhile')
  await theirs.getByText('Lunch at one').waitFor()
  const textOf = async () => (await list()).find((each) => each.id === id)?.text
  assert.equal(await textOf(), 'Lunch at one')
  assert.equal(await page.getByLabel('Text').inputValue(), 'Lunch at half past twelve')
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
  await theirs.getByRole('button', { name: 'Keep my words' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  dialog = await asked(page, 'Change this announcement?', /people could read it/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await textOf()) === 'Lunch at half past twelve', 'the own words are written')
  await undo(page)
  assert.equal(await textOf(), 'Lunch at one')

  // A theme.
  await page.goto('/admin/themes')
  const themes = async () => ((await body(admin.one.get('/notification/dailythemes'))) as { title: string }[]).map(({ title }) => title)
  await body(admin.one.post('/admin/dailytheme/create', { title: 'Pirates', info: 'Arr', cruiseDay: 2 }), 201)
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Delete …' }).click()
  dialog = await asked(page, 'Delete this theme?')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await until(async () => (await themes()).length === 0, 'it is gone')
  await undo(page)
  assert.deepEqual(await themes(), ['Pirates'])
})

test('levels and roles of the team: asked with what they may and how many there are, and undone', async () => {
  const [user] = (await people(nodes, { displayName: 'Uwe' })) as [Person]
  const page = await openAs(admin)
  await page.goto(`/admin/users/${user.id}`)
  const levelOf = async () => (await body(admin.two.get(`/admin/users/${user.id}`))).accessLevel as string
  await page.getByRole('button', { name: 'Make moderator' }).click()
  let dialog = await asked(page, 'Give Uwe the level moderator?', /the level moderator so far/)
  await dialog.getByText('They see all reports').waitFor()
  await dialog.getByRole('button', { name: 'Change' }).click()
  await until(async () => (await levelOf()) === 'moderator', 'a moderator')
  // Until the page knows it, what it asks for is based on the level before.
  await page.getByRole('button', { name: 'Make moderator' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Make head of the team' }).click()
  dialog = await asked(page, 'Give Uwe the level head of the team?', /the level head of the team so far/)
  await dialog.getByRole('button', { name: 'Change' }).click()
  await until(async () => (await levelOf()) === 'tho', 'head of the team')
  await undo(page, 'head of the team')
  await until(async () => (await levelOf()) === 'moderator', 'a moderator again')
  const tick = page.getByRole('checkbox', { name: 'photographer', exact: true })
  await tick.click()
  dialog = await asked(page, 'Give Uwe the role photographer?', /this role so far/)
  await dialog.getByRole('button', { name: 'Change' }).click()
  const rolesOf = async () => (await body(admin.two.get(`/admin/users/${user.id}`))).roles as string[]
  await until(async () => (await rolesOf()).includes('shutternaut'), 'a photographer')
  await undo(page, 'photographer')
  assert.deepEqual(await rolesOf(), [])
})

test('texts, the dates of the event and the schedule: asked and undone; the end says that it cannot be', async () => {
  const page = await openAs(admin)
  await page.goto('/admin/texts/faq.md')
  const field = page.locator('textarea')
  const delivered = await field.inputValue()
  await field.fill('# Where is the bar?')
  await page.getByRole('button', { name: 'Save' }).click()
  let dialog = await asked(page, /Put this text in place of/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const textOf = async () =>
    ((await body(admin.two.get('/admin/texts'))) as { name: string; content: string }[]).find(({ name }) => name === 'faq.md')?.content
  await until(async () => (await textOf()) === '# Where is the bar?', 'the text is out')
  await undo(page)
  assert.equal(await textOf(), delivered)

  await page.goto('/admin/event')
  await page.getByRole('button', { name: 'Name and dates' }).click()
  const { trip } = await body(admin.one.get('/admin/event'))
  await page.getByLabel('Name of the event').fill('Sea days')
  await page.getByRole('button', { name: 'Save' }).click()
  dialog = await asked(page, 'Change name or dates of the event?')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await body(admin.two.get('/admin/event'))).trip.eventName === 'Sea days', 'it has a name')
  await undo(page)
  assert.deepEqual((await body(admin.two.get('/admin/event'))).trip, trip)

  // The schedule.
  const event = (uid: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20260301T100000Z\r\nDTEND:20260301T110000Z\r\nSUMMARY:${uid}\r\nLOCATION:Deck\r\nEND:VEVENT\r\n`
  const calendar = (...uids: string[]) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n${uids.map(event).join('')}END:VCALENDAR\r\n`
  await body(admin.one.post('/admin/schedule/update', { schedule: calendar('one', 'two', 'three') }))
  await body(admin.one.post('/admin/schedule/update/apply?processDeletes=true'))
  await page.goto('/admin/schedule')
  const upload = async (...uids: string[]) =>
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar(...uids)) })
  await upload('one', 'two', 'four')
  await page.getByRole('checkbox', { name: 'These days are meant' }).check()
  await page.getByRole('checkbox', { name: 'Also take off what the calendar lacks' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  dialog = await asked(page, 'Change the schedule for everybody?')
  await dialog.getByText('1 new, 0 changed, 1 taken off.').waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const titles = async () => ((await body(admin.two.get('/events'))) as { title: string }[]).map(({ title }) => title).toSorted()
  await until(async () => (await titles()).includes('four'), 'it is applied')
  await undo(page)
  assert.deepEqual(await titles(), ['one', 'three', 'two'])

  // The end.
  await body(admin.one.post('/admin/event/trip', { ...trip, eventName: 'Sea days' }))
  await page.goto('/admin/end')
  await page.getByText(/It removes the accounts of \d+ people/).waitFor()
  await page.getByText('It cannot be undone.').waitFor()
})

test('the backup of the night and the door for moving users: asked, undone, and not over what another host has set', async () => {
  const page = await openAs(admin, { expected: /409 \(Conflict\)/ })
  const scheduleOf = async () => (await body(admin.two.get('/admin/backups'))).schedule
  const before = await scheduleOf()
  await page.goto('/admin/backups')
  const nightly = page.getByLabel('Make a backup every night')
  await nightly.check()
  await page.getByLabel('At (ship time)').selectOption('3')
  await page.getByRole('button', { name: 'Save' }).click()
  let dialog = await asked(page, 'Change the backup of the night?', /One is made every night at 03:00/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await scheduleOf(), before)
  await page.getByRole('button', { name: 'Save' }).click()
  dialog = await asked(page, 'Change the backup of the night?', /One is made every night at 03:00/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await until(async () => (await scheduleOf()).hour === 3, 'it is made at three')
  await undo(page)
  assert.deepEqual(await scheduleOf(), before)
  // Another host was faster: nothing is written.
  await page.reload()
  await nightly.check()
  await body(other.one.post('/admin/backups/schedule', { nightly: false, hour: 7, keep: 5 }))
  await page.getByRole('button', { name: 'Save' }).click()
  await (await asked(page, 'Change the backup of the night?', /One is made every night/)).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody else has changed the backup of the night').waitFor()
  assert.deepEqual(await scheduleOf(), { nightly: false, hour: 7, keep: 5 })

  await page.goto('/admin/moving')
  const early = await settingOf('enablePreregistration')
  await page.getByRole('button', { name: 'Let only admins in' }).click()
  dialog = await asked(page, 'Close the server to everybody but admins?', /^\d+ people can then no longer use the app/)
  await dialog.getByRole('button', { name: 'Let only admins in' }).click()
  await becomes('minAccessUserLevel', 'admin')
  await becomes('enablePreregistration', false)
  await undo(page)
  await becomes('minAccessUserLevel', 'banned')
  await becomes('enablePreregistration', early)
})

test('performers come as a file: what changes for everybody is asked first, and that it cannot be undone is said', async () => {
  const page = await openAs(admin)
  await page.goto('/admin/performers')
  const file = JSON.stringify([
    { header: { name: 'The Lamplighters', isOfficialPerformer: true }, yearsAttended: [], scrapedEventRefs: [] },
  ])
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Apply' }).click()
  const dialog = await asked(page, 'Change the performers for everybody?')
  await dialog.getByText('1 new, 0 changed, 0 taken off.').waitFor()
  await dialog.getByText('It cannot be undone.').waitFor()
  const names = async () => ((await body(admin.two.get('/performer/official'))).performers as { name: string }[]).map(({ name }) => name)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(await names(), [])
  await page.getByRole('button', { name: 'Apply' }).click()
  await (await asked(page, 'Change the performers for everybody?')).getByRole('button', { name: 'Apply' }).click()
  await until(async () => (await names()).includes('The Lamplighters'), 'they are here')
})

test('the question and the way back are accessible, by day and by night, wide and narrow', async () => {
  const page = await openAs(admin, { bypassCSP: true })
  await page.goto('/admin/settings')
  const found: string[] = []
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await settled(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.getByRole('checkbox', { name: 'Karaoke in everywhere', exact: true }).click()
      const dialog = await asked(page, 'Switch off “Karaoke” everywhere?')
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'wider than the screen')
      found.push(...(await violations(page)).map((each) => `${width} ${colorScheme} question: ${each}`))
      await dialog.getByRole('button', { name: 'Switch off' }).click()
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor()
      found.push(...(await violations(page)).map((each) => `${width} ${colorScheme} undo: ${each}`))
      await undo(page)
    }
  }
  assert.deepEqual(found, [])
})
