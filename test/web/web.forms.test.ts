// Forms that begin with an answer kept on the device: a newer one shows in the fields that nobody has touched, and takes away no words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { body, people, type Person } from '../support/fez.ts'
import { go, hasValue, settled, webTests } from '../support/web.ts'

const web = webTests()
/** By then answers are old, and asked for again. */
const aMinuteLater = 'const now = Date.now; Date.now = () => now() + 60_000'

/** Shows a page, and holds what the server answers when it is shown once more. Returns how to let the answers go. */
async function heldBack(page: Page, path: string, answers: RegExp): Promise<() => void> {
  await page.goto(path)
  await settled(page)
  await go(page, '/time')
  await page.evaluate(aMinuteLater)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(answers, async (route) => {
    if (route.request().method() === 'GET') await held
    await route.continue()
  })
  return release
}

test('one’s own profile: a name that is typed survives the answer that comes later, and the other fields follow it', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  const release = await heldBack(page, '/account/profile', /\/api\/v3\/user\/profile/)
  await body(heidi.one.post('/user/profile', { displayName: 'Old', homeLocation: 'Bergen' }))
  await go(page, '/account/profile')
  await page.getByLabel('Display name').fill('Heidi of the lake')
  release()
  await hasValue(page.getByLabel('Home'), 'Bergen')
  await hasValue(page.getByLabel('Display name'), 'Heidi of the lake')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Heidi of the lake' }).waitFor()
  assert.equal((await body(heidi.one.get('/user/profile'))).homeLocation, 'Bergen')
})

test('a group: a title that is typed survives the answer that comes later, and the place follows it', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const group = { fezType: 'gaming', title: 'Cards', info: 'All levels', minCapacity: 1, maxCapacity: 4, initialUsers: [] }
  const { fezID } = (await heidi.one.post('/fez/create', { ...group, location: 'Deck 2' })).body
  const { page } = await web.openAs(heidi.username)
  const release = await heldBack(page, `/lfg/${fezID}/edit`, /\/api\/v3\/fez\//)
  await body(heidi.one.post(`/fez/${fezID}/update`, { ...group, location: 'Deck 9' }))
  await go(page, `/lfg/${fezID}/edit`)
  await page.getByLabel('Title').fill('Cards and cake')
  release()
  await hasValue(page.getByLabel('Where'), 'Deck 9')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Cards and cake' }).waitFor()
  assert.equal((await body(heidi.one.get(`/fez/${fezID}`))).location, 'Deck 9')
})

test('a text for everybody: words that are typed survive somebody else’s, which they do not replace unseen', async () => {
  const [host, other] = (await people(web.nodes, { level: 'tho' }, { level: 'tho' })) as [Person, Person]
  const { page } = await web.openAs(host.username, { expected: /409 \(Conflict\)/ })
  await page.goto('/admin/texts/faq.md')
  const field = page.getByLabel('Text in Markdown')
  await field.fill('# Mine')
  await body(other.one.post('/admin/texts/faq.md', { content: '# Theirs' }))
  await page.evaluate(`${aMinuteLater}; dispatchEvent(new Event('online'))`)
  await page.getByText(new RegExp(`Last changed by .*${other.username}`)).waitFor()
  await hasValue(field, '# Mine')
  // Both are shown: nothing is saved before one of them is chosen.
  const save = page.getByRole('button', { name: 'Save' })
  assert.ok(await save.isDisabled())
  await page.getByRole('button', { name: 'Keep my words' }).click()
  await hasValue(field, '# Mine')
  assert.ok(await save.isEnabled())
})
