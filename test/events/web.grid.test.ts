// A day of the schedule on a desk: places side by side, by hours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { hasCount, webTests } from '../support/web.ts'

const web = webTests()

const at = (hour: number, minute = 0) => new Date(new Date().setUTCHours(24 + hour, minute, 0, 0)).toISOString()

async function boxOf(page: Page, title: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.locator('.day-grid li', { hasText: title }).boundingBox()
  assert.ok(box, title)
  return box
}

test('events stand in their places at their hours; those at one time share its width', async () => {
  const [admin] = (await people(web.nodes, { level: 'admin' })) as [Person]
  const listed = (uid: string, title: string, location: string, start: string, end: string) => ({ uid, title, location, start, end })
  await apply(admin, [
    listed('1', 'Trivia', 'Lido', at(17), at(18)),
    listed('2', 'Knots', 'Lido', at(17, 30), at(19)),
    listed('3', 'Dancing', 'Lido', at(19), at(20)),
    listed('4', 'Concert', 'Main stage', at(18), at(20)),
  ])
  const { page } = await web.openAs(admin.username, { viewport: { width: 1280, height: 900 } })
  await page.goto('/events')
  await page.getByRole('region', { name: 'By place' }).waitFor()
  assert.deepEqual(await page.locator('.day-grid h3').allInnerTexts(), ['Lido', 'Main stage'])
  const [trivia, knots, late, concert] = [
    await boxOf(page, 'Trivia'),
    await boxOf(page, 'Knots'),
    await boxOf(page, 'Dancing'),
    await boxOf(page, 'Concert'),
  ]
  const near = (one: number, other: number, what: string) => assert.ok(Math.abs(one - other) <= 2, `${what}: ${one}, ${other}`)
  near(knots.y - trivia.y, trivia.height / 2, 'half an hour later')
  near(concert.y, trivia.y + trivia.height, 'one begins when the other ends')
  near(knots.height, 1.5 * trivia.height, 'an hour and a half')
  near(knots.x, trivia.x + trivia.width, 'side by side')
  near(late.width, 2 * trivia.width, 'alone again')
  near(late.x, trivia.x, 'in the same place')
  assert.ok(concert.x >= late.x + late.width)

  // A star there is a star everywhere.
  await page.getByRole('button', { name: 'Follow Concert' }).click()
  await page.getByRole('button', { name: 'Followed', exact: true }).click()
  await hasCount(page.locator('.day-grid section li'), 1)
  await page.getByRole('button', { name: 'Followed', exact: true }).click()

  // On paper it is a list, and so it is for whoever wants one, from then on.
  assert.equal(await page.locator('.row').first().isVisible(), false)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('.day-grid').isVisible(), false)
  await hasCount(page.locator('.row:visible'), 4)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'By place' }).click()
  await hasCount(page.locator('.row:visible'), 4)
  await page.reload()
  await hasCount(page.locator('.row:visible'), 4)
  assert.equal(await page.locator('.day-grid').count(), 0)
})
