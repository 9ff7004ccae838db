// Messages of a private chat are handed to the moderators, in the browser.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../support/browser.ts'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { webTests } from '../support/web.ts'

const web = webTests()
const folder = process.env['PICTURES']

/** A picture to be looked at, when somebody wants one. */
async function keep(page: Page, name: string): Promise<void> {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

test('somebody who is threatened picks the messages; a moderator reads these and no others', async () => {
  const [victim, bully, moderator] = (await people(
    web.nodes,
    { displayName: 'Vera' },
    { displayName: 'Bruno' },
    { level: 'moderator', displayName: 'Mo' },
  )) as [Person, Person, Person]
  const thread = await createSeamail(bully.one, [victim], { title: 'You know who' })
  await say(victim.one, thread, 'my secret plan')
  await say(victim.one, thread, 'What do you want?')
  const threat = await say(bully.one, thread, 'I know your cabin')
  const { page } = await web.openAs(victim.username, { bypassCSP: true })
  await page.goto(`/seamail/${thread}`)
  await page.getByRole('button', { name: /^Post by Bruno/ }).click()
  await page.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report' })
  await dialog.getByText('Bruno is not told').waitFor()
  assert.ok(await dialog.getByRole('checkbox', { name: /I know your cabin/ }).isChecked())
  await dialog.getByRole('checkbox', { name: /What do you want/ }).check()
  await dialog.getByRole('textbox').fill('I am afraid')
  await keep(page, 'report-posts')
  assert.deepEqual(await violations(page), [])
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.waitFor({ state: 'detached' })

  const desk = (await web.openAs(moderator.username, { viewport: { width: 1280, height: 900 }, bypassCSP: true })).page
  await desk.goto(`/moderate/fezPost/${threat}`)
  const excerpt = desk.locator('section', { has: desk.getByRole('heading', { name: 'Handed over with a report' }) })
  await excerpt.getByText('What do you want?').waitFor()
  await excerpt.getByText('I know your cabin').waitFor()
  await excerpt.getByText(/In it: .*(Vera|Bruno)/).waitFor()
  await desk.getByText('I am afraid').waitFor()
  assert.equal(await desk.getByText('my secret plan').count(), 0)
  assert.equal(await desk.getByRole('link', { name: 'See it in its place' }).count(), 0)
  await keep(desk, 'excerpt')
  assert.deepEqual(await violations(desk), [])
})
