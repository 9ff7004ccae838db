// The plan in the calendar of a phone, set up in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { createChat, people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('/dayplanner: an address for calendars is made, shown once, replaced and ended', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  await createChat(heidi.one, { title: 'Supper', startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' })
  const { page } = await web.openAs(heidi.username, { bypassCSP: true })
  const read = async (url: string) => {
    const answer = await fetch(url)
    return [answer.status, /SUMMARY:Supper/.test(await answer.text())]
  }
  const address = () => page.getByLabel('Link', { exact: true }).inputValue()
  await page.goto('/dayplanner')
  await page.getByText('In the calendar of your phone').click()
  await page.getByRole('button', { name: 'Make an address' }).click()
  await page.getByText('This address is shown this once.').waitFor()
  const first = await address()
  assert.deepEqual(await read(first), [200, true])
  assert.equal(await page.getByRole('link', { name: 'Open in the calendar' }).getAttribute('href'), first.replace(/^http/, 'webcal'))
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  assert.deepEqual(await violations(page), [])

  await page.reload()
  await page.getByText('In the calendar of your phone').click()
  await page.getByText('You have had an address since').waitFor()
  await page.getByRole('button', { name: 'Make a new one' }).click()
  await page.getByText('This address is shown this once.').waitFor()
  const second = await address()
  assert.deepEqual(
    [await read(first), await read(second)],
    [
      [400, false],
      [200, true],
    ],
  )

  await page.getByRole('button', { name: 'End it' }).click()
  await page.getByRole('dialog', { name: 'End this address?' }).getByRole('button', { name: 'End it' }).click()
  await page.getByRole('button', { name: 'Make an address' }).waitFor()
  assert.deepEqual(await read(second), [400, false])
})
