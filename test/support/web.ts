// What every file of browser tests has: nodes, a browser, and visits that end with their test. A page with an error fails
// its test; a failed test says what each page showed, and leaves a picture of it in test/failures, with TRACE=1 a trace, too.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { testPassword } from './accounts.ts'
import { startTestNodes, type TestNodes } from './app.ts'
import { openBrowser, patienceMs, signIn, untroubled, visit, type Visit } from './browser.ts'
import { until } from './until.ts'

type Options = Parameters<typeof visit>[2]

export interface Web {
  readonly nodes: TestNodes
  readonly url: string
  /** A browser of its own, with nobody signed in. */
  open(options?: Options): Promise<Visit>
  /** The same, signed in. */
  openAs(username: string, options?: Options): Promise<Visit>
}

// Compiled tests run from dist/test.
const failures = join(process.cwd(), 'test', 'failures')
/** Costs a tenth of the time. */
const traced = process.env['TRACE'] === '1'
const shownText = 1500

/** Registers the hooks of one file; the result may be used once tests run. `begun` fills the nodes. */
export function webTests(
  start: () => Promise<TestNodes> = () => startTestNodes(1),
  begun: (nodes: TestNodes) => Promise<void> = async () => undefined,
): Web {
  let nodes: TestNodes
  let browser: Browser
  let visits: Visit[] = []
  before(async () => {
    nodes = await start()
    await begun(nodes)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await nodes?.stop()
  })
  afterEach(async (context) => {
    const ended = visits
    visits = []
    // Newer than the types of the oldest Node.
    if (!(context as unknown as { passed: boolean }).passed) await keep(ended, context.name)
    await Promise.all(ended.map((each) => each.close()))
    untroubled(...ended)
  })
  const open = async (options: Options = {}) => {
    const opened = await visit(browser, nodes.urls[0] as string, options)
    visits.push(opened)
    await opened.context.addInitScript(promiseNotices)
    if (traced) await opened.context.tracing.start({ snapshots: true })
    return opened
  }
  return {
    get nodes() {
      return nodes
    },
    get url() {
      return nodes.urls[0] as string
    },
    open,
    async openAs(username, options) {
      const opened = await open(options)
      await signIn(opened.page, username, testPassword)
      return opened
    },
  }
}

/** `npx playwright-core show-trace test/failures/….zip` shows what led there. */
async function keep(visits: readonly Visit[], test: string): Promise<void> {
  await mkdir(failures, { recursive: true })
  const name = test.replace(/\W+/g, '-').slice(0, 80)
  await Promise.all(
    visits.map(async ({ page, context }, index) => {
      const path = join(failures, `${name}-${index + 1}`)
      const text = await page
        .locator('body')
        .innerText({ timeout: 10_000 })
        .catch(() => 'nothing')
      process.stderr.write(`${page.url()} showed:\n${text.slice(0, shownText)}\n`)
      await page.screenshot({ path: `${path}.png`, timeout: 10_000 }).catch(() => undefined)
      if (traced) await context.tracing.stop({ path: `${path}.zip` }).catch(() => undefined)
    }),
  )
}

/** Resolves when the page hears of what others do: what they did before is counted at most. Not of a second tab. */
export async function listens(page: Page): Promise<void> {
  await page.evaluate('noticesCome')
}

const promiseNotices = `noticesCome = new Promise((resolve) => {
  WebSocket = class extends WebSocket {
    constructor(url, ...rest) {
      super(url, ...rest)
      if (url.endsWith('/notification/socket')) this.addEventListener('open', () => resolve())
    }
  }
})`

/** Resolves when the page shows what it is about. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  await page.evaluate(untilLoaded)
}

/** Goes to another page as links of the app do: without loading the app again. Resolves when it shows what it is about. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); ${untilLoaded}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** In the page, which looks with every frame. The first two belong to what was there before. */
const untilLoaded = `new Promise((resolve, reject) => {
  const endMs = performance.now() + ${patienceMs}
  let frames = 0
  const look = () => {
    if (++frames > 2 && document.querySelector('main') && !document.querySelector('.loading')) resolve()
    else if (performance.now() > endMs) reject(new Error(location.pathname + ' still loads'))
    else requestAnimationFrame(look)
  }
  look()
})`

/** Resolves when the field has this value. */
export async function hasValue(field: Locator, value: string): Promise<void> {
  let seen = ''
  const look = async () => (seen = await field.inputValue()) === value
  await until(look, `the field has the value ${JSON.stringify(value)}`, 10_000).catch(() => assert.equal(seen, value))
}

/** Resolves when there are so many. */
export async function hasCount(elements: Locator, count: number): Promise<void> {
  let seen = -1
  const look = async () => (seen = await elements.count()) === count
  await until(look, `there are ${count}`, 10_000).catch(() => assert.equal(seen, count))
}

/** Puts entries into the store of the browser, as an earlier page has done; resolves with all that is in it, by name. */
export async function storeOf(page: Page, entries: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
  return await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('keyval-store')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const store = opening.result.transaction('keyval', 'readwrite').objectStore('keyval')
      for (const [name, value] of Object.entries(${JSON.stringify(entries)})) store.put(value, name)
      const [names, values] = [store.getAllKeys(), store.getAll()]
      values.onsuccess = () => {
        opening.result.close()
        resolve(Object.fromEntries(names.result.map((name, index) => [name, values.result[index]])))
      }
    }
  })`)
}

/** Says yes to the question that stands before every change for everybody. */
export async function sayYes(page: Page): Promise<void> {
  const question = page.locator('dialog', { has: page.locator('.whom') })
  await question.locator('.buttons > .btn').last().click()
  await question.waitFor({ state: 'detached' })
}

/** Writes into the field of a chat and sends it: the words are on the screen, once. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.bubble', { hasText: text }).waitFor()
}
