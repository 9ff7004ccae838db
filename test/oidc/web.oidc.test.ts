// Signing in by a provider of OpenID Connect in the browser: the button, a new account, one that is there, and what goes wrong.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts'
import { ownPort } from '../support/port.ts'
import { guard } from '../support/second-factor.ts'
import { webTests } from '../support/web.ts'

let provider: IdentityProvider
const web = webTests(async () => {
  const port = await ownPort()
  provider = await startIdentityProvider(`http://127.0.0.1:${port}`)
  return await startTestNodes(1, { env: { ...provider.env, PORT: String(port) } })
})
after(() => provider.close())
let count = 0
beforeEach(() => {
  count++
  provider.person = { sub: `subject-${count}`, email: `newcomer${count}@college.example`, preferred_username: `newcomer${count}` }
})

/** The way leads over the provider; refusals are said on the page. */
const open = () => web.open({ expected: new RegExp(`another host: ${provider.issuer}/|40[01]|valid credentials`) })

const leave = async (page: Page, path = '/login') => {
  await page.goto(path)
  await page.getByRole('link', { name: 'Sign in with Lantern College' }).click()
}
const connect = async (page: Page, { username }: Person) => {
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Connect and sign in' }) })
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Password').fill(testPassword)
  await form.getByRole('button', { name: 'Connect and sign in' }).click()
}

test('somebody new comes back, chooses a name, and is in; the next time at once, where they wanted to be', async () => {
  const { page } = await open()
  await leave(page)
  await page.getByText(`Lantern College knows you as newcomer${count}@college.example.`).waitFor()
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Create my account' }) })
  assert.equal(await form.getByLabel('Username').inputValue(), `newcomer${count}`)
  await form.getByLabel('Password').fill('a good long password')
  await form.getByRole('button', { name: 'Create my account' }).click()
  await page.locator('.recovery').waitFor()
  await page.getByRole('button', { name: 'I have written' }).click()
  await page.waitForURL('**/welcome')

  const { page: second } = await open()
  const provider = second.getByRole('link', { name: 'Sign in with Lantern College' })
  await second.goto('/login')
  assert.equal(await provider.getAttribute('href'), '/oidc/begin?to=%2F')
  await second.goto('/login?to=/fez')
  await provider.click()
  await second.waitForURL('**/fez')
})

test('an account that is there is connected with its password, and disconnected in its own pages', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await open()
  await leave(page)
  await connect(page, heidi)
  await page.waitForURL(`${web.url}/`)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Sign in without password' }).click()
  await page.getByText('Connected since').waitFor()
  await page.getByRole('button', { name: `Disconnect newcomer${count}@college.example` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nothing is connected yet.').waitFor()

  // Whoever is signed in connects it from there.
  await page.getByRole('link', { name: 'Connect Lantern College' }).click()
  await page.getByText(`Type the password of @${heidi.username}.`).waitFor()
  await page.getByLabel('Password').fill(testPassword)
  await page.getByRole('button', { name: 'Connect and sign in' }).click()
  await page.waitForURL('**/account/identities')
  await page.getByText('Connected since').waitFor()
})

test('the code of a second factor is asked for once the provider has said who it is', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await open()
  await leave(page)
  await connect(page, heidi)
  await page.waitForURL(`${web.url}/`)
  const { codes } = await guard(heidi.one)
  const { page: second } = await open()
  await leave(second)
  await second.getByLabel('Code').fill('abcd-efgh-jkmn')
  await second.getByRole('button', { name: 'Sign in' }).click()
  await second.getByRole('alert').waitFor()
  await second.getByLabel('Code').fill(codes[0] ?? '')
  await second.getByRole('button', { name: 'Sign in' }).click()
  await second.waitForURL(`${web.url}/`)
})

test('a sign-in that was refused, or took too long, is explained, and can begin again', async () => {
  const { page } = await open()
  const { person } = provider
  provider.person = undefined
  await leave(page)
  await page.getByText('You were not signed in at Lantern College.').waitFor()
  provider.person = person
  await page.getByRole('link', { name: 'Begin again' }).click()
  await page.getByText('Here nobody does yet.').waitFor()
  await page.context().clearCookies()
  await page.reload()
  await page.getByText('Nothing has changed.').waitFor()
})
