// Karaoke in the browser: what the page shows before anything is searched for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { body, people, type Person } from '../support/fez.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()

test('/karaoke begins with one’s favorites and what was just sung; searching shows songs instead', async () => {
  const [heidi, manager] = (await people(web.nodes, {}, { roles: ['karaokemanager'] })) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/karaoke')
  await page.getByText('Which song shall it be?').waitFor()
  const [queen] = (await body(heidi.one.get('/karaoke?search=queen'))).songs
  const [love] = (await body(heidi.one.get('/karaoke?search=love'))).songs
  await body(heidi.one.post(`/karaoke/${queen.songID}/favorite`), 201)
  await body(manager.one.post(`/karaoke/${love.songID}/logperformance`, { note: 'Ann and Bob' }), 201)
  await page.reload()
  const part = (name: string) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) }).locator('li')
  await part('Your favorites').getByText(queen.songName).waitFor()
  await part('Just sung').getByText('Ann and Bob').waitFor()
  await hasCount(part('Your favorites'), 1)
  await hasCount(part('Just sung'), 1)
  assert.equal(await page.getByText('Which song shall it be?').count(), 0)
  await page.getByLabel('Search songs').fill('love')
  await page.locator('main li', { hasText: love.songName }).waitFor()
  await page.getByText('Just sung').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sung' }).click()
  await page.getByLabel('Search songs').fill('')
  await page.locator('main li', { hasText: 'Ann and Bob' }).waitFor()
})
