// Pages that are open grow when somebody asks for it, and are read again by a button or a pull.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone } from '../support/browser.ts'
import { people, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

/** A page whose clock somebody else moves. */
async function clocked(username: string, path: string): Promise<Page> {
  const { page } = await web.openAs(username)
  await page.clock.install()
  await page.goto(path)
  return page
}

test('new posts of the microblog are counted above it, and shown when somebody wants them', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  await write(ann.one, 'the first of the day')
  const page = await clocked(bob.username, '/tweets')
  await page.getByText('the first of the day').waitFor()
  await write(ann.one, 'the second of the day')
  await write(ann.one, 'the third of the day')
  await page.clock.fastForward(31_000)
  const newer = page.getByRole('button', { name: '2 new posts' })
  await newer.waitFor()
  assert.equal(await page.getByText('the third of the day').count(), 0)
  await newer.click()
  await page.getByText('the third of the day').waitFor()
  await newer.waitFor({ state: 'detached' })
})

test('new posts of a forum are counted below it and stay unread until they are shown', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'Growing')
  const page = await clocked(bob.username, `/forum/${forumID}`)
  await page.getByRole('article').first().waitFor()
  await postIn(ann.one, forumID, 'one more')
  await page.clock.fastForward(31_000)
  const newer = page.getByRole('button', { name: '1 new post' })
  await newer.waitFor()
  assert.equal(await page.getByText('one more').count(), 0)
  await newer.click()
  await page.getByText('one more').waitFor()
  await page.locator('.newer button').waitFor({ state: 'detached' })
})

test('a button reads the page again, and so does a pull at its top', async () => {
  const [ann, bob] = (await people(web.nodes, {}, {})) as [Person, Person]
  await write(ann.one, 'before')
  const { page, context } = await web.openAs(bob.username, { hasTouch: true, viewport: phone })
  await page.goto('/tweets')
  await page.getByText('before').waitFor()
  await write(ann.one, 'after')
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('after').waitFor()
  await write(ann.one, 'at last')
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 150, y }] })
  await touch('touchStart', 200)
  for (const y of [220, 250, 280, 310, 340]) await touch('touchMove', y)
  await touch('touchEnd')
  await page.getByText('at last').waitFor()
})
