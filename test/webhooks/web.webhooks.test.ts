// Webhooks in the console.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { startTestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'
import { settled, webTests } from '../support/web.ts'
import { startWebhook, type Webhook } from '../support/webhook.ts'

interface Message {
  type: string
}

let outside: Webhook<Message>
before(async () => (outside = await startWebhook()))
after(() => outside.close())
const web = webTests(() => startTestNodes(1, { workers: 1, env: { OUTSIDE_HOSTS: '127.0.0.1' } }))

test('a webhook is made, its key shown once, tried, paused, changed, and deleted after a question', async () => {
  const [captain] = (await people(web.nodes, { level: 'admin' })) as [Person]
  const { page } = await web.openAs(captain.username, { expected: /400/ })
  await page.goto('/admin/webhooks')
  await page.getByText('No program elsewhere is told of anything.').waitFor()
  await page.getByLabel('Name').fill('Lobby')
  await page.getByLabel('Address').fill('http://10.0.0.1/hook')
  await page.getByRole('checkbox', { name: 'New people' }).check()
  const make = page.getByRole('button', { name: 'Make the webhook' })
  await make.click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Address').fill(outside.url)
  await make.click()
  const secret = await page.locator('.token code').innerText()
  const lobby = page.locator('article', { hasText: 'Lobby' })
  await lobby.getByText('Announcements, with their words, New people').waitFor()
  await lobby.getByText('Nothing was taken yet.').waitFor()
  assert.ok(!(await lobby.innerText()).includes('only-for-us'))

  await lobby.getByRole('button', { name: 'Send a test' }).click()
  await lobby.getByText('Taken. The address answers with 200.').waitFor()
  assert.deepEqual(
    outside.messages.map(({ type }) => type),
    ['test'],
  )
  const [{ headers, text }] = outside.requests as unknown as [{ headers: Record<string, string>; text: string }]
  new Verifier(secret).verify(text, headers)
  await lobby.getByText('What is sent').click()
  await lobby.getByText('"type":"test"').waitFor()
  await lobby.getByRole('button', { name: 'Send again' }).click()
  await until(() => outside.messages.length === 2, 'it is sent again')
  assert.equal(outside.requests[1]?.headers['webhook-id'], headers['webhook-id'])

  await lobby.getByRole('button', { name: 'Pause' }).click()
  await lobby.getByText('paused').waitFor()
  await lobby.getByRole('button', { name: 'Go on' }).click()
  await lobby.getByText('paused').waitFor({ state: 'detached' })
  await lobby.getByRole('button', { name: 'Change' }).click()
  await lobby.getByLabel('Name').fill('Foyer')
  await lobby.getByRole('checkbox', { name: 'New people' }).uncheck()
  await lobby.getByRole('button', { name: 'Save' }).click()
  const foyer = page.locator('article', { hasText: 'Foyer' })
  await foyer.getByText('Announcements, with their words', { exact: true }).waitFor()

  await page.reload()
  await foyer.waitFor()
  await settled(page)
  assert.equal(await page.locator('.token').count(), 0)
  await foyer.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No program elsewhere is told of anything.').waitFor()
  assert.equal((await web.nodes.sql`select from webhook_endpoint`).length, 0)
})
