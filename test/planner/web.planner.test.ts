// One's day: what fits into free time, and what has changed since one last looked, with what fits instead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, lfg, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { body } from '../support/fez.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()

const hourMs = 60 * 60_000
/** Full hours from the next one on. */
const at = (hours: number) => new Date((Math.floor(Date.now() / hourMs) + 1 + hours) * hourMs).toISOString()
const listed = (uid: string, title: string, from: number, to: number, location = 'Lido') => ({
  uid,
  title,
  location,
  start: at(from),
  end: at(to),
})

test('what has changed in one’s plan is said until it is read, with what it clashes with and what fits instead', async () => {
  const [admin, ann] = (await people(web.nodes, { level: 'admin' }, {})) as [Person, Person]
  const dinner = listed('dinner', 'Dinner', 20, 22)
  const knots = listed('knots', 'Knots', 20, 21, 'Sun deck')
  const trivia = listed('trivia', 'Trivia', 26, 27)
  const gone = listed('gone', 'Juggling', 30, 31)
  await apply(admin, [dinner, knots, trivia, gone])
  const events = (await body(ann.one.get('/events'))) as { eventID: string; title: string }[]
  for (const { eventID, title } of events) if (title !== 'Knots') await body(ann.one.post(`/events/${eventID}/favorite`), 201)
  const { page } = await web.openAs(ann.username)
  await page.goto('/dayplanner')
  await page.getByText('Juggling').waitFor()
  assert.equal(await page.getByText('Changed in your plan').count(), 0)
  await page.waitForFunction(`indexedDB.databases().then((all) => all.length > 0)`)

  await apply(admin, [dinner, knots, { ...trivia, start: at(20), end: at(21), location: 'Stage' }])
  await page.reload()
  const change = (title: string) => page.locator('.card.notice').filter({ hasText: title })
  const moved = change('Trivia')
  await moved.getByText(/→.*Lido → Stage/).waitFor()
  await moved.getByText('At the same time as Dinner').waitFor()
  await change('Juggling').getByText('No longer in the schedule').waitFor()
  // It is said again, also without a network, until it is read.
  await page.reload()
  await moved.getByRole('button', { name: 'Got it' }).click()
  await moved.waitFor({ state: 'detached' })
  await change('Juggling').getByRole('button', { name: 'Got it' }).click()
  await page.getByText('Changed in your plan').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Dinner').first().waitFor()
  assert.equal(await page.getByText('Changed in your plan').count(), 0)

  // In place of dinner there is room for something else, beside what is still planned.
  await apply(admin, [
    { ...knots, start: at(21), end: at(22) },
    { ...trivia, start: at(20), end: at(21), location: 'Stage' },
  ])
  await page.reload()
  await change('Dinner').getByRole('link', { name: /Knots/ }).waitFor()
})

test('two hours: what fits, beside the plan, groups with room, and what can be followed from there', async () => {
  const [admin, ann, bob] = (await people(web.nodes, { level: 'admin' }, {}, {})) as [Person, Person, Person]
  await apply(admin, [
    listed('1', 'Trivia', 0, 1, 'Lido, Deck 9, Aft'),
    listed('2', 'Concert', 1, 2, 'Stage, Deck 2, Forward'),
    listed('3', 'A long play', 0, 3),
    listed('4', 'Library', -1, 5),
  ])
  const group = (title: string, more: object = {}) =>
    createChat(bob.one, lfg({ title, startTime: new Date(at(0)), endTime: new Date(at(1)), ...more }))
  await group('Cards')
  await group('Full house', { maxCapacity: 1 })
  const { page } = await web.openAs(ann.username)
  await page.goto('/dayplanner')
  await page.getByRole('link', { name: 'I have time' }).click()
  const section = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) })
  const beginning = page.getByLabel('From')
  await beginning.selectOption({ index: 1 })
  const best = section('A way to spend it')
  await best.getByText('Concert').waitFor()
  // A group is company; the way from there is not known.
  await hasCount(best.locator('.row'), 2)
  await best.getByText('a group with room').waitFor()
  await section('Fits as well').getByText('Trivia').waitFor()
  await section('Open meanwhile').getByText('Library').waitFor()
  assert.equal(await page.getByText(/A long play|Full house/).count(), 0)
  await page.getByLabel('How long').selectOption('3')
  await page.getByText('A long play').waitFor()
  // What is followed stays, as a part of the plan, and takes its time.
  await page.getByRole('button', { name: 'Follow Trivia' }).click()
  await page.locator('.row').filter({ hasText: 'Trivia' }).getByText('in your plan').waitFor()
  await page
    .getByText(/A long play|Cards/)
    .first()
    .waitFor({ state: 'detached' })
  // One comes back to what one had chosen.
  await page.getByRole('link', { name: /Concert/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Concert' }).waitFor()
  await page.goBack()
  await page.getByText('Library').waitFor()
  assert.equal(await page.getByLabel('How long').inputValue(), '3')
})
