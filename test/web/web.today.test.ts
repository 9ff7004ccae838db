// The first page: what waits and what comes, each once.
import { test } from 'node:test'
import { people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { streamPhoto } from '../support/photostream.ts'
import { testPassword } from '../support/accounts.ts'
import { signIn } from '../support/browser.ts'
import { until } from '../support/until.ts'
import { hasCount, webTests } from '../support/web.ts'
import assert from 'node:assert/strict'

const web = webTests()
/** Photos of tests have no file. */
const noFile = /\/image\/(thumb|full)\//

test('Today: a full group with somebody on its waiting list says so, and stands there once', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const { body: group } = await heidi.one.post('/fez/create', {
    fezType: 'gaming',
    title: 'Cards at nine',
    info: 'Beginners too',
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    endTime: new Date(Date.now() + 7_200_000).toISOString(),
    minCapacity: 1,
    maxCapacity: 2,
    initialUsers: [],
  })
  for (const person of [sam, kim]) await person.one.post(`/fez/${group.fezID}/join`)
  const { page } = await web.openAs(heidi.username)
  const next = page
    .locator('section', { hasText: /My day|Next for me/ })
    .getByRole('listitem')
    .filter({ hasText: 'Cards at nine' })
  await next.waitFor()
  assert.match((await next.textContent()) ?? '', /2 of 2, 1 waiting/)
  await say(sam.one, group.fezID, 'I bring the cards')
  const waiting = page.locator('section', { hasText: 'Waits for you' }).getByRole('listitem').filter({ hasText: 'Cards at nine' })
  await waiting.waitFor()
  await hasCount(page.getByText('Cards at nine', { exact: true }), 1)
})

test('Today: everything that waits leads to where it is, and the newest photos to theirs', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const { forumID } = await startForum(sam.one, 'Hats', { text: `@${heidi.username} is this yours?` })
  await write(sam.one, `Good morning @${heidi.username}`)
  await streamPhoto(web.nodes, sam)
  const { page } = await web.openAs(heidi.username, { expected: noFile })
  const waiting = page.locator('section', { hasText: 'Waits for you' })
  await waiting.getByRole('link', { name: /Microblog/ }).click()
  await page.getByRole('article').filter({ hasText: 'Good morning' }).waitFor()
  await page.goto('/')
  await waiting.getByRole('link', { name: /Forums/ }).click()
  await page.getByRole('link', { name: /is this yours/ }).click()
  await page.getByRole('heading', { name: 'Hats' }).waitFor()
  assert.match(page.url(), new RegExp(`/forum/${forumID}`, 'i'))
  await page.goto('/')
  await page.getByText('Nothing is waiting.').waitFor()
  await page.getByRole('link', { name: 'Photo by Sam: Ashore' }).click()
  await page.getByRole('heading', { name: 'Ashore' }).waitFor()
})

test('Today: the clock goes on while nothing happens, and an announcement that was taken back goes away', async () => {
  const [heidi, host] = (await people(web.nodes, {}, { level: 'serviceteam' })) as [Person, Person]
  const text = 'Everybody to the lifeboats'
  await host.one.post('/notification/announcement/create', { text, displayUntil: new Date(Date.now() + 3_600_000).toISOString() })
  const { page } = await web.openAs(heidi.username, { expected: noFile })
  await page.clock.install()
  await page.goto('/')
  await page.getByText(text).waitFor()
  const shown = () =>
    page
      .getByText(/Ship time/i)
      .first()
      .textContent()
  const before = await shown()
  const { body: announcements } = await host.one.get('/notification/announcements')
  for (const { id } of announcements) await host.one.delete(`/notification/announcement/${id}`)
  await page.clock.fastForward(6 * 60_000)
  await until(async () => (await shown()) !== before, 'the time of now')
  await page.getByText(text).waitFor({ state: 'detached' })
})

test('Today: all of it is there with the first files; those of other pages are loaded on the way to one', async () => {
  const [heidi, kim] = (await people(web.nodes, {}, { displayName: 'Kim' })) as [Person, Person]
  await streamPhoto(web.nodes, kim)
  const { page } = await web.open({ expected: noFile })
  const ofPages: string[] = []
  page.on('request', (request) => {
    if (/\/web\/pages/.test(request.url())) ofPages.push(request.url())
  })
  await signIn(page, heidi.username, testPassword)
  await page.getByRole('link', { name: 'Photo by Kim: Ashore' }).waitFor()
  await page.getByText('Nothing is waiting.').waitFor()
  assert.deepEqual(ofPages, [])
  await page.getByRole('link', { name: 'All photos' }).click()
  await page.getByRole('heading', { name: 'Photos' }).waitFor()
  assert.ok(ofPages.length > 0)
})
