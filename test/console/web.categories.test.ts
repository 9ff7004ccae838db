// Categories of forums in the console: their words and levels, their order, and a forum that is moved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'
import { sayYes, webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } }))
const openAs = async ({ username }: Person): Promise<Page> =>
  (await web.openAs(username, { viewport: { width: 1280, height: 900 }, expected: /40[09] \((Bad Request|Conflict)\)/ })).page

const category = async (moderator: Person, title: string): Promise<string> =>
  (await body(moderator.one.post('/mod/category/create', { title, purpose: 'For this' }), 201)).categoryID
const titles = async (who: Person): Promise<string[]> =>
  ((await body(who.one.get('/forum/categories'))) as { title: string }[]).map(({ title }) => title)

test('a category is made, changed after a question, put first, and all of that can be taken back', async () => {
  const [moderator, user] = (await people(web.nodes, { level: 'moderator' }, {})) as [Person, Person]
  const page = await openAs(moderator)
  await page.goto('/admin/categories')
  await page.getByRole('button', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('x')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByLabel('Title').fill('Ropework')
  await dialog.getByLabel('What it is for').fill('Knots and splices')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Ropework' })
  await row.getByText('started by everybody who is verified').waitFor()
  assert.ok((await titles(user)).includes('Ropework'))

  await row.getByRole('button', { name: 'More about Ropework' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Who reads it').selectOption('moderator')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await row.getByText('read by moderators').waitFor()
  assert.ok(!(await titles(user)).includes('Ropework'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByText('read by everybody').waitFor()
  assert.ok((await titles(user)).includes('Ropework'))

  const before = await titles(moderator)
  const at = before.indexOf('Ropework')
  assert.ok(at > 0)
  await row.getByRole('button', { name: '“Ropework” further up' }).click()
  await page.getByText('The order is not saved yet.').waitFor()
  assert.deepEqual(await titles(moderator), before)
  await page.getByRole('button', { name: 'Save the order' }).click()
  await sayYes(page)
  await until(async () => (await titles(moderator)).indexOf('Ropework') === at - 1, 'it stands one further up')
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await titles(moderator)).indexOf('Ropework') === at, 'it stands where it was')

  await row.getByRole('button', { name: 'More about Ropework' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await sayYes(page)
  await row.waitFor({ state: 'detached' })
  assert.ok(!(await titles(moderator)).includes('Ropework'))
})

test('what another moderator changes meanwhile is shown before anything is sent', async () => {
  const [moderator, other] = (await people(web.nodes, { level: 'moderator' }, { level: 'moderator' })) as [Person, Person]
  const id = await category(moderator, 'Lamps')
  const page = await openAs(moderator)
  await page.goto('/admin/categories')
  await page.getByRole('button', { name: 'More about Lamps' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What it is for').fill('Mine')
  await body(
    other.one.post(`/mod/category/${id}/update`, {
      title: 'Lanterns',
      purpose: 'Theirs',
      accessLevelToView: 'unverified',
      accessLevelToCreate: 'verified',
    }),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sayYes(page)
  await page.getByText('Lanterns').first().waitFor()
  assert.equal(
    ((await body(other.one.get('/mod/categories'))) as { title: string; purpose: string }[]).find(({ title }) => title === 'Lanterns')
      ?.purpose,
    'Theirs',
  )
})

test('a forum is moved from its page of moderation, after a question, and back', async () => {
  const [moderator, user] = (await people(web.nodes, { level: 'moderator' }, {})) as [Person, Person]
  const [from, to] = [await category(moderator, 'Here'), await category(moderator, 'There')]
  const { forumID } = await startForum(user.one, 'Wandering', { category: from })
  const inCategory = async () => ((await body(user.one.get(`/forum/${forumID}`))) as { categoryID: string }).categoryID
  const page = await openAs(moderator)
  await page.goto(`/moderate/forum/${forumID}`)
  await page.getByLabel('Category').selectOption({ label: 'There' })
  await sayYes(page)
  await page.getByText('The forum is in “There” now.').waitFor()
  assert.equal(await inCategory(), to)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await inCategory()) === from, 'it is back')
})
