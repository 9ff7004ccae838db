// Looks at every page of the app during one evening.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { testPassword } from './accounts.ts'
import { startTestNodes } from './app.ts'
import { violations, type Visit } from './browser.ts'
import { anEvening, type Evening } from './evening.ts'
import { LeapingClock } from './fake-clock.ts'
import { categories } from './forum.ts'
import { PageTexts } from './page-texts.ts'
import { go, settled, webTests, type Web } from './web.ts'

const folder = process.env['PICTURES']
/** Names of pages, when only some are wanted. */
const only = process.env['ONLY']?.split(',')
export const wide = { width: 1280, height: 900 }

let evening: Evening
/** The clocks aboard show five in the afternoon, whenever this runs: 22:00 UTC where the trip begins. */
const hourMs = 3_600_000
const leapMs = ((22 - new Date().getUTCHours() + 24) % 24) * hourMs
const clock = new LeapingClock()
clock.leap(leapMs)
let web: Web

const nowhere = '/nowhere'
/** Long, and their sentences are nobody's but their own. */
const guides = new Set(['hosts', 'privacy', 'help-moderators', 'help-host', 'help-operate'])
const open = ['/login', '/createAccount', '/resetPassword', '/codeOfConduct']
const pages = ({ ids, pages: further }: Evening): Record<string, string> => ({
  today: '/',
  search: '/search?search=dinner',
  seamail: '/seamail',
  thread: `/seamail/${ids.seamail}`,
  'seamail-new': '/seamail/new',
  groups: '/fez',
  group: `/lfg/${ids.group}`,
  'group-new': '/fez/new',
  'group-edit': `/lfg/${ids.group}/edit`,
  schedule: '/events',
  event: `/events/${ids.event}`,
  planner: '/dayplanner',
  fits: '/dayplanner/fits',
  'private-event': '/privateevent/new',
  forums: '/forums',
  'forum-search': '/forums?in=posts&words=gannets',
  category: `/forums/${categories.general}`,
  forum: `/forum/${ids.forum}`,
  microblog: '/tweets',
  conversation: `/tweets/${ids.post}`,
  people: '/directory',
  profile: '/profile/mara.v',
  'own-profile': '/account/profile',
  account: '/account',
  'recovery-key': '/account/recoveryKey',
  'second-factor': '/account/secondFactor',
  identities: '/account/identities',
  passkeys: '/account/passkeys',
  subaccount: '/createAltAccount',
  barrels: '/barrels',
  barrel: `/barrels/${ids.barrel}`,
  blocks: '/blocks',
  mutes: '/mutes',
  mutewords: '/mutewords',
  favorites: '/favorites',
  notices: '/notices',
  alertwords: '/alertwords',
  games: '/boardgames',
  karaoke: '/karaoke',
  performers: '/performers',
  performer: '/performers/own',
  microkaraoke: '/microkaraoke',
  'microkaraoke-record': '/microkaraoke/record',
  board: '/quartermaster',
  'board-new': '/quartermaster/create',
  'board-needed': '/quartermaster/need',
  'board-owned': '/quartermaster/owned',
  'board-about': '/quartermaster/about',
  'feedback-choose': '/eventfeedback',
  'sign-out': '/logout',
  'help-groups': '/help/groups',
  'help-moderators': '/help/moderators',
  'help-host': '/help/host',
  tokens: '/account/tokens',
  displaySetup: '/display',
  'help-operate': '/help/operate',
  privacy: '/help/privacy',
  hunts: '/hunts',
  help: '/help',
  hosts: '/help/hosts',
  faq: '/faq',
  about: '/about',
  time: '/time',
  map: '/map',
  ...further,
  nowhere,
})

/** The device's clock goes with the ship's. */
async function openThen(options: BrowserContextOptions & { expected?: RegExp }): Promise<Visit> {
  const visit = await web.open(options)
  await visit.context.addInitScript(`
    const Real = Date
    window.Date = class extends Real {
      constructor(...values) {
        super(...(values.length === 0 ? [Real.now() + ${leapMs}] : values))
      }
      static now() {
        return Real.now() + ${leapMs}
      }
    }`)
  return visit
}

async function openAsHeidi(options: BrowserContextOptions): Promise<Visit> {
  const visit = await openThen(options)
  const { page } = visit
  await page.goto('/login')
  await signInHere(visit)
  return visit
}

async function signInHere({ page }: Visit): Promise<void> {
  await page.locator('input[name=username]').fill(evening.heidi.username)
  await page.locator('input[name=password]').fill(testPassword)
  await page.locator('button[type=submit]').click()
  await page.locator('nav.places').waitFor()
}

interface Walk {
  locale: string
  /** Each page is seen so, one after the other. */
  looks: readonly { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' }[]
}

/** Registers a test, and the hooks of its file. */
export function lookTest({ locale, looks }: Walk): void {
  web = webTests(
    () =>
      startTestNodes(1, {
        workers: 1,
        clock,
        env: { SERVICE_START_DATE: new Date(Date.now() + leapMs - 48 * hourMs).toISOString().slice(0, 10) },
      }),
    async (nodes) => {
      evening = await anEvening(nodes, clock.now())
    },
  )
  test(`all pages fit their screens, by day and by night, ${locale}`, async () => {
    const visit = await openThen({ locale, expected: /404.*\/nowhere/, bypassCSP: true })
    const { page } = visit
    const texts = locale === 'en-GB' && !only ? new PageTexts('web/pages.txt') : undefined
    const look = async (name: string, path: string) => {
      // An address that nothing has is for the server, too.
      if (path === nowhere) await page.goto(path)
      await go(page, path)
      for (const { viewport, colorScheme } of looks) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await settled(page)
        const seen = `${path}, ${viewport.width} px, ${colorScheme}`
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${seen}: wider than the screen`)
        assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, seen)
        if (locale === 'en-GB') assert.deepEqual(await violations(page), [], seen)
        if (!folder) continue
        mkdirSync(folder, { recursive: true })
        await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}-${locale.slice(0, 2)}.png`) })
      }
      // Menus may move the page.
      if (!guides.has(name)) await texts?.check(name, page)
    }
    await page.goto('/login')
    for (const path of open) if (!only) await look(path.slice(1), path)
    await page.goto('/login')
    await signInHere(visit)
    for (const [name, path] of Object.entries(pages(evening))) if (only?.includes(name) ?? true) await look(name, path)
    texts?.end()
  })
}

/** Keeps pictures of the first page by day and of a thread by night. */
export async function takePictures(target: string, viewport: { width: number; height: number }): Promise<void> {
  mkdirSync(target, { recursive: true })
  for (const [name, path, colorScheme] of [
    ['today', '/', 'light'],
    ['thread', `/seamail/${evening.ids.seamail}`, 'dark'],
  ] as const) {
    const { page } = await openAsHeidi({ colorScheme, viewport })
    await page.goto(path)
    await settled(page)
    await page.screenshot({ path: join(target, `${name}.png`) })
  }
}
