// Every page on the narrowest screen, and with letters twice as large: no text is cut off, everything can be reached, no page
// has an error, and nothing is asked from another host.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { publicTexts } from '../../src/client/text-names.ts'
import { webPaths } from '../../src/features.ts'
import { startTestNodes } from '../support/app.ts'
import { phone } from '../support/browser.ts'
import { anEvening, type Evening } from '../support/evening.ts'
import { createChat, people, type Person } from '../support/fez.ts'
import { categories } from '../support/forum.ts'
import { go, settled, webTests } from '../support/web.ts'

const folder = process.env['PICTURES']
let evening: Evening
let admin: Person
let [privateEvent, hunt] = ['', '']
const web = webTests(
  () => startTestNodes(1, { workers: 1 }),
  async (nodes) => {
    evening = await anEvening(nodes)
    admin = (await people(nodes, { level: 'admin' }))[0] as Person
    const { heidi, sam } = evening
    const startTime = new Date(Date.now() + 3_600_000).toISOString()
    privateEvent = await createChat(heidi.one, { fezType: 'privateEvent', title: 'Dinner for two', initialUsers: [sam.id], startTime })
    hunt = (await nodes.sql<[{ id: string }]>`select id from hunt limit 1`)[0].id
  },
)

/** Their pages need more than an evening has; the tests of each open them. */
const elsewhere = new Set(['/moderate/:kind/:id', '/performer/:id', '/microkaraokesong/:id', '/events/:id/feedback'])
const signedOut = new Set(['/login', '/createAccount', '/resetPassword'])
const ofConsole = /^\/(admin|moderator|reports|kiosk)/

function addressOf(path: string): string {
  const { seamail, group, forum, event, post, barrel } = evening.ids
  const ids: Record<string, string> = {
    '/seamail/:id': seamail,
    '/lfg/:id': group,
    '/forum/:id': forum,
    '/events/:id': event,
    '/tweets/:id': post,
    '/barrels/:id': barrel,
    '/forums/:category': categories.general,
    '/profile/:name': 'mara.v',
    '/help/:which': 'people',
    '/privateevent/:id': privateEvent,
    '/admin/texts/:name': publicTexts[0],
    '/admin/hunts/:id': hunt,
    '/admin/users/:id': evening.sam.id,
    '/moderator/written/:id': evening.sam.id,
    '/forum/containingpost/:id': '2',
    '/photostream/:id': '1',
  }
  const further = new RegExp(`^${path.replace(/:\w+/, '[^/]+')}$`)
  return ids[path] === undefined
    ? (Object.values(evening.pages).find((each) => further.test(each)) ?? path.replace(/:\w+/, ''))
    : path.replace(/:\w+/, ids[path])
}

/** Texts that are cut off or stand outside of the screen, and controls that something else covers. */
const losses = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const found = []
    const describe = (element) => element.tagName.toLowerCase() + '.' + element.className + ' "' + element.textContent.trim().slice(0, 40) + '"'
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
    const scrolls = (element) => {
      for (let box = element; box && box !== document.documentElement; box = box.parentElement)
        if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true
      return false
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen: ' + document.documentElement.scrollWidth)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement
      if (walker.currentNode.data.trim() === '' || !isSeen(element)) continue
      range.selectNodeContents(walker.currentNode)
      const { left, right, width } = range.getBoundingClientRect()
      if (width > 0 && (left < -1 || right > innerWidth + 1) && !scrolls(element)) found.push('outside: ' + describe(element))
    }
    for (const element of document.body.querySelectorAll('*')) {
      const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(element)
      if (overflowX !== 'hidden' && overflowY !== 'hidden' && overflowX !== 'clip') continue
      if (!isSeen(element) || element.textContent.trim() === '' || element.getBoundingClientRect().width < 2) continue
      // The beginning of what stands in full behind the link.
      if (webkitLineClamp !== 'none' && element.closest('a')) continue
      if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2) found.push('cut off: ' + describe(element))
    }
    // Only a keyboard needs the way past the places, and shows it.
    for (const control of document.querySelectorAll('a[href], button:not(.skip), input:not([type=hidden]), select, textarea')) {
      if (!isSeen(control) || control.disabled) continue
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = control.getClientRects()[0] ?? {}
      if (!width || !height) continue
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      if (!there) found.push('out of reach: ' + describe(control))
      else if (!control.contains(there) && !there.contains(control) && !there.closest('label')?.contains(control)) found.push('covered: ' + describe(control) + ' by ' + describe(there))
    }
    scrollTo({ top: 0, behavior: 'instant' })
    return found
  })()`)

/** The page of the map looks for one that the host has put there. */
const expected = /public\/map\.\w+/
const narrow = { width: 320, height: 640 }

/** One after the other on every page, each as it is loaded: in the first way, and then in the other. */
const ways: Record<string, (page: Page) => Promise<unknown>> = {
  narrow: async (page) => {
    await page.evaluate(`document.documentElement.style.fontSize = ''`)
    await page.setViewportSize(narrow)
  },
  large: async (page) => {
    await page.setViewportSize(phone)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  },
}

test('every page on a screen of 320 px, and with letters twice as large', async () => {
  const options = { viewport: narrow, expected }
  const [stranger, person, host] = await Promise.all([
    web.open(options),
    web.openAs(evening.heidi.username, options),
    web.openAs(admin.username, options),
  ])
  await stranger.page.goto('/login')
  const found: string[] = []
  for (const path of webPaths.filter((each) => !elsewhere.has(each))) {
    const { page } = signedOut.has(path) ? stranger : ofConsole.test(path) ? host : person
    // As a link of the app leads there: to load all of it again each time takes longer than the rest.
    await go(page, addressOf(path))
    await settled(page)
    for (const [name, change] of Object.entries(ways)) {
      await change(page)
      await settled(page)
      for (const loss of await losses(page)) found.push(`${path}, ${name}: ${loss}`)
      if (!folder) continue
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}${path.replace(/\W+/g, '-')}.png`) })
    }
  }
  assert.deepEqual(found, [])
})
