// Feedback, puzzle hunts and the table of time zones in the console; guides, the closed reports and the addresses that lead to them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { givenFeedback } from '../support/feedback.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { sayYes, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } }))
const openAs = async ({ username }: Person, options: Parameters<typeof web.openAs>[1] = {}): Promise<Page> =>
  (await web.openAs(username, { viewport: { width: 1280, height: 900 }, ...options })).page

test('feedback is read with its figures, marked for the whole team, searched, and taken along as a file', async () => {
  const [team, heidi, sam] = (await people(web.nodes, { level: 'serviceteam' }, { displayName: 'Heidi' }, { displayName: 'Sam' })) as [
    Person,
    Person,
    Person,
  ]
  const first = await givenFeedback(web.nodes, heidi)
  await givenFeedback(web.nodes, sam)
  await web.nodes.sql`update event_feedback set recap = '=1+1 went fine', issues = 'No chairs' where id = ${first}`
  const page = await openAs(team)
  await page.goto('/admin/feedback')
  const about = page.getByRole('article').filter({ hasText: 'went fine' })
  await about.getByText('No chairs').waitFor()
  await about.getByText('Heidi').waitFor()
  await about.getByRole('button', { name: 'Mark: something to do' }).click()
  await about.getByRole('button', { name: 'Take the mark away' }).waitFor()
  await page.getByRole('button', { name: 'Marked', exact: true }).click()
  await until(async () => (await page.getByRole('article').count()) === 1, 'the marked one is there')
  const second = (await body(team.one.get('/admin/feedback/reports'))) as { id: string; adminFields: { actionable: boolean } }[]
  assert.deepEqual(
    second.filter(({ adminFields }) => adminFields.actionable).map(({ id }) => id),
    [first],
  )
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByLabel('Search the feedback').fill('NO chairs')
  await until(async () => (await page.getByRole('article').count()) === 1, 'the one with these words is there')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'As a file' }).click()])
  const text = readFileSync(await file.path(), 'utf8')
  assert.equal(file.suggestedFilename(), 'feedback.csv')
  assert.match(text, /"'=1\+1 went fine","No chairs","user/)
  assert.equal(text.trim().split('\r\n').length, 3)
})

test('a poster leads from a room to the events that were there, and on to their feedback', async () => {
  const [admin, guest] = (await people(web.nodes, { level: 'admin' }, {})) as [Person, Person]
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const held = (uid: string, title: string, location: string) => ({
    uid,
    title,
    location,
    category: 'SHADOW CRUISE',
    start: at(-2),
    end: at(-1),
  })
  await apply(admin, [held('a', 'Knitting', 'Library'), held('b', 'Origami', 'Card room')])
  const page = await openAs(admin)
  await page.goto('/admin/feedback')
  await page.getByLabel('Room', { exact: true }).selectOption('Library')
  const address = (await page.locator('.poster .qr').getAttribute('aria-label')) as string
  assert.equal(new URL(address).pathname + new URL(address).search, '/eventfeedback?room=Library')
  const phone = await openAs(guest, { viewport: { width: 390, height: 780 } })
  await phone.goto('/eventfeedback?room=Library')
  const here = phone.locator('section', { hasText: 'In this room: Library' })
  await here.getByRole('link', { name: /Knitting/ }).waitFor()
  assert.equal(await here.getByRole('link', { name: /Origami/ }).count(), 0)
  await here.getByRole('link', { name: /Knitting/ }).click()
  await phone.getByLabel('How did it go?').waitFor()
})

test('a hunt manager makes a hunt, changes a puzzle, and removes it; somebody else finds no way there', async () => {
  const [manager, other] = (await people(web.nodes, { roles: ['huntmanager'] }, {})) as [Person, Person]
  const page = await openAs(manager)
  await page.goto('/hunts')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('link', { name: 'New hunt' }).click()
  await page.getByLabel('Title', { exact: true }).fill('The lost bell')
  await page.getByLabel('Title of the puzzle').fill('On the bridge')
  await page.getByLabel('Answer', { exact: true }).fill('The bell')
  await page.getByLabel('Replies to wrong answers').fill('horn = Louder\nnothing\ngong=Closer = warmer\n = nobody\ndrum =')
  await page.getByRole('button', { name: 'One more puzzle' }).click()
  await page.getByLabel('Title of the puzzle').nth(1).fill('Below')
  await page.getByLabel('Answer', { exact: true }).nth(1).fill('Rope')
  await page.getByLabel('Opens (ship time)').nth(1).fill('2030-03-03T12:00')
  await page.getByRole('button', { name: 'Make this hunt' }).click()
  await page.getByRole('link', { name: 'The lost bell' }).click()
  const [{ huntID }] = (await body(other.one.get('/hunts'))).hunts
  const whole = async () => await body(manager.one.get(`/hunts/${huntID}/admin`))
  const made = await whole()
  assert.deepEqual(
    made.puzzles.map(({ title, answer, hints }: Record<string, unknown>) => [title, answer, hints]),
    [
      ['On the bridge', 'The bell', { HORN: 'Louder', GONG: 'Closer = warmer' }],
      ['Below', 'Rope', {}],
    ],
  )
  const answer = page.getByLabel('Answer', { exact: true }).first()
  await answer.fill('A bell')
  await page.getByRole('button', { name: 'Save this puzzle' }).first().click()
  await until(async () => (await whole()).puzzles[0].answer === 'A bell', 'it is changed')
  assert.equal((await whole()).puzzles[1].unlockTime, made.puzzles[1].unlockTime)
  await page.getByRole('button', { name: 'Remove this hunt' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove this hunt' }).click()
  await page.getByText('There is no hunt yet').waitFor()
  const plain = await openAs(other)
  await plain.goto('/hunts')
  await plain.getByText('No hunts').first().waitFor()
  assert.equal(await plain.getByRole('link', { name: 'Edit' }).count(), 0)
  await plain.goto('/admin/hunts')
  await plain.getByText('This page is not for you').waitFor()
})

test('the table of time zones is shown to the team, and read again by admins, who are asked', async () => {
  const [admin, team] = (await people(web.nodes, { level: 'admin' }, { level: 'serviceteam' })) as [Person, Person]
  const { records } = await body(team.one.get('/admin/timezonechanges'))
  const page = await openAs(team)
  await page.goto('/admin/timezones')
  await page.getByRole('row').nth(records.length).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Read the file again' }).count(), 0)
  const second = await openAs(admin)
  await second.goto('/admin/timezones')
  await second.getByRole('button', { name: 'Read the file again' }).click()
  await sayYes(second)
  await second.getByText(/changes? (is|are) known/).waitFor()
})

test('addresses of guides, privacy, signing out, games and closed reports lead to these', async () => {
  const [moderator] = (await people(web.nodes, { level: 'moderator' })) as [Person]
  const page = await openAs(moderator)
  for (const [address, heading, words] of [
    ['/moderator/guide', 'For moderators', 'What each button does'],
    ['/lfg/faq', 'Groups, in short', 'What happens when I join?'],
    ['/fez/faq', 'Groups, in short', 'Who reads along?'],
    ['/privacy', 'What is kept of you', 'Who sees what'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByRole('heading', { name: words }).waitFor()
  }
  await page.goto('/reports/closed')
  await page.getByRole('button', { name: 'Closed', exact: true, pressed: true }).waitFor()
  const { gameArray } = await body(moderator.one.get('/boardgames?limit=1'))
  if (gameArray.length > 0) {
    await page.goto(`/boardgames/${gameArray[0].gameID}/createfez`)
    await page.getByRole('dialog', { name: gameArray[0].gameName }).getByRole('link', { name: 'Start a group' }).waitFor()
  }
  await page.goto('/boardgames/guide')
  await page.getByRole('slider').first().waitFor()
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
})
