// The pictures of the handbook of the console: each shows what its page has. `UPDATE_PICTURES=1` makes them again.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startTestNodes } from '../support/app.ts'
import { fillConsole, type ConsolePlace } from '../support/console-place.ts'
import { until } from '../support/until.ts'
import { go, hasCount, webTests } from '../support/web.ts'

const pages: Readonly<Record<string, string>> = {
  dashboard: '/admin',
  event: '/admin/event',
  reports: '/reports',
  people: '/admin/users',
  codes: '/admin/codes',
  announcements: '/admin/announcements',
  schedule: '/admin/schedule',
  forums: '/admin/categories',
  settings: '/admin/settings',
  jobs: '/admin/jobs',
  backups: '/admin/backups',
}
const size = { width: 1000, height: 640 }
const folder = join(process.cwd(), 'src', 'web', 'help', 'pictures')
/** What each page said when its picture was made. */
const words = join(folder, 'words.json')
const isMade = process.env['UPDATE_PICTURES'] === '1'

let place: ConsolePlace
const web = webTests(
  () => startTestNodes(1, { workers: 1 }),
  async (nodes) => {
    place = await fillConsole(nodes)
  },
)

/** What does not depend on the moment: headings, buttons and labels that begin above a height, without numbers. */
async function wordsOf(page: Page, above: number): Promise<string[]> {
  const texts = await page
    .locator('h1, h2, h3, main button, main label, main th')
    .evaluateAll(
      (found, height) =>
        (found as { getBoundingClientRect(): { top: number; height: number }; innerText: string }[])
          .filter((each) => each.getBoundingClientRect().height > 0 && each.getBoundingClientRect().top < height)
          .map(({ innerText }) => innerText),
      above,
    )
  return [
    ...new Set(
      texts.map((text) =>
        text
          .replace(/[\d.,:–-]+/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ),
  ]
    .filter(Boolean)
    .sort()
}

/** Lines of today may be longer than those of the picture, and move what stands at its end. */
const leewayPx = 100

/** Undefined when a page shows the words that its picture has; else those that it shows. */
async function otherWords(page: Page, pictured: readonly string[]): Promise<string[] | undefined> {
  const [surely, perhaps] = [await wordsOf(page, size.height - leewayPx), await wordsOf(page, size.height + leewayPx)]
  const isSame = surely.every((word) => pictured.includes(word)) && pictured.every((word) => perhaps.includes(word))
  return isSame ? undefined : await wordsOf(page, size.height)
}

const known = (): Record<string, string[]> => JSON.parse(readFileSync(words, 'utf8')) as Record<string, string[]>

for (const [language, locale] of [
  ['en', 'en-GB'],
  ['de', 'de-DE'],
] as const)
  test(`the pictures of the handbook show the pages as they are, ${locale}`, async () => {
    const { page } = await web.openAs(place.admin.username, { viewport: size, locale })
    const shown: Record<string, string[]> = {}
    for (const [name, path] of Object.entries(pages)) {
      await go(page, path)
      const key = `${name}.${language}`
      if (!isMade) {
        const pictured = known()[key] ?? []
        const look = () => otherWords(page, pictured)
        let other = await look()
        // Some parts of a page come after the rest.
        if (other) await until(async () => !(other = await look()), 'the page of the handbook').catch(() => undefined)
        const message = `${key} shows another page: UPDATE_PICTURES=1 npm test -- test/console/web.guide.test.ts`
        if (other) assert.deepEqual(other, pictured, message)
        continue
      }
      shown[key] = await wordsOf(page, size.height)
      mkdirSync(folder, { recursive: true })
      const picture = await page.screenshot()
      await sharp(picture)
        .webp({ quality: 60, smartSubsample: true })
        .toFile(join(folder, `${name}.${language}.webp`))
    }
    if (isMade) {
      const before = language === 'en' ? {} : known()
      writeFileSync(words, `${JSON.stringify({ ...before, ...shown }, null, 2)}\n`)
    }
  })

test('the handbook shows its pictures, with words for those who do not see them', async () => {
  for (const locale of ['en-GB', 'de-DE']) {
    const { page } = await web.openAs(place.admin.username, { viewport: size, locale })
    await go(page, '/help/host')
    const pictures = page.locator('article img')
    await hasCount(pictures, Object.keys(pages).length)
    const loaded = await pictures.evaluateAll(async (found) => {
      const images = found as unknown as { loading: string; alt: string; naturalWidth: number; decode(): Promise<void> }[]
      for (const image of images) image.loading = 'eager'
      await Promise.all(images.map((image) => image.decode()))
      return images.map(({ naturalWidth, alt }) => [naturalWidth, alt.length > 5])
    })
    assert.deepEqual(
      loaded,
      loaded.map(() => [size.width, true]),
    )
  }
})
