// The second factor in the browser: setting it up, signing in and recovering with it, and what the team sees without one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { guard, phoneOf, type Phone } from '../support/second-factor.ts'
import { onlySettings } from '../support/settings.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

const signIn = async (page: Page, { username }: Person, password = testPassword) => {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const phoneIn = async (page: Page): Promise<Phone> => {
  const secret = (await page.locator('.token code').innerText()).replaceAll(' ', '')
  return phoneOf(`otpauth://totp/Quarterdeck?secret=${secret}`)
}

test('is turned on with digits of the phone', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { expected: /400/ })
  await page.goto('/account')
  await page.getByRole('link', { name: 'Second factor' }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByText('The current password is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.locator('svg.qr').waitFor()
  const phone = await phoneIn(page)
  await page.getByLabel('The six digits').fill(phone.at(7))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText('The digits are wrong').waitFor()
  const digits = phone.at(0)
  await page.getByLabel('The six digits').fill(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  await page.getByRole('button', { name: 'Turn it on' }).click()
  const codes = (await page.locator('.recovery').innerText()).split('\n')
  assert.equal(codes.length, 10)
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.getByText(/^On since .* 10 emergency codes are left\.$/).waitFor()
  await refused(heidi.one.get('/user/whoami'), 401)
})

test('is asked for at the sign-in, and turned off', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { phone, codes } = await guard(heidi.one)
  const { page } = await web.open({ expected: /40[01]/ })
  await signIn(page, heidi, 'not the password')
  await page.getByText('The username or password is wrong').waitFor()
  assert.equal(await page.getByLabel('Code').count(), 0)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const code = page.getByLabel('Code')
  await code.fill(phone.at(9))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The digits are wrong, or were used before').waitFor()
  await code.fill(` ${codes[0]?.toUpperCase()} `)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'More' }).first().waitFor()

  await page.goto('/account/secondFactor')
  await page.getByText('9 emergency codes are left.').waitFor()
  const renew = page.locator('form', { hasText: 'Make new codes' })
  await renew.getByLabel('Your password').fill(testPassword)
  await renew.getByLabel('Code').fill(phone.at(1))
  await renew.getByRole('button', { name: 'Make new codes' }).click()
  const others = (await page.locator('.recovery').innerText()).split('\n')
  assert.ok(!others.includes(codes[1] as string))
  await page.getByRole('button', { name: 'I have written them down' }).click()
  const off = page.locator('form', { hasText: 'Turn it off' })
  await off.getByLabel('Your password').fill(testPassword)
  await off.getByLabel('Code').fill(codes[1] as string)
  await off.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByText('The digits are wrong, or were used before').waitFor()
  await off.getByLabel('Code').fill(others[0] as string)
  await off.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByRole('button', { name: 'Set it up' }).waitFor()
  await body(web.nodes.client().post('/auth/login', undefined, { basic: [heidi.username, testPassword] }))
})

test('is asked for when a password was forgotten, and when another account is switched to', async () => {
  const [heidi, other] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { phone, codes } = await guard(heidi.one)
  const { page } = await web.open({ expected: /40[01]/ })
  await page.goto('/resetPassword')
  await page.getByLabel('Username').fill(heidi.username)
  await page.getByLabel('Recovery key, old').fill(testRecoveryKey)
  await page.getByLabel('New password').fill('gannets over grey water')
  await page.getByRole('button', { name: 'Set a new password' }).click()
  await page.locator('[name=code]').fill(phone.at(1))
  await page.getByRole('button', { name: 'Set a new password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await signIn(page, other)
  await page.getByRole('link', { name: 'More' }).first().waitFor()
  await page.evaluate(`localStorage.setItem('used names', '${other.username} ${heidi.username}')`)
  await page.goto('/account')
  await page.getByRole('button', { name: heidi.username }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill('gannets over grey water')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Code').fill(codes[2] as string)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\d\/$/)
  assert.match(String(await page.evaluate("localStorage.getItem('me')")), new RegExp(heidi.username))
})

test('a moderator whose host wants one comes to its page, and has the console after it', async () => {
  const [moderator] = (await people(web.nodes, { level: 'moderator' })) as [Person]
  await onlySettings(web.nodes, { teamSecondFactor: true })
  const { page } = await web.open({ expected: /40[013]/ })
  await signIn(page, moderator)
  await page.getByText('On this server members of the team need a second factor.').waitFor()
  await page.goto('/reports')
  await page.getByText('This page is not for you').waitFor()
  await page.goto('/account/secondFactor')
  await page.getByLabel('Your password').fill(testPassword)
  await page.getByRole('button', { name: 'Set it up' }).click()
  const phone = await phoneIn(page)
  await page.getByLabel('The six digits').fill(phone.at(0))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByRole('button', { name: 'I have written them down' }).click()
  await page.goto('/reports')
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
  await onlySettings(web.nodes)
})
