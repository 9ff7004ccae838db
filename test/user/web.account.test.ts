// One's own account in the browser: further accounts, another name, lists of people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { webTests } from '../support/web.ts'

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
  // Among the accounts of this browser it stands by its new name.
  assert.equal(await page.evaluate(`localStorage.getItem('used names')`), 'heidi-the-second')
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

const recover = ({ username }: Person, recoveryKey: string, newPassword = 'yet another password') =>
  web.nodes.client().post('/auth/recovery', { username, recoveryKey, newPassword })

test('/account/recoveryKey: a new recovery key is shown for the password, and ends the old one', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(heidi.username, { expected: /400/ })
  await page.goto('/account')
  await page.getByRole('link', { name: 'New recovery key' }).click()
  const make = page.getByRole('button', { name: 'Make a new recovery key' })
  await page.getByLabel('Your password').fill('not the password')
  await make.click()
  await page.getByText('The current password is wrong').waitFor()
  await page.getByLabel('Your password').fill(testPassword)
  await make.click()
  const recoveryKey = await page.locator('.recovery').innerText()
  await page.getByRole('link', { name: 'I have written them down' }).click()
  await page.getByRole('heading', { name: 'More' }).waitFor()
  await refused(recover(heidi, testRecoveryKey), 400)
  await body(recover(heidi, recoveryKey))
})

test('/account of a sub-account makes no recovery key', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const [sub] = (await people(web.nodes, { subAccountOf: heidi })) as [Person]
  const { page } = await web.openAs(sub.username)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  await page.getByRole('link', { name: 'New recovery key' }).waitFor({ state: 'detached' })
})

test('/resetPassword: a new recovery key is offered at once, made there or not; a sub-account goes on', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const [sub] = (await people(web.nodes, { subAccountOf: sam })) as [Person]
  const reset = async ({ username }: Person, { signOutApps = false } = {}) => {
    const { page } = await web.open({ expected: /40[01]|WebSocket/ })
    await page.goto('/resetPassword')
    const form = page.locator('form').first()
    await form.getByLabel('Username').fill(username)
    await form.getByLabel('Recovery key, old password').fill('three test words')
    // Too common for a form; then as long as a password manager makes it.
    await form.getByLabel('New password', { exact: true }).fill('Iloveyou')
    if (signOutApps) await form.getByLabel('Sign out the apps').check()
    await form.getByRole('button', { name: 'Set a new password' }).click()
    await form.getByText('tried first').waitFor()
    await form.getByLabel('New password', { exact: true }).fill('long '.repeat(20))
    await form.getByRole('button', { name: 'Set a new password' }).click()
    return page
  }
  const made = await reset(heidi, { signOutApps: true })
  await made.getByRole('button', { name: 'Make a new recovery key' }).click()
  const recoveryKey = await made.locator('.recovery').innerText()
  await made.getByRole('button', { name: 'I have written them down' }).click()
  await made.getByText('Waits for you').waitFor()
  assert.equal((await heidi.one.get('/user/whoami')).status, 401)
  await refused(recover(heidi, testRecoveryKey), 400)
  await body(recover(heidi, recoveryKey))
  const kept = await reset(sam)
  await kept.getByRole('button', { name: 'Keep the old one' }).click()
  await kept.getByText('Waits for you').waitFor()
  assert.equal((await sam.one.get('/user/whoami')).status, 200)
  const other = await reset(sub)
  await other.getByText('Waits for you').waitFor()
  await body(recover(sam, testRecoveryKey))
})

test('/account: a new password is refused when it is common, and signs the apps out where that is chosen or the rule', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, {})) as [Person, Person]
  const change = async ({ username }: Person) => {
    const { page } = await web.openAs(username, { expected: /400/ })
    await page.goto('/account')
    await page.getByText('An app on a phone').waitFor()
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(testPassword)
    const apps = dialog.getByLabel('Sign out the apps')
    const save = async (password: string) => {
      await dialog.getByLabel('New password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    return { page, apps, save, dialog }
  }
  const first = await change(heidi)
  await first.save('baseball')
  await first.dialog.getByText('tried first').waitFor()
  assert.equal(await first.apps.isChecked(), false)
  await first.apps.check()
  await first.save('something else entirely')
  await first.page.getByText('Your password is changed.').waitFor()
  await first.page.getByText('An app on a phone').waitFor({ state: 'detached' })
  assert.equal((await heidi.one.get('/user/whoami')).status, 401)
  await onlySettings(web.nodes, { newPasswordSignsOutApps: true })
  const second = await change(sam)
  await second.dialog.getByText('On this server a new password always does that').waitFor()
  assert.equal(await second.apps.isChecked(), true)
  assert.equal(await second.apps.isDisabled(), true)
  await second.save('something else entirely')
  await second.page.getByText('An app on a phone').waitFor({ state: 'detached' })
  await onlySettings(web.nodes)
})

test('/blocks, /mutes, /favorites: whoever is taken off the list is so for the server, too', async () => {
  const [heidi, sam] = (await people(web.nodes, {}, { displayName: 'Sam Smith' })) as [Person, Person]
  const { page } = await web.openAs(heidi.username)
  for (const [list, verb] of Object.entries({ blocks: 'block', mutes: 'mute', favorites: 'favorite' })) {
    await heidi.one.post(`/users/${sam.id}/${verb}`)
    await page.goto(`/${list}`)
    await page.getByRole('link', { name: /Sam Smith/ }).waitFor()
    await page.getByRole('button', { name: 'Remove Sam Smith' }).click()
    await page.getByText('Nobody').first().waitFor()
    assert.deepEqual(await body(heidi.one.get(`/users/${list}`)), [])
  }
})
