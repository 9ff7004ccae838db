// Every page on a phone and on a wide screen, by day and by night, in both languages: nothing is wider than the screen,
// nothing is left in English. `PICTURES=folder` keeps a picture of each; `UPDATE_PICTURES=1` makes those of the README again.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anEvening, type Evening } from './support/evening.ts'
import { categories } from './support/forum.ts'
import { startTestNodes } from './support/app.ts'
import { settled, webTests } from './support/web.ts'
import { phone } from './support/browser.ts'

const folder = process.env['PICTURES']
const readmePictures = join(process.cwd(), 'src', 'web', 'pictures')
const wide = { width: 1280, height: 900 }

let evening: Evening
const web = webTests(
  () => startTestNodes(1, { workers: 1, env: { SERVICE_START_DATE: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) } }),
  async (nodes) => {
    evening = await anEvening(nodes)
  },
)

const open = ['/login', '/createAccount', '/resetPassword', '/codeOfConduct']
const pages = ({ ids }: Evening): Record<string, string> => ({
  today: '/',
  seamail: '/seamail',
  thread: `/seamail/${ids.seamail}`,
  'seamail-new': '/seamail/new',
  groups: '/fez',
  group: `/lfg/${ids.group}`,
  'group-new': '/fez/new',
  schedule: '/events',
  event: `/events/${ids.event}`,
  planner: '/dayplanner',
  forums: '/forums',
  category: `/forums/${categories.general}`,
  forum: `/forum/${ids.forum}`,
  microblog: '/tweets',
  conversation: `/tweets/${ids.post}`,
  people: '/directory',
  profile: '/profile/mara.v',
  'own-profile': '/account/profile',
  account: '/account',
  subaccount: '/createAltAccount',
  barrels: '/barrels',
  barrel: `/barrels/${ids.barrel}`,
  blocks: '/blocks',
  favorites: '/favorites',
  alertwords: '/alertwords',
  games: '/boardgames',
  karaoke: '/karaoke',
  microkaraoke: '/microkaraoke',
  'microkaraoke-record': '/microkaraoke/record',
  hunts: '/hunts',
  hunt: `/hunt/${ids.hunt}`,
  puzzle: `/puzzle/${ids.puzzle}`,
  help: '/help',
  hosts: '/help/hosts',
  faq: '/faq',
  about: '/about',
  time: '/time',
  map: '/map',
  nowhere: '/nowhere',
})

/** Each language once in each scheme and size: four walks see every combination that matters. */
const walks = [
  { viewport: phone, colorScheme: 'light', locale: 'en-GB' },
  { viewport: phone, colorScheme: 'dark', locale: 'de-DE' },
  { viewport: wide, colorScheme: 'dark', locale: 'en-GB' },
  { viewport: wide, colorScheme: 'light', locale: 'de-DE' },
] as const

for (const { viewport, colorScheme, locale } of walks) {
  test(`all pages fit a screen of ${viewport.width} px, ${colorScheme}, ${locale}`, async () => {
    const { page } = await web.open({ viewport, colorScheme, locale, expected: /404/ })
    const look = async (name: string, path: string) => {
      await page.goto(path)
      await settled(page)
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} is wider than the screen`)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      if (!folder) return
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}-${locale.slice(0, 2)}.png`) })
    }
    for (const path of open) await look(path.slice(1), path)
    await page.goto('/login')
    await page.locator('input[name=username]').fill(evening.heidi.username)
    await page.locator('input[name=password]').fill('a test password')
    await page.locator('button[type=submit]').click()
    await page.locator('nav.places').waitFor()
    for (const [name, path] of Object.entries(pages(evening))) await look(name, path)
  })
}

test('the pictures of the README', { skip: process.env['UPDATE_PICTURES'] !== '1' }, async () => {
  mkdirSync(readmePictures, { recursive: true })
  for (const [name, path, colorScheme] of [
    ['today', '/', 'light'],
    ['thread', `/seamail/${evening.ids.seamail}`, 'dark'],
  ] as const) {
    const { page } = await web.openAs(evening.heidi.username, { colorScheme })
    await page.goto(path)
    await settled(page)
    await page.screenshot({ path: join(readmePictures, `${name}.png`) })
  }
})
