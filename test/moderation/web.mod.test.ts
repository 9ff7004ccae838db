// The moderators' pages of the console, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { violations } from '../support/browser.ts'
import { body, lfg, people, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { listens, settled, webTests } from '../support/web.ts'

let nodes: TestNodes
let moderator: Person
let tho: Person
const desk = { width: 1280, height: 860 }

const web = webTests(
  () => startTestNodes(2),
  async (started) => {
    nodes = started
    ;[moderator, tho] = (await people(nodes, { level: 'moderator', displayName: 'Mo' }, { level: 'tho' })) as [Person, Person]
  },
)

async function openAs({ username }: Person, options: Parameters<typeof web.openAs>[1] = {}): Promise<Page> {
  return (await web.openAs(username, { viewport: desk, ...options })).page
}

/** A post in the microblog that somebody has reported. */
async function reported(text: string): Promise<{ author: Person; id: number }> {
  const [author, reporter] = (await people(nodes, { displayName: 'Rudi' }, {})) as [Person, Person]
  const id = await write(author.one, text)
  await body(reporter.two.post(`/microblog/${id}/report`, { message: 'Look at this' }), 201)
  return { author, id }
}

test('a report appears by itself and is handled in five key strokes', async () => {
  const page = await openAs(moderator, { expected: /503/ })
  await page.goto('/reports')
  await page.getByText('No report waits').waitFor()
  const { id } = await reported('Rude words')
  await page.getByText('Reported once: Post in the microblog').waitFor()
  await page.locator('.quote').getByText('Rude words').waitFor()
  // What goes wrong is said, and nothing is shown as done.
  const refusal = { error: true, status: 503, reason: 'The lamp room is flooded.' }
  await page.route('**/handleall*', (route) => route.fulfill({ status: 503, json: refusal }), { times: 1 })
  await page.keyboard.press('t')
  await page.getByRole('status').getByText(refusal.reason).waitFor()
  await page.getByRole('status').getByText('Nobody has it').waitFor()
  await page.keyboard.press('t')
  await page.getByRole('status').getByText('Taken by Mo').waitFor()
  await page.keyboard.press('q')
  await until(async () => (await body(tho.one.get(`/mod/microblog/${id}`))).moderationStatus === 'quarantined', 'the post is hidden')
  await page.locator('.tag', { hasText: 'Hidden' }).waitFor()
  await page.keyboard.press('c')
  await page.getByText('No report waits').waitFor()
  const { reports } = await body(tho.one.get(`/mod/microblog/${id}`))
  assert.deepEqual(
    reports.map(({ isClosed, handledBy }: { isClosed: boolean; handledBy: { userID: string } }) => [isClosed, handledBy.userID]),
    [[true, moderator.id]],
  )
})

test('what another moderator closes stays on the screen and says who did it; no key acts on it, nor on what comes after it', async () => {
  const [ben] = (await people(nodes, { level: 'moderator', displayName: 'Ben' })) as [Person]
  const first = await reported('The first words')
  const second = await reported('The second words')
  const page = await openAs(moderator, { expected: /ERR_FAILED|409 \(Conflict\)/ })
  await page.goto('/reports')
  await page.locator('.pane-detail .quote', { hasText: 'The first words' }).waitFor()
  await listens(page)
  const stateOf = async (id: number) => (await body(tho.one.get(`/mod/microblog/${id}`))).moderationStatus as string
  const isOpen = async (id: number) =>
    ((await body(tho.one.get(`/mod/microblog/${id}`))).reports as { isClosed: boolean }[]).some(({ isClosed }) => !isClosed)
  const { reports } = await body(ben.two.get(`/mod/microblog/${first.id}`))
  await body(ben.two.post(`/mod/reports/${reports[0].id}/closeall`))
  await page.getByRole('alert').getByText('Closed by Ben').waitFor()
  // Its place in the list is still its own.
  await page.locator('.group[aria-current]', { hasText: 'The first words' }).waitFor()
  for (const key of ['q', 'r', 'l', 't', 'c']) await page.keyboard.press(key)
  assert.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['normal', 'normal'])
  assert.equal(await isOpen(second.id), true)
  await page.keyboard.press('j')
  await page.locator('.pane-detail .quote', { hasText: 'The second words' }).waitFor()
  await page.locator('.group', { hasText: 'The first words' }).waitFor({ state: 'detached' })
  await page.keyboard.press('q')
  await until(async () => (await stateOf(second.id)) === 'quarantined', 'the one that is shown is hidden')
  assert.equal(await stateOf(first.id), 'normal')
  // A page that does not hear of it: the server refuses, and what was done is shown.
  const { reports: others } = await body(ben.two.get(`/mod/microblog/${second.id}`))
  await page.locator('.tag', { hasText: 'Hidden' }).waitFor()
  await page.route('**/api/v3/mod/**', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
  await body(ben.two.post(`/mod/reports/${others[0].id}/closeall`))
  await page.keyboard.press('l')
  await page.getByRole('status').getByText('Nothing was done').waitFor()
  assert.equal(await stateOf(second.id), 'quarantined')
  await page.unroute('**/api/v3/mod/**')
})

test('the queue says what each thing is and where it stands; by kind, by whose it is, in other orders', async () => {
  const [owner, reporter] = (await people(nodes, { displayName: 'Otto' }, {})) as [Person, Person]
  const { fezID } = await body(owner.one.post('/fez/create', lfg({ title: 'Chess at nine', info: 'Bring a board' })), 201)
  const postID = await say(owner.one, fezID, 'Knights are horses')
  await body(reporter.two.post(`/fez/post/${postID}/report`, { message: '' }), 201)
  await reported('Words of the microblog')
  const page = await openAs(moderator)
  await page.goto('/reports')
  const line = page.locator('.group', { hasText: 'Knights are horses' })
  await line.getByText('Reported once: Message in a group').waitFor()
  await line.getByText('in the group “Chess at nine”').waitFor()
  await page.getByLabel('Kind').selectOption('fezPost')
  await page.locator('.group', { hasText: 'Words of the microblog' }).waitFor({ state: 'detached' })
  await page.locator('.pane-detail .quote', { hasText: 'Knights are horses' }).waitFor()
  // Taken from what nobody has: it stays, and is one's own to work on.
  const answered = page.waitForResponse(/queue\?.*state=open/)
  await page.getByRole('button', { name: 'Nobody has it' }).click()
  await answered
  await settled(page)
  await page.locator('.pane-detail .quote', { hasText: 'Knights are horses' }).waitFor()
  // A hand does not wait for the network: the list, now without it, is read again before the answer is there.
  const hidden = page.waitForRequest(/setstate/)
  await page.route('**/handleall*', async (route) => {
    const listed = page.waitForResponse(/queue\?.*state=open/)
    const response = await route.fetch()
    await listed
    await page.locator('.dot.closed').waitFor()
    await route.fulfill({ response })
  })
  await page.route(`**/api/v3/mod/fezpost/${postID}`, async (route) => {
    await hidden
    await route.continue()
  })
  for (const key of ['t', 'q']) await page.keyboard.press(key)
  await page.getByRole('status').getByText('Taken by Mo').waitFor()
  await until(async () => (await body(tho.one.get(`/mod/fezpost/${postID}`))).moderationStatus === 'quarantined', 'the post is hidden')
  await page.getByRole('button', { name: 'Mine' }).click()
  await line.waitFor()
  await page.getByLabel('Kind').selectOption('')
  await page.getByRole('button', { name: 'To do' }).click()
  await page.getByLabel('Sort by').selectOption('newest')
  await page.locator('.group', { hasText: 'Words of the microblog' }).first().waitFor()
  assert.match(await page.locator('.group').first().innerText(), /Words of the microblog/)
  // A press chooses; with a key held it opens a page of its own, as it does with any link.
  const path = await page.locator('.group:not([aria-current])').first().getAttribute('href')
  const other = page.locator(`.group[href="${path}"]`)
  const opened = page.context().waitForEvent('page')
  await other.click({ modifiers: ['Control'] })
  await (await opened).close()
  assert.equal(await other.getAttribute('aria-current'), null)
  await other.click()
  await page.locator(`.group[href="${path}"][aria-current=true]`).waitFor()
  assert.match(page.url(), /\/reports$/)
})

test('earlier texts show which words have changed; moderators are offered a pause and no ban', async () => {
  const { author, id } = await reported('You are all rude')
  await body(author.one.post(`/microblog/${id}/update`, { text: 'You are all nice', images: [] }))
  const page = await openAs(moderator)
  await page.goto(`/moderate/twarrt/${id}`)
  await page.locator('del', { hasText: 'rude' }).waitFor()
  await page.locator('ins', { hasText: 'nice' }).waitFor()
  await page.getByRole('button', { name: 'No writing for a while' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Ban' }).count(), 0)
  await page.getByRole('button', { name: 'No writing for a while' }).click()
  await page.getByRole('button', { name: '6 hours' }).click()
  await page.getByText('May not write until').waitFor()
  assert.equal((await author.one.post('/microblog/create', { text: 'x', images: [] })).status, 403)
})

test('a ban is in force on every node at once, and can be ended', async () => {
  const { author, id } = await reported('Very rude words')
  const page = await openAs(tho)
  await page.goto(`/moderate/twarrt/${id}`)
  await page.getByRole('button', { name: 'Ban …' }).click()
  await page.getByLabel('Reason').fill('Rude words, again and again')
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByText('Rude words, again and again').waitFor()
  assert.deepEqual(
    await Promise.all(author.clients.map(async (client) => (await client.get('/user/whoami')).status)),
    author.clients.map(() => 401),
  )
  await page.getByRole('button', { name: 'End the ban' }).click()
  await page.getByRole('button', { name: 'Ban …' }).waitFor()
  assert.equal((await body(tho.two.get(`/mod/user/${author.id}`))).accessLevel, 'verified')
})

test('people who are no moderators see no way in, and nothing when they guess it', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  const page = await openAs(user)
  assert.equal(await page.getByRole('link', { name: 'Console' }).count(), 0)
  for (const path of ['/reports', '/moderator', '/moderate/twarrt/1']) {
    await page.goto(path)
    await page.getByText('This page is not for you').waitFor()
  }
})

test('pages of moderators are accessible, by day and by night, wide and narrow', async () => {
  const { id } = await reported('Something')
  const page = await openAs(moderator, { bypassCSP: true })
  const found: string[] = []
  for (const path of ['/reports', `/moderate/twarrt/${id}`, '/moderator', '/admin/menu']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await settled(page)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the screen`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...(await violations(page)).map((violation) => `${path} ${width} ${colorScheme}: ${violation}`))
      }
    }
  }
  assert.deepEqual(found, [])
})
