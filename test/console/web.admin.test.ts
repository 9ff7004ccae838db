// The host's pages of the console, in a real browser.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { figuresIn } from '../../src/console/figures.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply, calendar, type Listed } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { hasCount, sayYes, webTests } from '../support/web.ts'

let nodes: TestNodes
const host = {} as Record<'moderator' | 'serviceteam' | 'tho' | 'admin', Person>
const desk = { width: 1280, height: 860 }

const web = webTests(
  () => startTestNodes(2, { workers: 1 }),
  async (started) => {
    nodes = started
    for (const level of ['moderator', 'serviceteam', 'tho', 'admin'] as const) host[level] = (await people(nodes, { level }))[0] as Person
  },
)

async function openAs({ username }: Person, options: Parameters<typeof web.openAs>[1] = {}): Promise<Page> {
  return (await web.openAs(username, { viewport: desk, ...options })).page
}

test('somebody is found by name, becomes a moderator with a role, and is signed out', async () => {
  const [user] = (await people(nodes, { username: 'Find-me-here', displayName: 'Findus' })) as [Person]
  const page = await openAs(host.tho)
  await page.goto('/admin/users')
  await page.getByRole('searchbox', { name: 'Find by name, cabin or code' }).fill('findus')
  await page.getByText('One account').waitFor()
  await page.getByRole('link', { name: /Findus/ }).click()
  await page.getByRole('button', { name: 'Make moderator' }).click()
  await sayYes(page)
  await page.getByText('is now moderator').waitFor()
  await page.getByLabel('karaoke manager').click()
  await sayYes(page)
  await until(async () => {
    const { roles, accessLevel } = await body(host.admin.one.get(`/admin/users/${user.id}`))
    return roles.includes('karaokemanager') && accessLevel === 'moderator'
  }, 'level and role are there')
  await page.getByRole('button', { name: 'Take the level away' }).click()
  await sayYes(page)
  await page.getByRole('button', { name: 'Make moderator' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Make head of the team' }).count(), 0, 'only an admin can')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await sayYes(page)
  await page.getByText('No device').waitFor()
  assert.equal((await user.two.get('/user/whoami')).status, 401)
})

test('several people are chosen on a desk, get a role at once, and lose it again; a code and a cabin lead to their person', async () => {
  const [anna, bert] = (await people(nodes, { username: 'Anna-of-many' }, { username: 'Bert-of-many', roles: ['shutternaut'] })) as [
    Person,
    Person,
  ]
  await nodes.sql`insert into registration_code (code, person_id) values ('k7m2p9', ${anna.id})`
  await nodes.sql`update account set room_number = 'C-312' where id = ${bert.id}`
  const roles = async ({ id }: Person) => (await body(host.admin.one.get(`/admin/users/${id}`))).roles
  const page = await openAs(host.tho)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/admin/users')
  const search = page.getByRole('searchbox', { name: 'Find by name, cabin or code' })
  await search.fill('of-many')
  await page.getByRole('cell', { name: 'C-312' }).waitFor()
  await page.getByRole('button', { name: 'Cabin' }).click()
  await hasCount(page.getByRole('cell', { name: 'C-312' }), 0)
  for (const name of ['Anna-of-many', 'Bert-of-many']) await page.getByLabel(`Choose ${name}`).check()
  await page.getByLabel('What', { exact: true }).selectOption('addRole')
  await page.getByLabel('Role', { exact: true }).last().selectOption('shutternaut')
  await page.getByText('For one of them it would change nothing').waitFor()
  await page.getByRole('button', { name: 'Do it for one' }).click()
  await page.getByRole('dialog').getByText('@Anna-of-many', { exact: true }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Give a role' }).click()
  await until(async () => (await roles(anna)).includes('shutternaut'), 'Anna has the role')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => !(await roles(anna)).includes('shutternaut'), 'Anna has lost it again')
  assert.deepEqual(await roles(bert), ['shutternaut'])

  await search.fill('K7M 2P9')
  await page.getByText('K7M2P9 is the code of').getByRole('link', { name: 'Anna-of-many' }).waitFor()
  await search.fill('c-312')
  await page.getByRole('link', { name: /Bert-of-many/ }).waitFor()
})

test('the dashboard shows the present and draws what was', async () => {
  const page = await openAs(host.serviceteam)
  for (const { node } of nodes.apps) figuresIn(node).sample()
  await page.goto('/admin')
  await page.getByText('Online now').waitFor()
  await page.getByText('The password of').waitFor()
  await nodes.sql`insert into figure select now() - hours * interval '1 hour', hours, 60, 0, 6, 2, 20, 1, 0, 100, 1000 from generate_series(1, 20) as hours`
  await page.getByRole('button', { name: 'Day' }).click()
  await page.locator('.plot canvas').first().waitFor()
  await hasCount(page.locator('.plot'), 4)
  const first = page.locator('.plot').first()
  const values = first.locator('.u-legend .u-value')
  assert.deepEqual((await values.allTextContents()).slice(1), ['–', '–'])
  const box = (await first.locator('.u-over').boundingBox()) as { x: number; y: number; width: number; height: number }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.locator('.u-legend .u-value', { hasText: /^\d+$/ }).first().waitFor()
})

test('a failed job is found and tried again', async () => {
  const ends = new Date(0).toISOString()
  await nodes.sql`
    insert into outbox (job, payload, run_at, failures, last_error)
    values ('ban-ending', ${nodes.sql.json({ personID: host.admin.id, until: ends })}, now(), 20, 'Error: no network')`
  const page = await openAs(host.tho)
  await page.goto('/admin/checks')
  await page.getByText('1 failed for good').waitFor()
  await page.getByRole('link', { name: 'Look' }).first().click()
  await page.getByText('Technical part').first().click()
  await page.getByText('Error: no network').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing waits').waitFor()
})

test('an admin has the servers read the database again, after a question; the service team is not offered it', async () => {
  assert.equal(await buttonsOn(await openAs(host.serviceteam)), 0)
  const page = await openAs(host.admin)
  assert.equal(await buttonsOn(page), 1)
  const orders = () => nodes.sql`select from audit where action = 'readAgain' and actor_id = ${host.admin.id}`
  await page.getByRole('button', { name: 'Read the database again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await orders()).length, 0)
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/admin/memory/reload', async (route) => {
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  const readAgain = page.getByRole('button', { name: 'Read the database again' })
  await readAgain.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Read the database again' }).click()
  await until(() => readAgain.isDisabled(), 'it cannot be pressed while that is under way')
  answer()
  await page.getByText('All servers read the database again.').waitFor()
  await until(() => readAgain.isEnabled(), 'it can be pressed once more')
  assert.equal((await orders()).length, 1)
})

/** How often the page of checks offers it. */
async function buttonsOn(page: Page): Promise<number> {
  await page.goto('/admin/checks')
  await page.locator('li.check').first().waitFor()
  return await page.getByRole('button', { name: 'Read the database again' }).count()
}

test('failed requests are listed by route, and found by the id of a request', async () => {
  await nodes.sql`alter table note rename to note_away`
  try {
    for (const id of ['first-broken', 'second-broken'])
      await host.tho.one.post(`/users/${host.admin.id}/note`, { note: 'a secret' }, { headers: { 'x-request-id': id } })
  } finally {
    await nodes.sql`alter table note_away rename to note`
  }
  const page = await openAs(host.admin)
  await page.goto('/admin/errors')
  const line = page.locator('li.group', { hasText: 'POST /api/v3/users/:user_id/note' })
  await line.getByText(/2 times, last/).waitFor()
  assert.equal(await line.count(), 1)
  // For a host in words; what programmers need is folded away.
  await line.getByText('With accounts and signing in').waitFor()
  await line.getByText('The program made a mistake').waitFor()
  assert.equal(await line.getByText('first-broken').isVisible(), false)
  await page.getByRole('searchbox').fill('second-broken')
  await line.getByText(/once, /).waitFor()
  await line.getByText('Technical part', { exact: true }).click()
  await line.getByText('second-broken').waitFor()
  await line.getByText(/once, /).waitFor()
  assert.equal(await page.getByText('first-broken').count(), 0)
})

test('the audit trail is searched by name', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  await body(host.tho.one.post(`/mod/user/${user.id}/ban`, { reason: 'x' }))
  const page = await openAs(host.admin)
  await page.goto('/admin/audit')
  await page.getByLabel('Whom (name or id)').fill(user.username)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('banned a person · Account').waitFor()
  await page.getByLabel('Action').selectOption({ label: 'gave a role' })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Nothing here').waitFor()
  await page.getByLabel('Action').selectOption({ label: 'banned a person' })
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('banned a person · Account').waitFor()
})

test('an announcement appears on the page of somebody else, and can be taken back', async () => {
  const [reader] = (await people(nodes, {})) as [Person]
  const other = await openAs(reader)
  await other.goto('/')
  await other.getByText('Waits for you').first().waitFor()
  const page = await openAs(host.serviceteam)
  await page.goto('/admin/announcements')
  await page.getByRole('button', { name: 'New announcement' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('The pool opens at noon')
  await page.getByRole('button', { name: 'Announce', exact: true }).click()
  await sayYes(page)
  await other.getByText('The pool opens at noon').first().waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await sayYes(page)
  await page.locator('.group', { hasText: 'The pool opens at noon' }).getByText('Taken back').waitFor()
  assert.deepEqual(await body(reader.one.get('/notification/announcements')), [])
})

test('a calendar is seen as changes, with who follows what, before it is applied', async () => {
  const at = (hour: number): Pick<Listed, 'start' | 'end'> => ({ start: `2025-03-03T${hour}:00:00Z`, end: `2025-03-03T${hour + 1}:00:00Z` })
  const before = [
    { uid: 'stays', title: 'Breakfast', location: 'Lido', ...at(10) },
    { uid: 'moves', title: 'Quiz', location: 'Lounge', ...at(11) },
    { uid: 'later', title: 'Concert', location: 'Theatre', ...at(12) },
    { uid: 'goes', title: 'Bingo', location: 'Lounge', ...at(13) },
  ]
  await apply(host.admin, before, { deletes: true })
  const [fan] = (await people(nodes, {})) as [Person]
  const quiz = (await body(fan.one.get('/events'))).find(({ uid }: { uid: string }) => uid === 'moves')
  await body(fan.one.post(`/events/${quiz.eventID}/favorite`), 201)
  const after = [
    before[0],
    { ...before[1], location: 'Atrium' },
    { ...before[2], ...at(15) },
    { uid: 'comes', title: 'Magic', location: 'Theatre', ...at(16) },
  ] as Listed[]

  const page = await openAs(host.serviceteam, { expected: /400 \(Bad Request\)/ })
  await page.goto('/admin/schedule')
  await page
    .getByLabel('Choose a calendar')
    .setInputFiles({ name: 'broken.ics', mimeType: 'text/calendar', buffer: Buffer.from('no calendar') })
  await page.getByRole('alert').waitFor()
  await page
    .getByLabel('Choose a calendar')
    .setInputFiles({ name: 'new.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar(after)) })
  for (const [kind, count] of [
    ['new', 1],
    ['gone', 1],
    ['time', 1],
    ['place', 1],
    ['text', 0],
  ] as const)
    await page.getByRole('button', { name: `${kind} ${count}`, exact: true }).waitFor()
  await page.getByText('One event stays as it is').waitFor()
  const moved = page.locator('.change', { hasText: 'Quiz' })
  await moved.locator('del', { hasText: 'Lounge' }).waitFor()
  await moved.locator('ins', { hasText: 'Atrium' }).waitFor()
  await moved.getByText('one follows it').waitFor()
  await page.getByText('1 of 4 events would be taken off').waitFor()
  assert.equal(await page.getByLabel('Also take off what the calendar lacks').isChecked(), false)
  await page.getByLabel('Also take off what the calendar lacks').check()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sayYes(page)
  await page.getByText('1 new, 2 changed, 1 taken off.').waitFor()
  await page.getByText('4 changes').first().waitFor()
  const titles = (await body(fan.one.get('/events'))).map(({ title }: { title: string }) => title)
  assert.deepEqual(titles.toSorted(), ['Breakfast', 'Concert', 'Magic', 'Quiz'])

  await page.getByRole('button', { name: 'Look: 4 changes' }).click()
  await page.getByRole('dialog').getByText('Magic').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Undo …' }).click()
  await page.getByText('Those who follow an event').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone: 1 are back, 2 are as before, 1 are off again.').waitFor()
  await page.getByText('4 changes taken back').waitFor()
  const back = (await body(fan.one.get('/events'))).map(({ title, isFavorite }: Record<string, unknown>) => [title, isFavorite])
  assert.ok(JSON.stringify(back).includes('["Quiz",true]'), 'it is followed as before')
})

test('an announcement is planned ahead, stands apart until then, and is taken back', async () => {
  const page = await openAs(host.serviceteam)
  await page.goto('/admin/announcements')
  await page.getByRole('button', { name: 'New announcement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text').fill('Fireworks at the bow')
  await dialog.getByLabel('Shown from').fill('2099-01-01T20:00')
  await dialog.getByLabel('Shown until').fill('2099-01-01T23:00')
  await dialog.getByRole('button', { name: 'Plan it' }).click()
  await sayYes(page)
  const row = page.getByRole('listitem').filter({ hasText: 'Fireworks at the bow' })
  await row.getByText(/from .*20:00|from .*8:00/).waitFor()
  assert.deepEqual(await body(host.moderator.one.get('/notification/announcements')), [])
  await row.getByRole('button', { name: 'Delete' }).click()
  await sayYes(page)
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await row.waitFor()
  assert.equal((await body(host.admin.two.get('/admin/announcements/planned'))).length, 1)
})

test('themes of many days come from one table, as changes, and are taken back together', async () => {
  const page = await openAs(host.tho)
  const themes = async () =>
    ((await body(host.moderator.one.get('/notification/dailythemes'))) as { cruiseDay: number; title: string; info: string }[])
      .filter(({ cruiseDay }) => cruiseDay >= 40)
      .map(({ cruiseDay, title, info }) => `${cruiseDay} ${title} ${info}`)
  await body(host.tho.one.post('/admin/dailytheme/create', { title: 'Old', info: 'Was here', cruiseDay: 41 }), 201)
  await page.goto('/admin/themes')
  await page.getByText('Day 41: Old').waitFor()
  await page.getByRole('button', { name: 'From a table' }).click()
  const dialog = page.getByRole('dialog')
  const lines = dialog.getByLabel('A day on each line: number, title, text')
  await lines.fill('40; Hats; Any; even two\nmonday; Ties\n41\tPirates\tArr\n41; Twice')
  await dialog.getByText('2 lines have no day and title, or their day was named before: 2, 4').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true)
  await lines.fill('40; Hats; Any; even two\n41\tPirates\tArr\n')
  await dialog.getByText('Pirates').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Write 2 themes?').waitFor()
  await sayYes(page)
  await page.getByText('Day 41: Pirates').waitFor()
  assert.deepEqual(await themes(), ['40 Hats Any; even two', '41 Pirates Arr'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByText('Day 41: Old').waitFor()
  assert.deepEqual(await themes(), ['41 Old Was here'])
})

test('codes are looked at, added and printed; a list with a wrong line adds nothing', async () => {
  const page = await openAs(host.admin)
  await page.goto('/admin/codes')
  const file = (text: string) => ({ name: 'codes.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  const list = Array.from({ length: 3000 }, (_, index) => `w${String(index).padStart(5, '0')}`)
  await page.getByLabel('Choose a list of codes').setInputFiles(file([...list, 'too long a line'].join('\n')))
  await page.getByText('One line is no code: 3001').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add them' }).count(), 0)
  await page.getByLabel('Choose a list of codes').setInputFiles(file(list.join('\r\n')))
  await page.getByText('3000 are new').waitFor()
  await page.getByRole('button', { name: 'Add them' }).click()
  await page.getByText('3000 codes were added.').waitFor()
  await page.getByRole('button', { name: 'Cards for all that are free' }).click()
  await page.locator('.code-card .qr').first().waitFor()
  await page.getByRole('button', { name: /^Print 3\d{3} cards$/ }).waitFor()
  const [holder] = (await people(nodes, { displayName: 'Holder' })) as [Person]
  await nodes.sql`update registration_code set person_id = ${holder.id} where code = 'w00007'`
  await page.getByLabel('Whose code is it?').fill('W00 007')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText(`@${holder.username}`).waitFor()
})

test('codes are made, found again with whose they are, saved as a file, and printed ten on a page', async () => {
  const page = await openAs(host.admin, { expected: /400 \(Bad Request\)/ })
  await page.goto('/admin/codes')
  const tile = page.locator('.tile').filter({ has: page.getByText('Codes', { exact: true }) })
  await page.getByLabel('How many').fill('25')
  await page.getByLabel('They begin with').fill('q-')
  await page.getByRole('button', { name: 'Make codes' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('They begin with').fill('1l')
  await page.getByRole('button', { name: 'Make codes' }).click()
  await page.getByText('25 codes were made.').waitFor()
  const codes = (await nodes.sql<{ code: string }[]>`select code from registration_code where code like '1l%' order by code`).map(
    ({ code }) => code,
  )
  assert.equal(codes.length, 25)
  const [{ count }] = await nodes.sql<[{ count: number }]>`select count(*)::int from registration_code`
  await tile.getByText(new Intl.NumberFormat('en').format(count), { exact: true }).waitFor()

  const [holder] = (await people(nodes, { displayName: 'Quincy' })) as [Person]
  await nodes.sql`update registration_code set person_id = ${holder.id} where code = ${codes[3] as string}`
  await page.getByLabel('Find by code or name').fill('quincy')
  const row = page.getByRole('listitem').filter({ hasText: 'Quincy' })
  await row.getByRole('link', { name: /Quincy/ }).waitFor()
  await page.getByLabel('Find by code or name').fill('1L')
  await page.getByRole('button', { name: 'These 25 as a file' }).waitFor()
  await page.getByLabel('State').selectOption('free')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'These 24 as a file' }).click()])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  assert.equal(lines.length, 25)
  assert.ok(!lines.some((line) => line.includes(codes[3] as string)))

  await page.getByRole('button', { name: 'Cards for the 25 new ones' }).click()
  await page.getByRole('button', { name: 'Print 25 cards' }).waitFor()
  const target = await page.locator('.code-card .qr').first().getAttribute('aria-label')
  assert.equal(new URL(target as string).pathname + new URL(target as string).search, `/createAccount?code=${codes[0]}`)
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
  assert.equal((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length, 3)
})

test('a setting and a feature are changed by an admin, and only looked at by the service team', async () => {
  const looker = await openAs(host.serviceteam)
  await looker.goto('/admin/settings')
  await looker.getByText('An admin can change them').waitFor()
  assert.equal(await looker.getByLabel('Name of the Wi-Fi aboard').isDisabled(), true)
  const page = await openAs(host.admin)
  await page.goto('/admin/settings')
  await page.getByLabel('Name of the Wi-Fi aboard').fill('Ship-Net')
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText('Name of the Wi-Fi aboard: now “Ship-Net”.').waitFor()
  await page.getByLabel('Karaoke in everywhere', { exact: true }).click()
  await sayYes(page)
  await until(async () => {
    const { shipWifiSSID, disabledFeatures } = await body(host.admin.two.get('/admin/serversettings'))
    return shipWifiSSID === 'Ship-Net' && JSON.stringify(disabledFeatures).includes('"karaoke"')
  }, 'both are in force on the other node')
  const tick = page.getByLabel('Karaoke in everywhere', { exact: true })
  await until(async () => !(await tick.isChecked()), 'and on the page')
  await tick.click()
  await sayYes(page)
  await until(async () => (await body(host.admin.two.get('/admin/serversettings'))).disabledFeatures.length === 0, 'and back')
})

test('a setting shows its default and who changed it, and goes back', async () => {
  await body(host.admin.one.post('/admin/serversettings/update', { maxForumPostImages: 7, enableFeatures: [], disableFeatures: [] }))
  const page = await openAs(host.admin)
  await page.goto('/admin/settings')
  const setting = page.locator('.setting', { has: page.getByLabel('Pictures in a forum post') })
  await setting.getByText('Default: 4.').waitFor()
  await setting.getByText(new RegExp(`Last changed by .*${host.admin.username}`)).waitFor()
  await setting.getByRole('button', { name: 'Pictures in a forum post: back to the default' }).click()
  await sayYes(page)
  await setting.getByText('This is the default.').waitFor()
  await until(async () => (await body(host.admin.two.get('/admin/serversettings'))).maxForumPostImages === 4, 'it is the default again')
})

test('settings are found by words, and have the units of people', async () => {
  const page = await openAs(host.admin)
  await page.goto('/admin/settings')
  await page.getByLabel('Search settings').fill('photo')
  await page.getByRole('textbox', { name: 'Name of the Wi-Fi aboard' }).waitFor({ state: 'detached' })
  const pause = page.locator('.setting', { has: page.getByLabel('Pause between photos, in minutes') })
  assert.equal(await pause.getByRole('spinbutton').inputValue(), '5')
  await pause.getByText('From 0 to 1440').waitFor()
  await pause.getByRole('spinbutton').fill('7.5')
  await pause.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByText('5 min').waitFor()
  await sayYes(page)
  await page.getByText('Pause between photos, in minutes: now “7.5 min”.').waitFor()
  await pause.getByText('Default: 5 min.').waitFor()
  assert.equal((await body(host.admin.two.get('/admin/serversettings'))).photostreamUploadRateLimit, 450)
  await pause.getByRole('button', { name: /back to the default/ }).click()
  await sayYes(page)
  await pause.getByText('This is the default.').waitFor()
  await page.getByLabel('Search settings').fill('karaoke')
  await page.getByLabel('Karaoke in everywhere', { exact: true }).waitFor()
  await pause.waitFor({ state: 'detached' })
})

test('a text is written with a preview, seen by somebody without an account, and goes back', async () => {
  const page = await openAs(host.tho)
  await page.goto('/admin/texts')
  await page.getByRole('link', { name: /Questions and answers/ }).click()
  const field = page.getByLabel('Text in Markdown')
  await field.fill('# Ours\n\nWhere is the **bar**?')
  await page.getByRole('article', { name: 'How it looks' }).locator('b', { hasText: 'bar' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText(/Last changed by/).waitFor()
  const stranger = await web.open({ baseURL: nodes.urls[1] as string })
  await stranger.page.goto('/faq')
  await stranger.page.getByText('Where is the bar?').waitFor()
  await page.getByRole('button', { name: 'Back to the delivered text' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back to the delivered text' }).click()
  await page.getByText('The text that comes with the server.').waitFor()
  const reader = await openAs(host.serviceteam)
  await reader.goto('/admin/texts/faq.md')
  await reader.getByLabel('Text in Markdown').waitFor()
  assert.equal(await reader.getByRole('button', { name: 'Save' }).count(), 0)
})

test('a backup is made, tried, and downloaded with a fresh password', async () => {
  const page = await openAs(host.admin, { expected: /400 \(Bad Request\)/ })
  await page.goto('/admin/backups')
  await page.getByRole('button', { name: 'Make a backup now' }).click()
  await page.getByText('Backup: done').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('Try of a backup: done').waitFor()
  await page.getByText('it can be restored').waitFor()
  await page.getByRole('button', { name: 'Download …' }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByText('The password is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()])
  assert.match(file.suggestedFilename(), /^quarterdeck-[\d-]+\.tar$/)
  assert.equal(await file.failure(), null)
})

test('what the server says of checks and of long work is in the language of the reader', async () => {
  await body(host.admin.one.post('/admin/backups'))
  const page = await openAs(host.admin)
  await page.evaluate("localStorage.setItem('language', 'de')")
  await page.goto('/admin/backups')
  await page.getByText('Sicherung: fertig').first().waitFor()
  await page
    .getByText(/Die Datenbank und \d+ Bilddateien/)
    .first()
    .waitFor()
  await page.goto('/admin/checks')
  await page.getByText(/die neueste ist quarterdeck-/).waitFor()
  await page.getByText('npm run setup macht andere.').waitFor()
})

test('everybody gets what the server knows about them as a file', async () => {
  const [user] = (await people(nodes, { displayName: 'Own' })) as [Person]
  const page = await openAs(user, { viewport: { width: 390, height: 844 } })
  await page.goto('/account')
  await page.getByRole('link', { name: 'My data' }).click()
  await page.getByRole('button', { name: 'Make the file' }).click()
  await page.getByText('It stays for a day').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()])
  assert.equal(file.suggestedFilename(), 'quarterdeck-my-data.zip')
  assert.equal(await file.failure(), null)
})
