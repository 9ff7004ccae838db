// What people see of a server that the host keeps them out of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { people, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { onlySettings } from '../support/settings.ts'
import { webTests } from '../support/web.ts'

const web = webTests()
const expected = /40[13]/

test('every page says that the server is closed, and shows itself again when it opens', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  await write(ann.one, 'before the doors closed')
  const { page } = await web.openAs(ann.username, { expected })
  await page.goto('/tweets')
  await page.getByText('before the doors closed').waitFor()
  await onlySettings(web.nodes, { minAccessUserLevel: 'moderator' })
  for (const path of ['/', '/tweets', '/seamail', '/events']) {
    await page.goto(path)
    await page.getByText(/^(It opens on \w+, \d|The team has closed the server)/).waitFor()
    assert.equal(await page.getByText('Nothing is waiting').count(), 0, path)
  }
  // What needs nothing of the server is there.
  await page.goto('/faq')
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByText('Closed for now').count(), 0)
  await page.goto('/tweets')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await onlySettings(web.nodes)
  // The page may have noticed by itself in this moment.
  await page.getByRole('button', { name: 'Try again' }).or(page.getByText('before the doors closed')).first().click()
  await page.getByText('before the doors closed').waitFor()
})

test('during pre-registration one’s profile, the schedule and the performers are there', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username, { expected })
  await onlySettings(web.nodes, { minAccessUserLevel: 'moderator', enablePreregistration: true })
  await page.goto('/')
  await page.getByText('You can get ready already').waitFor()
  await page.getByRole('link', { name: 'Your profile' }).click()
  await page.getByLabel('Display name').waitFor()
  await page.goto('/performers')
  await page.getByRole('heading', { name: 'Performers' }).waitFor()
  await page.goto('/tweets')
  await page.getByText('You can get ready already').waitFor()
  await onlySettings(web.nodes)
})

test('whoever signs in to a closed server is told until when', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  await onlySettings(web.nodes, { minAccessUserLevel: 'moderator' })
  const { page } = await web.open({ expected })
  await page.goto('/login')
  await page.getByLabel('Username').fill(ann.username)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(/^(It opens on|The team has closed the server)/).waitFor()
  await onlySettings(web.nodes)
})

test('what is switched off for another app is there in the browser', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  await write(ann.one, 'for every browser')
  const { page } = await web.openAs(ann.username, { expected: /451/ })
  const offFor = (appName: string) => onlySettings(web.nodes, { disabledFeatures: [{ appName, featureName: 'tweets' }] })
  await offFor('cruisemonkey')
  await page.goto('/tweets')
  await page.getByText('for every browser').waitFor()
  await page.getByRole('textbox', { name: 'What is new?' }).waitFor()
  for (const appName of ['swiftarr', 'all']) {
    await offFor(appName)
    await page.goto('/tweets')
    await page.getByText('The host has switched this off.').waitFor()
    assert.equal(await page.getByText('for every browser').count(), 0)
  }
  await onlySettings(web.nodes)
})
