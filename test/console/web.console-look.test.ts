// Every page of the console, wide and narrow, by day and by night, in both languages: nothing is wider than the screen, axe
// finds nothing, and each says what `pages.txt` says it does (`UPDATE_PAGES=1` writes it again). `PICTURES=folder` keeps a
// picture of each page.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes } from '../support/app.ts'
import { phone, violations } from '../support/browser.ts'
import { fillConsole, type ConsolePlace } from '../support/console-place.ts'
import { PageTexts } from '../support/page-texts.ts'
import { go, settled, webTests } from '../support/web.ts'

let place: ConsolePlace
const web = webTests(
  () => startTestNodes(1, { workers: 1, env: { OUTSIDE_HOSTS: 'hooks.example, *.aft.example' } }),
  async (nodes) => {
    place = await fillConsole(nodes)
  },
)

/** Paths; some with the number of the tab that is opened there. */
const pages = (): Record<string, string | readonly [path: string, tab: number]> => ({
  reports: '/reports',
  log: '/moderator',
  moderate: `/moderate/forum/${place.forumID}`,
  'moderate-profile': `/moderate/userProfile/${place.subject.id}`,
  letters: '/admin/templates',
  people: '/admin/users',
  person: `/admin/users/${place.subject.id}`,
  written: `/moderator/written/${place.subject.id}`,
  dashboard: '/admin',
  checks: '/admin/checks',
  incidents: '/admin/incidents',
  event: '/admin/event',
  'event-before': ['/admin/event', 0],
  'event-during': ['/admin/event', 1],
  'event-after': ['/admin/event', 2],
  report: '/admin/report',
  end: '/admin/end',
  moving: '/admin/moving',
  feedback: '/admin/feedback',
  hunts: '/admin/hunts',
  'hunt-new': '/admin/hunts/new',
  categories: '/admin/categories',
  zones: '/admin/timezones',
  announcements: '/admin/announcements',
  schedule: '/admin/schedule',
  libraries: '/admin/games',
  performers: '/admin/performers',
  microkaraoke: '/admin/microkaraoke',
  themes: '/admin/themes',
  codes: '/admin/codes',
  desk: '/kiosk',
  settings: '/admin/settings',
  texts: '/admin/texts',
  text: '/admin/texts/faq.md',
  jobs: '/admin/jobs',
  errors: '/admin/errors',
  backups: '/admin/backups',
  retention: '/admin/retention',
  webhooks: '/admin/webhooks',
  audit: '/admin/audit',
  menu: '/admin/menu',
  'own-data': '/account/data',
})

/** Figures of this run, random codes, and people who are counted meanwhile. */
const passing = new Set(['dashboard', 'checks', 'report', 'codes', 'jobs', 'audit', 'end'])

const folder = process.env['PICTURES']

for (const { viewport, locale } of [
  { viewport: { width: 1280, height: 900 }, locale: 'en-GB' },
  { viewport: phone, locale: 'de-DE' },
  // To be looked at alone: what fits in one language and width is worth a look in the others.
  ...(folder
    ? [
        { viewport: { width: 1280, height: 900 }, locale: 'de-DE' },
        { viewport: phone, locale: 'en-GB' },
      ]
    : []),
])
  test(`all pages of the console fit a screen of ${viewport.width} px, by day and by night, ${locale}`, async () => {
    const { page } = await web.open({ viewport, locale, bypassCSP: true })
    await page.goto('/login')
    await page.locator('input[name=username]').fill(place.admin.username)
    await page.locator('input[name=password]').fill(testPassword)
    await page.locator('button[type=submit]').click()
    await page.locator('nav.places').waitFor()
    const found: string[] = []
    const texts = locale === 'en-GB' && !folder ? new PageTexts('console/pages.txt') : undefined
    for (const [name, where] of Object.entries(pages())) {
      const [path, tab] = typeof where === 'string' ? [where] : where
      await go(page, path)
      if (tab !== undefined) await page.locator('main .tabs button').nth(tab).click()
      await settled(page)
      if (!passing.has(name)) await texts?.check(name, page)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the screen`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        found.push(...(await violations(page)).map((violation) => `${path} ${colorScheme}: ${violation}`))
        if (!folder) continue
        mkdirSync(folder, { recursive: true })
        const file = `${name}-${viewport.width}-${colorScheme}-${locale.slice(0, 2)}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true })
      }
    }
    texts?.end()
    assert.deepEqual(found, [])
  })
