// The web view of a phone app, which signs in by itself and hands its session on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { hasValue, webTests } from '../support/web.ts'

const web = webTests()
const name = 'swiftarr_session'

/** As the app does: JSON to the root of the server, and the value up to the first semicolon. */
async function sessionOf(who: Person): Promise<string> {
  const { status, headers } = await web.nodes.client().post('//login', { username: who.username, password: testPassword })
  assert.equal(status, 200)
  return /swiftarr_session=([^;]+)/.exec(String(headers['set-cookie']))?.[1] as string
}

test('the page that the app opens is there for whom the app is signed in as, and takes what they write', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam' })) as [Person, Person]
  const id = await createSeamail(sam.one, [heidi], { title: 'For the web view' })
  await say(sam.one, id, 'Can you read this?')
  const { page, context } = await web.open({ expected: /401/ })
  await context.addCookies([{ name, value: await sessionOf(heidi), url: web.url }])
  await page.goto(`/seamail/${id}`)
  await page.locator('.bubble', { hasText: 'Can you read this?' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('I can.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.bubble:not(.waiting)', { hasText: 'I can.' }).waitFor()
  assert.equal((await body(sam.one.get(`/fez/${id}`))).members.postCount, 2)

  // The app was signed in as somebody else meanwhile.
  await context.addCookies([{ name, value: await sessionOf(sam), url: web.url }])
  await page.goto('/account/profile')
  await hasValue(page.getByLabel('Display name'), 'Sam')
})

test('a session that has ended leads to the form, which comes back to the page', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page, context } = await web.open({ expected: /401|WebSocket/ })
  const value = await sessionOf(heidi)
  await web.nodes.sql`delete from browser_session where account_id = ${heidi.id}`
  await context.addCookies([{ name, value, url: web.url }])
  await page.goto('/performers')
  await page.locator('input[name=username]').fill(heidi.username)
  await page.locator('input[name=password]').fill(testPassword)
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'Performers' }).waitFor()
})
