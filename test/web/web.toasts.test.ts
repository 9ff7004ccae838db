// Short messages at the edge of the screen: they cover nothing that somebody needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { createSeamail, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { listens, webTests } from '../support/web.ts'

const web = webTests()

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
]

test('a notice covers neither the field to write in, nor the navigation, nor the buttons of the title', async () => {
  const [heidi, sam, kim] = (await people(web.nodes, {}, {}, {})) as [Person, Person, Person]
  const chat = await createSeamail(heidi.one, [sam], { title: 'Dinner' })
  await say(sam.one, chat, 'At seven?')
  const { forumID } = await startForum(sam.one, 'Lost and found')
  const other = await createSeamail(kim.one, [heidi], { title: 'A long title of another conversation that is going on' })
  const { page } = await web.openAs(heidi.username)
  for (const viewport of sizes) {
    await page.setViewportSize(viewport)
    for (const path of [`/seamail/${chat}`, `/forum/${forumID}`, '/tweets']) {
      await page.goto(path)
      await page.locator('.write textarea').waitFor()
      await page.evaluate('document.fonts.ready.then(() => true)')
      await listens(page)
      await say(kim.one, other, 'Where are you? We are all waiting at the table near the window')
      const toast = page.locator('.toast').first()
      await toast.waitFor()
      const covered = await rectOf(toast)
      for (const part of ['.write', '.top > .round', '.places'].map((selector) => page.locator(selector)))
        for (const each of await part.all()) {
          const rect = await rectOf(each)
          assert.ok(!overlap(covered, rect), `${path} at ${viewport.width} px: ${JSON.stringify([covered, rect])}`)
        }
      await toast.getByRole('button', { name: 'Close' }).click()
    }
  }
})

async function rectOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const rect = await element.boundingBox()
  assert.ok(rect, 'it is on the page')
  return rect
}

type Rect = Awaited<ReturnType<typeof rectOf>>

const overlap = (a: Rect, b: Rect) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
