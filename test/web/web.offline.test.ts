// Pages that this device has never seen, without a network.
import { test } from 'node:test'
import { people, type Person } from '../support/fez.ts'
import { go, settled, webTests } from '../support/web.ts'

const web = webTests()

test('a page that was never here says so without a network, and comes by itself with it', async () => {
  const [heidi] = (await people(web.nodes, {})) as [Person]
  const { page, context } = await web.openAs(heidi.username, {
    expected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|WebSocket/,
  })
  await page.goto('/events')
  await settled(page)
  await context.setOffline(true)
  await go(page, '/boardgames')
  await page.getByText('Not on this device yet').waitFor()
  await context.setOffline(false)
  await page.getByText('Not on this device yet').waitFor({ state: 'detached' })
  await page.locator('main ul.card').waitFor()
})
