// On a desk: the list beside what was opened from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createChat, lfg, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

const desk = { viewport: { width: 1280, height: 800 } }
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const besideOf = (page: Page, name: string) => {
  const list = page.getByRole('region', { name, exact: true })
  return { list, open: (title: string) => list.locator('[aria-current=page]', { hasText: title }) }
}

test('a seamail has the others beside it, which stay as they are while one goes from one to the next', async () => {
  const [ann, bob] = (await people(web.nodes, { displayName: 'Ann' }, { displayName: 'Bob' })) as [Person, Person]
  const names = ['Bridge tonight', 'Breakfast tonight', 'Cabin keys']
  for (const title of names)
    await say(ann.one, await createChat(ann.one, { title, fezType: 'open', initialUsers: [bob.id] }), `About ${title}`)
  const { page } = await web.openAs(bob.username, desk)
  await page.goto('/seamail')
  await page.getByRole('link', { name: /Bridge/ }).click()
  await heading(page, 'Bridge tonight')
  const { list, open } = besideOf(page, 'Seamail')
  await open('Bridge').waitFor()
  await list.getByLabel('Search seamail').fill('tonight')
  await list.getByRole('link', { name: /Cabin keys/ }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: /Breakfast/ }).click()
  await heading(page, 'Breakfast tonight')
  await page.locator('.thread').getByText('About Breakfast tonight').waitFor()
  await open('Breakfast').waitFor()
  assert.equal(await list.locator('[aria-current=page]').count(), 1)
  assert.equal(await list.getByLabel('Search seamail').inputValue(), 'tonight')
  assert.equal(await list.getByRole('link', { name: /Cabin keys/ }).count(), 0)
  // What one reads there is counted no longer.
  await list
    .getByRole('link', { name: /Breakfast/ })
    .locator('xpath=..')
    .locator('.badge')
    .waitFor({ state: 'detached' })
  // No room for both.
  await page.setViewportSize({ width: 960, height: 800 })
  await list.waitFor({ state: 'detached' })
  await heading(page, 'Breakfast tonight')
})

test('a group has one’s groups beside it, a forum those of its category', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const fezID = await createChat(ann.one, lfg({ title: 'Cards at nine' }))
  await startForum(ann.one, 'Quiet corners')
  const { forumID } = await startForum(ann.one, 'Lost and found')
  const { page } = await web.openAs(ann.username, desk)
  await page.goto(`/lfg/${fezID}`)
  await besideOf(page, 'Groups').open('Cards at nine').waitFor()
  await page.goto(`/forum/${forumID}`)
  const forums = besideOf(page, 'General')
  await forums.open('Lost and found').waitFor()
  await forums.list.getByRole('link', { name: /Quiet corners/ }).click()
  await heading(page, 'Quiet corners')
  await forums.open('Quiet corners').waitFor()
  // The arrow leads the way one has come.
  await page.getByRole('link', { name: 'Back' }).click()
  await heading(page, 'Lost and found')
})
