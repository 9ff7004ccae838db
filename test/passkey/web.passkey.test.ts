// Passkeys in the browser, with a device that the browser makes up: added, used at the door, refused, removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword } from '../support/accounts.ts'
import { people, type Person } from '../support/fez.ts'
import { guard } from '../support/second-factor.ts'
import { go, webTests } from '../support/web.ts'
import { insertIdentity, insertPasskey } from '../support/ways-in.ts'

const web = webTests()
/** Passkeys are for names alone, and `localhost` counts as safe. */
const named = () => (web.nodes.urls[0] as string).replace('127.0.0.1', 'localhost')
const open = () => web.open({ expected: /another host|40[01]/ })

interface Device {
  /** Whether its owner shows who they are. */
  obey(isWilling: boolean): Promise<void>
}

async function plugIn(page: Page): Promise<Device> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    obey: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

async function signIn(page: Page, { username }: Person, password = testPassword): Promise<void> {
  await page.goto(`${named()}/login?to=/account/passkeys`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/account/passkeys')
}
/** As if this browser had never been here. */
async function forget(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.evaluate('localStorage.clear()')
}
async function add(page: Page, name: string): Promise<void> {
  await page.getByLabel('What to call it').fill(name)
  await page.getByLabel('Your password').fill(testPassword)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
}

test('one is added, signs in at the door without a password, and no more once it is removed', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await open()
  await plugIn(page)
  await signIn(page, heidi)
  await page.getByText('You have no passkeys yet.').waitFor()
  await add(page, 'My phone')
  await page.getByText(/^Added /).waitFor()
  await add(page, 'Once more')
  await page.getByRole('alert').getByText('This device has a passkey for your account already.').waitFor()
  await forget(page)
  await page.goto(`${named()}/login?to=/account/passkeys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account/passkeys')
  await page.getByText(/last used/).waitFor()
  await page.getByRole('button', { name: 'Remove My phone' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You have no passkeys yet.').waitFor()
  await forget(page)
  await page.goto(`${named()}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('This passkey is not known here').waitFor()
})

test('a host sees how somebody signs in, and takes one way away; one of the service team only sees it', async () => {
  const [heidi, tho, team] = (await people(web.nodes, {}, { level: 'tho' }, { level: 'serviceteam' })) as [Person, Person, Person]
  const passkeyId = await insertPasskey(web.nodes.sql, heidi.id, 'A stolen phone')
  const identityId = await insertIdentity(web.nodes.sql, heidi.id, 'heidi@college.example')
  const { page: looking } = await web.openAs(team.username)
  await go(looking, `/admin/users/${heidi.id}`)
  await looking.getByText('As heidi@college.example at college.example').waitFor()
  assert.equal(await looking.getByRole('button', { name: /^Remove/ }).count(), 0)

  const { page } = await web.openAs(tho.username)
  await go(page, `/admin/users/${heidi.id}`)
  const remove = async (name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  }
  await remove(`Remove the passkey “A stolen phone” of ${heidi.username}?`)
  await page.getByText('A stolen phone').waitFor({ state: 'detached' })
  assert.equal((await web.nodes.sql`select from passkey where id = ${passkeyId}`).length, 0)
  await remove(`Remove the sign-in as heidi@college.example of ${heidi.username}?`)
  await page.getByText('heidi@college.example').waitFor({ state: 'detached' })
  assert.equal((await web.nodes.sql`select from oidc_identity where id = ${identityId}`).length, 0)
  await page.getByText('Name and password', { exact: true }).waitFor()
})

test('whoever does not show who they are gets in nowhere, and is told what to do', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await open()
  const device = await plugIn(page)
  await signIn(page, heidi)
  await device.obey(false)
  await add(page, 'My phone')
  await page.getByRole('alert').getByText('No passkey was made.').waitFor()
  await device.obey(true)
  await add(page, 'My phone')
  await page.getByRole('button', { name: 'Remove My phone' }).waitFor()
  await device.obey(false)
  await forget(page)
  await page.goto(`${named()}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was used.').waitFor()
})

test('who has a second factor shows it once more before a passkey is added, and not when it signs in', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { codes } = await guard(heidi.one)
  const { page } = await open()
  await plugIn(page)
  await signIn(page, heidi, testPassword + codes[0])
  await add(page, 'My phone')
  await page.getByLabel('Code').fill(codes[1] as string)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText(/^Added /).waitFor()
  await forget(page)
  await page.goto(`${named()}/login?to=/account/passkeys`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/account/passkeys')
})

test('at an address without a name the door does not offer it, and the page says why', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/account/passkeys')
  await page.getByText('This browser cannot use passkeys at this address').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0)
  const { page: door } = await web.open()
  await door.goto('/login')
  await door.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  assert.equal(await door.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
})
