// A real browser for tests of the app: the Chromium of this machine, or else the one that a package brings along.
import assert from 'node:assert/strict'
import { accessSync, constants, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type LaunchOptions, type Page } from 'playwright-core'

/** Generous: two cores may run everything else at the same time. */
export const patienceMs = 60_000

export const phone = { width: 390, height: 844 }

let running: Promise<Browser> | undefined

/** A browser for one test file: those of one process share it, and closing it closes what this file has left open. */
export async function openBrowser(): Promise<Browser> {
  const browser = await (running ??= launch())
  const contexts = new Set<BrowserContext>()
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return () => Promise.all(Array.from(contexts, (context) => context.close()))
      if (name === 'newContext')
        return async (options?: BrowserContextOptions) => {
          const context = await target.newContext(options)
          contexts.add(context.once('close', () => contexts.delete(context)))
          return context
        }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

async function launch(): Promise<Browser> {
  const options = await launchOptions()
  // Of some hundred starts one ends in a fault of its own before it has shown anything.
  const browser = await chromium.launch(options).catch(() => chromium.launch(options))
  // The next file gets another one after a crash.
  return browser.once('disconnected', () => (running = undefined))
}

/** A browser, and what has to be in its environment. */
interface Program {
  executablePath: string
  env: Record<string, string>
}

/** Where the browser is, and how it is started. */
export async function launchOptions(): Promise<LaunchOptions & { args: string[] }> {
  const found = process.env['TEST_BROWSER']
  const { executablePath, env: more } = found === undefined ? await findBrowser() : (JSON.parse(found) as Program)
  const env: Record<string, string> = Object.fromEntries(
    Object.entries({ ...process.env, ...more }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  // The sandbox needs rights that root and containers do not have. The camera shows a clock, and the microphone beeps; a
  // browser without windows can ask nobody whether they may be used.
  const args = [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--autoplay-policy=no-user-gesture-required',
  ]
  return { executablePath, args, env, timeout: patienceMs }
}

/** Finds the browser, or unpacks it into a new folder below `temporary`. */
export async function findBrowser(temporary = tmpdir()): Promise<Program> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? chromiumOnPath()
  return executablePath === undefined ? await packagedChromium(temporary) : { executablePath, env: {} }
}

function chromiumOnPath(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const candidates = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The package unpacks itself into the folder for temporary files, with the libraries that a bare machine lacks. */
async function packagedChromium(temporary: string): Promise<Program> {
  const before = {
    TMPDIR: process.env['TMPDIR'],
    AWS_EXECUTION_ENV: process.env['AWS_EXECUTION_ENV'],
    LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'],
  }
  // Not the common one: an unpacking that was broken off would count as done.
  process.env['TMPDIR'] = mkdtempSync(join(temporary, 'quarterdeck-chromium-'))
  // By this it decides whether to unpack the libraries.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    const executablePath = await packaged.executablePath()
    const folder = dirname(executablePath)
    const fonts = join(folder, 'fonts')
    // The list of fonts that comes along names the common folder.
    writeFileSync(
      join(fonts, 'fonts.conf'),
      `<fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
    )
    return { executablePath, env: { FONTCONFIG_PATH: fonts, LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] ?? '' } }
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** One person's browser, with everything that must not happen in it. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of scripts, errors in the console, and requests to other hosts. */
  readonly troubles: string[]
  close(): Promise<void>
}

/**
 * Opens a page of its own, as on a phone, and watches it. `expected`: errors that belong to what is tested. Without the service
 * worker, unless `serviceWorkers` is 'allow': in each new browser it fetches and keeps all files of the app, which costs more
 * than most tests do.
 */
export async function visit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions & { expected?: RegExp } = {},
): Promise<Visit> {
  const { expected, ...contextOptions } = options
  const context = await browser.newContext({ baseURL, viewport: phone, locale: 'en-GB', serviceWorkers: 'block', ...contextOptions })
  const { host } = new URL(options.baseURL ?? baseURL)
  context.setDefaultTimeout(patienceMs)
  const troubles: string[] = []
  const note = (text: string) => {
    if (!expected?.test(text)) troubles.push(text)
  }
  context.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => note(`script: ${error.error().message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.host !== host) note(`request to another host: ${request.url()}`)
  })
  return { context, page: await context.newPage(), troubles, close: () => context.close() }
}

/** Fails when something happened that must not. */
export function untroubled(...visits: readonly Visit[]): void {
  assert.deepEqual(
    visits.flatMap(({ troubles }) => troubles),
    [],
  )
}

/**
 * Signs in as the form does, without loading and filling it: a session in the cookie, and what the page keeps about whose it is.
 * `web.test.ts`, `web.keyboard.test.ts` and others go through the form itself.
 */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  const context = page.context()
  const call = async (method: 'get' | 'post', path: string, headers: Record<string, string> = {}) => {
    const answer = await context.request[method](`/api/v3${path}`, { headers: { 'X-Session': 'cookie', ...headers } })
    assert.equal(answer.status(), 200, await answer.text())
    return (await answer.json()) as Record<string, unknown>
  }
  // The session is only for pages of the server itself.
  const origin = new URL((await context.request.get('/')).url()).origin
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  await call('post', '/auth/login', { Authorization: `Basic ${basic}`, Origin: origin })
  const { userID, username: name, accessLevel, roles } = await call('get', '/user/whoami')
  const me = JSON.stringify({ userID, username: name, accessLevel, roles })
  const entries = { me, 'last user': String(userID), 'used names': String(name) }
  const known = await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(entries)})`)
  await page.goto('/')
  await known.dispose()
  // In whatever language.
  await page.locator('nav.places').first().waitFor()
}

let axe: string | undefined

/** Breaks of WCAG 2.2 AA on the page as it is. Its context must have `bypassCSP`. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`)))
    await page.evaluate((axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')))
  const { violations: found } = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })`,
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
  return found.flatMap(({ id, nodes: places }) =>
    places.map(({ html: place, failureSummary }) => `${id} ${place.slice(0, 160)} ${failureSummary.slice(0, 200)}`),
  )
}
