// A host who lets only verified people read, in the browser: pages say why they are empty, what was kept on the device goes, and
// the code opens everything. `PICTURES=folder` keeps each page.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { onlySettings } from '../support/settings.ts'
import { go, settled, webTests } from '../support/web.ts'

const folder = process.env['PICTURES']
const screen = process.env['SCHEME'] === 'dark' ? ({ viewport: { width: 1280, height: 844 }, colorScheme: 'dark' } as const) : {}

let newcomer: Person
const web = webTests(
  () => startTestNodes(1),
  async (nodes) => {
    const [writer, made] = (await people(nodes, {}, { level: 'unverified' })) as [Person, Person]
    newcomer = made
    await write(writer.one, 'For those who belong here')
    await startForum(writer.one, 'A forum of ours')
    await nodes.sql`insert into registration_code (code) values ('abc123')`
  },
)

async function look(page: Page, name: string): Promise<void> {
  if (!folder) return
  await settled(page)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

const sentence = /entered their registration code can read this/

test('pages say that reading needs the code, show nothing that was kept, and open with it', async () => {
  const { page } = await web.openAs(newcomer.username, { ...screen, expected: /403|\/notification\/socket/ })
  await go(page, '/tweets')
  await page.getByText('For those who belong here').waitFor()
  await onlySettings(web.nodes, { verifiedReading: true })
  await page.reload()
  await page.getByText(sentence).waitFor()
  assert.equal(await page.getByText('For those who belong here').count(), 0)
  await look(page, 'microblog')
  for (const path of ['/forums', '/seamail', '/fez', '/directory', '/photostream', '/profile/somebody']) {
    await go(page, path)
    await settled(page)
    await look(page, path.slice(1).replace('/', '-'))
  }
  for (const path of ['/', '/events', '/boardgames']) {
    await go(page, path)
    await settled(page)
    assert.equal(await page.getByText(sentence).count(), 0, path)
    await look(page, path.slice(1) || 'today')
  }
  await go(page, '/tweets')
  await page.getByText(sentence).locator('..').getByRole('link', { name: 'Enter the code' }).click()
  await look(page, 'account')
  await page.getByRole('button', { name: 'Enter the code' }).click()
  await page.getByLabel('Registration code').fill('abc 123')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Enter the code' }).waitFor({ state: 'detached' })
  await go(page, '/tweets')
  await page.getByText('For those who belong here').waitFor()
})
