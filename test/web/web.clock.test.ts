// Times and dates as the device's country writes them, or as somebody chose.
import { test } from 'node:test'
import { people, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()

test('an American phone counts to twelve and says the month first; a setting changes the clock', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username, { locale: 'en-US' })
  const time = page.locator('p.clock time')
  const shows = (pattern: RegExp) => time.filter({ hasText: pattern }).waitFor()
  await page.goto('/time')
  await shows(/^\d{1,2}:\d\d [AP]M$/)
  await page.getByText(/^\w+day, [A-Z]\w+ \d+$/).waitFor()
  await page.goto('/account')
  await page.getByLabel('Clock').selectOption('24')
  await page.goto('/time')
  await shows(/^\d\d:\d\d$/)
})

test('a British one does not, unless it is told to', async () => {
  const [ann] = (await people(web.nodes, {})) as [Person]
  const { page } = await web.openAs(ann.username)
  await page.goto('/time')
  await page
    .locator('p.clock time')
    .filter({ hasText: /^\d\d:\d\d$/ })
    .waitFor()
  await page.getByText(/^\w+day,? \d+ [A-Z]\w+$/).waitFor()
  await page.goto('/account')
  await page.getByLabel('Clock').selectOption('12')
  await page.goto('/time')
  await page
    .locator('p.clock time')
    .filter({ hasText: /^\d{1,2}:\d\d [ap]m$/i })
    .waitFor()
})
