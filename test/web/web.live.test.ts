// The app while things change behind it: the server restarts, a second tab is opened, somebody is blocked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, WebSocket } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { block, createChat, createSeamail, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { go, settled, storeOf, webTests, write } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { restartable: true }))
const patienceMs = 60_000

const textsOf = (page: Page) => page.locator('.bubble .words').allTextContents()

async function postsOf({ one }: Person, fezID: string): Promise<string[]> {
  const { body } = await one.get(`/fez/${fezID}?start=0&limit=200`)
  return body.members.posts.map(({ text }: { text: string }) => text)
}

test('a server that restarts loses nothing, and is not noticed but for a line', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Through the restart' })
  await say(sam.one, chat, 'Before it')
  // A node that stops refuses what comes over connections that are open; then there is none.
  const expected = /503|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_SOCKET|WebSocket|Failed to load resource: net::/
  const [one, two] = await Promise.all([web.openAs(heidi.username, { expected }), web.openAs(sam.username, { expected })])
  await Promise.all([one, two].map(({ page }) => page.goto(`/seamail/${chat}`)))
  await Promise.all([one, two].map(({ page }) => page.locator('.bubble', { hasText: 'Before it' }).waitFor()))
  await one.page.evaluate(`
    window.seen = []
    new MutationObserver(() => {
      seen.push(...Array.from(document.querySelectorAll('[role=alert], .toast, .loading, .empty'), ({ textContent }) => textContent))
    }).observe(document.body, { subtree: true, childList: true })`)

  const startAgain = await web.nodes.halt()
  await write(one.page, 'While it was away')
  await one.page.locator('.offline').waitFor()
  await startAgain()
  await until(async () => (await textsOf(two.page)).includes('While it was away'), 'it arrives in the other browser', patienceMs)
  await one.page.locator('.offline').waitFor({ state: 'detached' })
  await one.page.locator('.bubble.waiting').waitFor({ state: 'detached' })
  await write(two.page, 'After it')
  await until(async () => (await textsOf(one.page)).includes('After it'), 'sockets are open again', patienceMs)
  const all = ['Before it', 'While it was away', 'After it']
  assert.deepEqual(await postsOf(heidi, chat), all)
  for (const { page } of [one, two]) assert.deepEqual(await textsOf(page), all)
  assert.deepEqual(await one.page.evaluate('seen'), [], 'nothing but the line')
})

test('two tabs share one socket; when its tab is closed, the other takes over', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { page, context } = await web.openAs(heidi.username)
  // Its socket is gone then, and is not taken for that of the next page.
  await page.goto('about:blank')
  const open = new Map<WebSocket, Page>()
  const watch = (tab: Page) =>
    tab.on('websocket', (socket) => {
      if (!socket.url().endsWith('/notification/socket')) return
      open.set(socket, tab)
      socket.on('close', () => open.delete(socket))
    })
  const other = await context.newPage()
  for (const tab of [page, other]) watch(tab)
  // One after the other: the first tab has the socket.
  await page.goto('/events')
  await until(() => open.size === 1, 'the first tab has a socket')
  await other.goto('/forums')
  await settled(other)
  const badge = (tab: Page, count: number) => tab.getByRole('link', { name: /Seamail/ }).locator('.badge', { hasText: String(count) })
  await createSeamail(sam.one, [heidi], { title: 'Ahoy' })
  await Promise.all([badge(page, 1), badge(other, 1)].map((shown) => shown.waitFor()))
  assert.deepEqual(Array.from(open.values()), [page])

  await page.close()
  await until(() => Array.from(open.values()).includes(other), 'the other tab has one now')
  await createSeamail(sam.one, [heidi], { title: 'Still there?' })
  await badge(other, 2).waitFor()
})

/** Names of the posts that wait in the store of the browser. */
const lettersIn = async (page: Page) => Object.keys(await storeOf(page)).filter((name) => name.startsWith('letter '))

test('posts that were written in two tabs without a network all arrive, also those of the tab that was closed', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Two tabs' })
  const { page, context } = await web.openAs(heidi.username, { expected: /ERR_INTERNET_DISCONNECTED|WebSocket/ })
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/seamail/${chat}`)
    await settled(tab)
  }
  await context.setOffline(true)
  await write(page, 'In the first tab')
  await write(other, 'In the second tab')
  await write(page, 'In the first again')
  await until(async () => (await lettersIn(other)).length === 3, 'all three are kept')
  await page.close()
  await context.setOffline(false)
  const all = ['In the first again', 'In the first tab', 'In the second tab']
  await until(async () => (await postsOf(heidi, chat)).length === 3, 'all three arrive', patienceMs)
  assert.deepEqual((await postsOf(heidi, chat)).sort(), all)
  await until(async () => (await lettersIn(other)).length === 0, 'none is kept any longer')
  assert.deepEqual((await textsOf(other)).sort(), all)
})

test('a post that may have arrived a day ago is not sent by itself; one that never left is', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'A day later' })
  const { page } = await web.openAs(heidi.username)
  const yesterday = Date.now() - 24 * 60 * 60_000
  const letter = (key: string, text: string, at: number, sentAt?: number) => {
    const writtenAt = new Date(at).toISOString()
    const value = { key, place: 'fez', id: chat, authorID: heidi.id, text, images: [], after: 0, writtenAt, ...(sentAt && { sentAt }) }
    return [`letter ${writtenAt} ${key}`, value] as const
  }
  const kept = [
    letter('c', 'Long on its way', yesterday, yesterday),
    letter('b', 'First, never sent', yesterday + 1),
    letter('a', 'Second, never sent', yesterday + 2),
  ]
  await storeOf(page, Object.fromEntries(kept))
  await page.goto(`/seamail/${chat}`)
  const asked = page.locator('.bubble.waiting', { hasText: 'It may have arrived a day ago' })
  await asked.waitFor()
  await until(async () => (await postsOf(heidi, chat)).length === 2, 'the others arrive')
  assert.deepEqual(await postsOf(heidi, chat), ['First, never sent', 'Second, never sent'])
  await asked.getByRole('button', { name: 'Try again' }).click()
  await until(async () => (await postsOf(heidi, chat)).length === 3, 'it arrives, too')
  await until(async () => (await lettersIn(page)).length === 0, 'none is kept any longer')
})

test('a change whose answer is lost is on the page all the same', async () => {
  const [heidi, mara] = (await people(web.nodes, {}, {})) as [Person, Person]
  const chat = await createChat(mara.one, { title: 'The answer is lost' })
  const { page } = await web.openAs(heidi.username, { expected: /ERR_FAILED/ })
  await page.goto(`/lfg/${chat}`)
  await page.route('**/join', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Join' }).click()
  await page.locator('.toast.wrong', { hasText: 'cannot be reached' }).waitFor()
  await page.getByRole('button', { name: 'Join' }).waitFor({ state: 'detached' })
  await write(page, 'I am in')
  await until(async () => (await postsOf(mara, chat)).length === 1, 'a member writes')
})

test('a chat that is begun again after its answers were lost is there once; another one is another', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { page } = await web.openAs(heidi.username, { expected: /ERR_FAILED/ })
  const subject = page.getByRole('textbox', { name: 'Subject' })
  const send = page.getByRole('button', { name: 'Send' })
  let asked = 0
  await page.route('**/api/v3/fez/create', async (route) => {
    asked++
    await route.fetch()
    await route.abort()
  })
  await page.goto(`/seamail/new?to=${sam.username}`)
  await subject.fill('Lost')
  await send.click()
  await page.locator('.wrong', { hasText: 'cannot be reached' }).waitFor({ timeout: patienceMs })
  assert.equal(asked, 5)
  await page.unroute('**/api/v3/fez/create')
  await send.click()
  await page.waitForURL(/\/seamail\/[^/?]{20,}/)
  // In the page that knows of the first one.
  await go(page, `/seamail/new?to=${sam.username}`)
  await subject.fill('Lost')
  await send.click()
  await page.waitForURL(/\/seamail\/[^/?]{20,}/)
  const { body } = await heidi.one.get('/fez/owner?type=closed')
  assert.deepEqual(
    body.fezzes.map(({ title }: { title: string }) => title),
    ['Lost', 'Lost'],
  )
})

test('posts that come while the chat is being read again, slowly, stay', async () => {
  const [heidi, sam, mara, ...more] = (await people(web.nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const chat = await createChat(mara.one, { title: 'Much is written' })
  for (const { one } of [heidi, sam]) await one.post(`/fez/${chat}/join`)
  await say(sam.one, chat, 'Word 0')
  const { page } = await web.openAs(heidi.username)
  await page.goto(`/lfg/${chat}`)
  await page.locator('.bubble', { hasText: 'Word 0' }).waitFor()
  const held: (() => void)[] = []
  await page.route(`**/api/v3/fez/${chat}?*`, async (route) => {
    const answer = await route.fetch()
    // A page of one post only marks the chat as read.
    if (new URL(route.request().url()).searchParams.get('limit') !== '1') await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ response: answer })
  })
  // Whoever comes makes the page read the chat again.
  await more[0]?.one.post(`/fez/${chat}/join`)
  for (const round of [1, 2, 3]) {
    await until(() => held.length >= round, `reading ${round}`)
    await say(sam.one, chat, `Word ${round}`)
    await page.locator('.bubble', { hasText: `Word ${round}` }).waitFor()
    held[round - 1]?.()
  }
  await page.locator('.about summary', { hasText: '4 go' }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const words = (await textsOf(page)).filter((text) => text.startsWith('Word'))
  assert.deepEqual(words, ['Word 0', 'Word 1', 'Word 2', 'Word 3'])
})

test('a block takes effect in an open chat, both ways, and takes away what was there', async () => {
  const [heidi, sam, mara] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const chat = await createChat(mara.one, { title: 'Three at a table' })
  for (const { one } of [heidi, sam]) await one.post(`/fez/${chat}/join`)
  await say(sam.one, chat, 'From Sam, before')
  const [one, two] = await Promise.all([web.openAs(heidi.username), web.openAs(sam.username)])
  await Promise.all([one, two].map(({ page }) => page.goto(`/lfg/${chat}`)))
  await Promise.all([one, two].map(({ page }) => page.locator('.bubble', { hasText: 'From Sam, before' }).waitFor()))

  // By another device.
  await block(heidi, sam)
  await say(sam.one, chat, 'From Sam, after')
  await say(mara.one, chat, 'From Mara')
  await one.page.locator('.bubble', { hasText: 'From Mara' }).waitFor()
  assert.ok(!(await textsOf(one.page)).includes('From Sam, after'))
  await write(one.page, 'From Heidi')
  await say(mara.one, chat, 'From Mara again')
  await two.page.locator('.bubble', { hasText: 'From Mara again' }).waitFor()
  assert.ok(!(await textsOf(two.page)).includes('From Heidi'))

  // In the app itself: also what was on the screen before is gone, at every moment.
  const otto = (await people(web.nodes, {}))[0] as Person
  await otto.one.post(`/fez/${chat}/join`)
  await say(otto.one, chat, 'From Otto')
  await one.page.locator('.bubble', { hasText: 'From Otto' }).waitFor()
  await one.page.locator('.who', { hasText: otto.username }).click()
  await one.page.getByRole('button', { name: 'More about this person' }).click()
  await one.page.getByRole('button', { name: 'Block', exact: true }).click()
  await one.page.getByRole('heading', { name: 'Blocked people' }).waitFor()
  await one.page.evaluate(`
    window.seen = []
    new MutationObserver(() => seen.push(document.body.innerText)).observe(document.body, { subtree: true, childList: true })`)
  await one.page.getByRole('link', { name: 'Groups' }).click()
  await one.page.getByRole('button', { name: 'Mine' }).click()
  await one.page.getByText('Three at a table').click()
  await one.page.locator('.bubble', { hasText: 'From Mara again' }).waitFor()
  const seen = (await one.page.evaluate('seen')) as string[]
  assert.ok(!seen.some((text) => text.includes('From Otto')), 'not even for a moment')
})
