// All that a person has written, in the console: a spammer's posts are gone in two clicks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../support/browser.ts'
import { body, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()
const desk = { width: 1280, height: 860 }

async function aSpammer(posts: number, level: 'moderator' | 'tho' = 'moderator') {
  const [spammer, host] = (await people(web.nodes, { displayName: 'Rudi' }, { level })) as [Person, Person]
  for (let number = 1; number <= posts; number++) await write(spammer.one, `Watches, offer ${number}`)
  const { forumID } = await startForum(spammer.one, 'Cheap watches', { text: 'Buy here' })
  const { page } = await web.openAs(host.username, { viewport: desk, bypassCSP: true })
  const states = async () =>
    (await body<{ items: { moderationStatus: string }[] }>(host.one.get(`/mod/user/${spammer.id}/written?limit=200`))).items.map(
      ({ moderationStatus }) => moderationStatus,
    )
  const isHidden = async (count: number) => (await states()).filter((state) => state === 'quarantined').length === count
  return { spammer, host, page, forumID, states, isHidden }
}

test('seventy posts are hidden with two clicks, and shown again with one; all of them are deleted after a question', async () => {
  const { spammer, page, states, isHidden } = await aSpammer(70)
  await page.goto(`/moderate/userProfile/${spammer.id}`)
  await page.getByRole('link', { name: 'All they wrote' }).click()
  await page.getByText('Watches, offer 70').waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Hide all of it' }).click()
  await page.getByText('Hidden: 72').waitFor()
  assert.ok(await isHidden(72))
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(() => isHidden(0), 'shown again')
  await page.getByRole('button', { name: 'Delete all of it …' }).click()
  const question = page.getByRole('dialog', { name: 'Delete 72 things by Rudi?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing that others see').waitFor()
  assert.deepEqual(await states(), [])
})

test('some are chosen by hand or found by words; what is hidden says so', async () => {
  const { spammer, page, isHidden } = await aSpammer(3)
  await page.goto(`/moderator/written/${spammer.id}`)
  await page.getByRole('checkbox', { name: 'Choose: Watches, offer 2' }).check()
  await page.getByRole('button', { name: 'Hide the chosen one' }).click()
  await page.locator('.row', { hasText: 'offer 2' }).getByText('Hidden').waitFor()
  assert.ok(await isHidden(1))
  await page.getByRole('searchbox', { name: 'Search what they wrote' }).fill('cheap')
  await hasCount(page.locator('main li.row'), 1)
  await page.getByRole('button', { name: 'Hide all of it' }).click()
  await until(() => isHidden(2), 'what was found is hidden, too, and nothing else')
})

test('a ban hides all that was written, unless the host does not want that', async () => {
  for (const hides of [true, false]) {
    const { spammer, page, isHidden } = await aSpammer(4, 'tho')
    await page.goto(`/moderate/userProfile/${spammer.id}`)
    await page.getByRole('button', { name: 'Ban …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Spam')
    if (!hides) await dialog.getByLabel('Hide all that they wrote').uncheck()
    await dialog.getByRole('button', { name: 'Ban' }).click()
    await dialog.waitFor({ state: 'detached' })
    if (hides) await page.getByText('Hidden: 6').waitFor()
    assert.ok(await isHidden(hides ? 6 : 0))
  }
})

test('a moderator on duty stops somebody for the night, where the host lets them', async () => {
  const { spammer, host, page, isHidden } = await aSpammer(1)
  await page.goto(`/moderate/userProfile/${spammer.id}`)
  await page.getByRole('button', { name: 'No writing for a while' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Stop for a while …' }).count(), 0)
  await onlySettings(web.nodes, { moderatorsMayStop: true })
  await page.reload()
  await page.getByRole('button', { name: 'Stop for a while …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop Rudi' })
  await dialog.getByLabel('Reason').fill('Threats')
  await dialog.getByRole('button', { name: 'Stop for a while' }).click()
  await page.getByText('Hidden: 3').waitFor()
  assert.ok(await isHidden(3))
  assert.match((await body(host.one.get(`/mod/user/${spammer.id}/record`))).ban.reason, /Threats/)
  await onlySettings(web.nodes)
})
