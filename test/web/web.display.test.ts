// A display on a wall, by a token that only reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestNodes } from '../support/app.ts'
import { drawing } from '../support/evening.ts'
import { body, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

const web = webTests(() => startTestNodes(1, { workers: 1 }))
const hour = 3_600_000
const at = (offset: number) => new Date(Date.now() + offset).toISOString()

test('/display: what is on and next, the words of the team, photos; nothing of its owner, who has read nothing by it', async () => {
  const [owner, admin] = (await people(web.nodes, {}, { level: 'admin' })) as [Person, Person]
  await apply(admin, [
    { uid: 'on', title: 'Choir on deck', start: at(-hour / 2), end: at(hour) },
    { uid: 'next', title: 'Knots for beginners', start: at(2 * hour), end: at(3 * hour) },
    { uid: 'over', title: 'Early yoga', start: at(-3 * hour), end: at(-2 * hour) },
  ])
  await body(admin.one.post('/notification/announcement/create', { text: 'Drill at four', displayUntil: at(hour) }), 201)
  const image = (await drawing('#0b6b7f', 1, 1200, 800)).toString('base64')
  await body(admin.one.post('/photostream/upload', { image, createdAt: at(0), locationName: 'On Boat' }), 200)
  const { token, tokenID } = await body(owner.one.post('/auth/tokens', { name: 'foyer', scope: 'read', days: 7 }), 201)
  const { page } = await web.open({ viewport: { width: 1920, height: 1080 }, expected: /401/ })
  await page.goto('/display')
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Show it' }).click()
  const on = page.locator('.display-events li', { hasText: 'Choir on deck' })
  await on.getByText('now').waitFor()
  await page.locator('.display-events li', { hasText: 'Knots for beginners' }).waitFor()
  await page.getByText('Drill at four').waitFor()
  await page.locator('.display-photo figcaption', { hasText: admin.username }).waitFor()
  await until(() => page.evaluate("document.querySelector('.display-photo img').naturalWidth > 0"), 'the photo is there')
  assert.equal(await page.getByText('Early yoga').count(), 0)
  assert.equal(await page.getByText('Nothing is planned any more.').count(), 0)
  assert.equal(await page.locator('nav').count(), 0)
  assert.equal(await page.evaluate('document.body.innerText.includes(location.hash.slice(1))'), false)
  assert.equal((await body(owner.one.get('/notification/global'))).newAnnouncementCount, 1)
  // The address alone is enough; without its token it shows what it had, and says so.
  await page.reload()
  await on.waitFor()
  await page.clock.install()
  assert.equal((await owner.one.delete(`/auth/tokens/${tokenID}`)).status, 204)
  await page.clock.fastForward(31_000)
  await page.getByText(/Its token has ended/).waitFor()
  await on.waitFor()
  await page.clock.fastForward(4 * hour)
  await page.getByText('Nothing is planned any more.').waitFor()
  await page.reload()
  await page.getByText(/This token counts no more/).waitFor()
  await until(async () => (await page.locator('.display').count()) === 0, 'the form is there')
})
