// Pages that explain: help, rules, the clock, and the one in place of a page that is switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people, type Person } from '../support/fez.ts'
import { disable } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()

test('/codeOfConduct, /faq, /about and /help are there for everybody, from Markdown', async () => {
  const { page } = await web.open()
  await page.goto('/codeOfConduct')
  await page.getByRole('heading', { level: 1, name: /conduct/i }).waitFor()
  await page.locator('main p, main li').nth(3).waitFor()
  await page.goto('/faq')
  await page.locator('main article').waitFor()
  await page.goto('/about')
  await page.getByText(/^Quarterdeck \d/).waitFor()
  await page.goto('/help')
  await page.getByRole('link', { name: 'Bots and programs of your own' }).click()
  await page.locator('main pre').first().waitFor()
  await hasCount(page.getByRole('heading', { level: 1 }), 1)
  await until(async () => !/^Quarterdeck$/.test(await page.title()), 'the page has a title of its own')
})

test('/help/host: the handbook of the console has a part for each of its pages, in each language', async () => {
  const [admin] = (await people(web.nodes, { level: 'admin' })) as [Person]
  const { page } = await web.openAs(admin.username, { viewport: { width: 1280, height: 900 } })
  for (const language of ['en', 'de']) {
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    await page.goto('/admin/menu')
    const links = page.locator('main li a:not([href="/"]):not([href="/help/host"]) span')
    await links.first().waitFor()
    const places = await links.allInnerTexts()
    assert.ok(places.length >= 20, places.join())
    await page.locator('main a[href="/help/host"]').click()
    await page.locator('main h3').first().waitFor()
    const parts = await page.locator('main article h3').allInnerTexts()
    assert.deepEqual(parts, places)
  }
})

test('the console waits for its words: a page of it is drawn in English for no German reader', async () => {
  const [admin] = (await people(web.nodes, { level: 'admin' })) as [Person]
  const { page } = await web.openAs(admin.username, { serviceWorkers: 'block', locale: 'de-DE' })
  let loaded = false
  await page.route('**/admin.de-*', async (route) => {
    await page.waitForTimeout(500)
    loaded = true
    await route.continue()
  })
  await page.goto('/admin/menu')
  const first = page.locator('main li a span').first()
  await first.waitFor()
  assert.ok(loaded)
  assert.equal(await first.innerText(), 'Übersicht')
})

test('/time: the clock of the ship, and that of the device', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/time')
  await page.getByText(/^Ship time: .*UTC/).waitFor()
  await page.getByText(/^This device: /).waitFor()
})

test('/map opens in the app, over the page, and is left by the way back', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { serviceWorkers: 'block' })
  await page.route('**/public/map.json', (route) => route.fulfill({ json: { file: 'deck.svg' } }))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="teal"/></svg>'
  await page.route('**/public/deck.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }))
  await page.goto('/map')
  await page.getByRole('button', { name: 'Open the map' }).click()
  await page.locator('.pswp img[src$="/public/deck.svg"]').first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Save' }).getAttribute('download'), 'deck.svg')
  await page.goBack()
  await page.locator('.pswp').waitFor({ state: 'detached' })
  await page.getByRole('img', { name: 'Map of the ship' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/map')
})

test('/events by the clock of another zone says that its times are ship time', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { timezoneId: 'Asia/Tokyo' })
  await page.goto('/events')
  await page.getByText(/Times are ship time/).waitFor()
})

test('a feature that is switched off says so, also to somebody who is on its page', async () => {
  const [heidi, admin] = (await people(web.nodes, {}, { level: 'admin' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username, { expected: /451/ })
  await page.goto('/forums')
  await page.getByRole('heading', { name: 'Forums' }).waitFor()
  await disable(web.nodes, 'forums')
  try {
    await page.reload()
    await page.getByText('The host has switched this off.').waitFor()
    const { page: other } = await web.openAs(admin.username)
    await other.goto('/forums')
    await other.getByRole('heading', { name: 'Forums' }).waitFor()
    await other.locator('main .card').first().waitFor()
  } finally {
    await disable(web.nodes)
  }
  await page.reload()
  await page.locator('main .card').first().waitFor()
  await page.getByText('The host has switched this off.').waitFor({ state: 'detached' })
})
