// One's own account in the browser: further accounts, another name, lists of people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from './support/accounts.ts'
import { body, people, type Person } from './support/fez.ts'
import { until } from './support/until.ts'
import { webTests } from './support/web.ts'

const web = webTests()

test('/createAltAccount: a sub-account is made, and one changes to it and back', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  // The socket of the account that is left may ask once more before the new page is there.
  const { page } = await web.openAs(heidi.username, { expected: /notification\/socket.*401/ })
  await page.goto('/account')
  await page.getByRole('link', { name: 'New sub-account' }).click()
  await page.getByLabel('Username').fill('heidi-at-work')
  await page.getByLabel('Password').fill('another password')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Switch to heidi-at-work' }).click()
  await page.getByText('Waits for you').waitFor()
  const whoami = () =>
    page.evaluate<string>(`fetch('/api/v3/user/whoami').then((answer) => answer.json()).then(({ username }) => username)`)
  assert.equal(await whoami(), 'heidi-at-work')
  await page.goto('/account')
  await page.getByRole('button', { name: `Switch to ${heidi.username}` }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(testPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Waits for you').waitFor()
  await until(async () => (await whoami()) === heidi.username, 'the first account is back')
})

test('/account: a username that is taken is refused at its field, a free one is taken over', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const { page } = await web.openAs(heidi.username, { expected: /409|400/ })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Change username' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill(sam.username)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('.wrong').waitFor()
  await dialog.getByLabel('Username').fill('heidi-the-second')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You are now heidi-the-second.').waitFor()
  assert.equal((await body(heidi.one.get('/user/whoami'))).username, 'heidi-the-second')
})

test('/barrels: a list of people is made, filled, renamed and written to', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, { displayName: 'Sam Smith' }, { displayName: 'Kim Karlsson' })) as [
    Person,
    Person,
    Person,
  ]
  const { page } = await web.openAs(heidi.username)
  await page.goto('/barrels')
  await page.getByRole('button', { name: 'New list' }).click()
  await page.getByLabel('Name of the list').fill('Table 12')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Table 12' }).waitFor()
  for (const [person, name] of [
    [sam, 'Sam Smith'],
    [kim, 'Kim Karlsson'],
  ] as const) {
    await page.getByRole('searchbox', { name: 'Add somebody' }).fill(person.username)
    await page.getByRole('button', { name }).click()
    await page.getByRole('link', { name }).waitFor()
  }
  await page.getByRole('button', { name: 'More about this list' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Name of the list').fill('Table 14')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Table 14' }).waitFor()
  await page.getByRole('link', { name: 'Write to all of them' }).click()
  await page.getByText('Kim Karlsson').waitFor()
  await page.getByLabel('Subject').fill('Dinner')
  await page.getByRole('textbox', { name: 'Message' }).fill('At eight?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.bubble', { hasText: 'At eight?' }).waitFor()
  await until(async () => (await body(kim.one.get('/fez/joined'))).fezzes.length === 1, 'the seamail has arrived')
})
