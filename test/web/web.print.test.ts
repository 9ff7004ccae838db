// Pages on paper: what is read, without what is pressed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, lfg, people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('the planner, and who is in a group, black on white and without menus', async () => {
  const [ann, bob] = (await people(web.nodes, {}, { displayName: 'Bob Hill' })) as [Person, Person]
  const startTime = new Date(Date.now() + 60 * 60_000)
  const fezID = await createChat(ann.one, lfg({ title: 'Chess', startTime, initialUsers: [bob.id] }))
  const { page } = await web.openAs(ann.username, { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' })
  const isWhite = () => page.evaluate<boolean>(`getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'`)
  await page.goto('/dayplanner')
  await page.getByText('Chess').waitFor()
  await page.getByRole('button', { name: 'Print' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.ok(await page.getByText('Chess').isVisible())
  assert.ok(await isWhite())
  assert.deepEqual(await page.locator('nav:visible, button:visible, .toasts:visible').count(), 0)
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`/lfg/${fezID}`)
  await page.getByRole('button', { name: 'More about this chat' }).click()
  await page.getByRole('button', { name: 'Who is here' }).click()
  await page.getByRole('link', { name: /Bob Hill/ }).waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.ok(await page.getByRole('link', { name: /Bob Hill/ }).isVisible())
  assert.equal(await page.locator('main:visible, form:visible').count(), 0)
})
