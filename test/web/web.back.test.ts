// Back is back: pages come as they were left, by the arrow as by the browser's own button.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createChat, lfg, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

const topOf = (page: Page) => page.evaluate<number>('Math.round(scrollY)')
const isAtTop = (page: Page) => until(async () => (await topOf(page)) === 0, 'the page is at its top')
/** Where something stands in the window; heights above it may be guesses of the browser. */
const placeOf = async (what: Locator) => (await what.boundingBox())?.y ?? -1
const isAt = (what: Locator, y: number) =>
  until(async () => Math.abs((await placeOf(what)) - y) <= 2, `it stands ${y} below the upper edge`)
const arrow = (page: Page) => page.getByRole('link', { name: 'Back' })

test('a long list is where it was left, and a page that is new begins at its top', async () => {
  const [author, reader] = (await people(web.nodes, { displayName: 'Ann' }, {})) as [Person, Person]
  for (let number = 1; number <= 30; number++) await write(author.one, `Post ${number} of a long day\n\nwith three lines`)
  const { page } = await web.openAs(reader.username)
  await page.goto('/tweets')
  const post = page.getByRole('article').filter({ hasText: 'Post 12 of' })
  const author12 = post.getByRole('link', { name: 'Ann' }).first()
  await author12.scrollIntoViewIfNeeded()
  assert.ok((await topOf(page)) > 500, `scrolled by ${await topOf(page)}`)
  const comesBack = async (leaveAndReturn: () => Promise<unknown>) => {
    await author12.hover()
    const place = await placeOf(post)
    await leaveAndReturn()
    await post.waitFor()
    await isAt(post, place)
  }
  for (const back of [() => arrow(page).click(), () => page.goBack()])
    await comesBack(async () => {
      await author12.click()
      await page.getByRole('heading', { name: 'Ann' }).waitFor()
      await isAtTop(page)
      await back()
    })
  await comesBack(() => page.reload())
})

test('tabs, filters and words are as they were left', async () => {
  const [owner] = (await people(web.nodes, {})) as [Person]
  const fezID = await createChat(owner.one, lfg({ title: 'Chess at nine', fezType: 'gaming' }))
  await createChat(owner.one, lfg({ title: 'A walk', fezType: 'activity' }))
  const { page } = await web.openAs(owner.username)
  await page.goto('/fez')
  await page.getByRole('button', { name: 'By me' }).click()
  await page.getByText('A walk').waitFor()
  await page.getByLabel('Search groups').fill('chess')
  await page.getByText('A walk').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Chess at nine/ }).click()
  await page.waitForURL(`**/lfg/${fezID}`, { waitUntil: 'commit' })
  await arrow(page).click()
  await page.getByRole('link', { name: /Chess at nine/ }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'By me' }).getAttribute('aria-pressed'), 'true')
  assert.equal(await page.getByLabel('Search groups').inputValue(), 'chess')
  assert.equal(await page.getByText('A walk').count(), 0)
})

test('the arrow of a page that was opened by its address leads to the page above', async () => {
  const [owner] = (await people(web.nodes, {})) as [Person]
  const { forumID } = await startForum(owner.one, 'By its address')
  const { page } = await web.openAs(owner.username)
  await page.goto(`/forum/${forumID}`)
  await page.getByRole('heading', { name: 'By its address' }).waitFor()
  await arrow(page).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/forum/'), { waitUntil: 'commit' })
  assert.match(new URL(page.url()).pathname, /^\/forums/)
})
