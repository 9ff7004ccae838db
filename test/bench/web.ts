// The browser app on a phone of five years ago and a bad network: first content, a long chat, one's own posts, and posts of
// others. Network and processor are slowed down by the browser itself.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { CDPSession, Page } from 'playwright-core'
import { createAccount, testPassword, type TestAccount } from '../support/accounts.ts'
import { openBrowser, phone, signIn } from '../support/browser.ts'
import { until } from '../support/until.ts'
import { workOfFrames } from './frames.ts'
import { categories, lighthouseMarks } from './lighthouse.ts'
import { createChat } from './population.ts'
import { pinLoad, startMeasured, unpinLoad } from './processes.ts'
import type { Bench } from './run.ts'
import { percentile, rowOf, shownSpread, type Row } from './table.ts'

const rounds = 5
const postsOfChat = 2000
const network = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 }
const slowdown = 4

const eventsAboard = 500
const patienceMs = 120_000
const restMs = 1000

/** What must be kept, in ms. */
const limits = { cold: 3000, warm: 500, known: 500, bubble: 50, other: 200, frame: 33, work: 16 }

export async function web({ databaseUrl, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [heidi, sam] = [await createAccount(sql as never, {}), await createAccount(sql as never, {})]
  const chat = await createChat(sql, [heidi, sam] as never, postsOfChat)
  const small = await createChat(sql, [heidi, sam] as never, 10)
  await sql`
    insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at)
    select gen_random_uuid(), 'web ' || number, 'Event ' || number, 'Bring a friend. Everybody is welcome, no need to sign up.',
      'Deck ' || number % 12, 'gaming', now() + number * interval '20 minutes', now() + number * interval '20 minutes' + interval '1 hour', now()
    from generate_series(1, ${eventsAboard}) as number`
  const server = await startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })
  // A phone draws, and runs its scripts, on several cores; the server has next to nothing to do.
  unpinLoad()
  const browser = await openBrowser()
  const baseURL = `http://127.0.0.1:${server.port}`
  const open = async () => (await browser.newContext({ baseURL, viewport: phone, locale: 'en-GB' })).newPage()
  const openAs = async ({ username }: TestAccount) => {
    const page = await open()
    await signIn(page, username, testPassword)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return page
  }
  const measured: Record<keyof typeof limits, number[]> = { cold: [], warm: [], known: [], bubble: [], other: [], frame: [], work: [] }
  const note = (name: keyof typeof limits) => process.stdout.write(`  ${name}: ${shownSpread(measured[name])} ms, wanted ${limits[name]}\n`)
  try {
    for (let round = 0; round < rounds; round++) {
      const page = await open()
      await slow(page)
      await page.goto('/login', { timeout: 60_000 })
      measured.cold.push(await firstContent(page))
      await page.context().close()
    }
    note('cold')
    const one = await openAs(heidi)
    const two = await openAs(sam)
    await one.addInitScript(watchKnown)
    await one.goto('/')
    await one.evaluate('known')
    // Answers are written behind what is on the screen.
    await until(
      () => one.evaluate<boolean>(`localStorage.getItem('shown first')?.includes('events') ?? false`),
      'answers are kept',
      patienceMs,
    )
    const slowed = await slow(one)
    for (let round = 0; round < rounds; round++) {
      // Nobody comes back while the page before still puts away what it has.
      await delay(restMs)
      await one.reload()
      measured.warm.push(await firstContent(one))
      measured.known.push(await one.evaluate<number>('known'))
    }
    note('warm')
    note('known')
    await slowed.send('Network.emulateNetworkConditions', { ...network, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
    await slowed.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await one.goto(`/seamail/${chat}`)
    await wholeChat(one, postsOfChat)
    await slowed.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    measured.frame.push(...(await scrollThrough(one)))
    note('frame')
    // Once more, since watching costs something itself.
    measured.work.push(...(await workOfFrames(browser, async () => void (await scrollThrough(one)))))
    note('work')
    const late = measured.frame.filter((ms) => ms > limits.frame)
    process.stdout.write(`  ${late.length} of ${measured.frame.length} frames took longer than ${limits.frame} ms\n`)

    await Promise.all([one, two].map((page) => page.goto(`/seamail/${small}`)))
    await Promise.all([one, two].map((page) => page.getByRole('textbox', { name: 'Message' }).waitFor()))
    for (let round = 0; round < rounds; round++) measured.bubble.push(await ownPost(one, `Mine ${round}`))
    note('bubble')
    await slowed.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    for (let round = 0; round < rounds; round++) measured.other.push(await otherPost(one, two, `Ours ${round}`))
    note('other')
    const marks = await lighthouseMarks(
      baseURL,
      { username: heidi.username, password: testPassword },
      { open: ['/login'], signedIn: ['/', '/about'] },
    )
    for (const [path, found] of marks ?? [])
      process.stdout.write(`  Lighthouse, ${path}: ${categories.map((name) => `${name} ${found[name]}`).join(', ')}\n`)
  } finally {
    pinLoad()
    await browser.close()
    await server.stop()
    await sql.end()
  }
  const row = (name: keyof typeof limits, work: string, values = measured[name]) =>
    rowOf(
      work,
      'ms',
      values.map((ours) => ({ ours, limit: limits[name] })),
    )
  const ninetyNinth = (values: number[]) => [
    percentile(
      values.toSorted((a, b) => a - b),
      0.99,
    ),
  ]
  return [
    row('cold', 'browser app, first content, 400 kbit/s, 400 ms, processor 4 x slower, nothing kept'),
    row('warm', 'the same when it has been there before'),
    row('known', 'until everything that is known of the first page is on the screen, with 500 events'),
    row('bubble', 'from Enter to a bubble on the screen, processor 4 x slower'),
    row('other', 'from Enter to the other browser’s screen'),
    row('frame', `frames while a chat of ${postsOfChat} posts is scrolled through, processor 4 x slower`),
    row('frame', 'the same, p99', ninetyNinth(measured.frame)),
    row('work', 'scripts, styles and layout of each of these frames'),
    row('work', 'the same, p99', ninetyNinth(measured.work)),
  ]
}

async function slow(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return session
}

/** Since the navigation began. */
async function firstContent(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
    }).observe({ type: 'paint', buffered: true })
  })`)
}

/** Resolves, in the first page, with the time of the frame that shows its last section. Looking costs something in a page of 2,000 posts. */
const watchKnown = `if (location.pathname === '/') window.known = new Promise((resolve) => {
  const watch = () => {
    if (document.querySelector('main section ~ section .row')) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    else requestAnimationFrame(watch)
  }
  watch()
})`

/** Presses "Earlier" until the first post is there. */
async function wholeChat(page: Page, posts: number): Promise<void> {
  const bubbles = page.locator('.bubble')
  await bubbles.first().waitFor()
  for (let count = await bubbles.count(); count < posts; count = await bubbles.count()) {
    await page.evaluate(`document.querySelector('.thread > button.btn')?.click()`)
    await until(async () => (await bubbles.count()) > count, 'earlier posts appear', patienceMs)
  }
}

/** The length of each frame, from the end to the beginning. */
async function scrollThrough(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const box = document.querySelector('.thread-box')
    box.scrollTop = box.scrollHeight
    const frames = []
    let last = performance.now()
    const step = (now) => {
      frames.push(now - last)
      last = now
      box.scrollTop -= 400
      if (box.scrollTop > 0) requestAnimationFrame(step)
      else resolve(frames.slice(2))
    }
    requestAnimationFrame(step)
  })`)
}

/** From the key to the frame that shows it, as the browser itself measures it (Event Timing, in steps of 8 ms). */
async function ownPost(page: Page, text: string): Promise<number> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  // Nobody waits for it yet. It comes at the end: to look through all posts in each frame would take longer than what is measured.
  await page.evaluate(`void (window.shown = new Promise((resolve) => {
    document.querySelector('.write textarea').addEventListener('keydown', ({ timeStamp }) => {
      const pressed = new Promise((known) => {
        const observer = new PerformanceObserver((list) => {
          const entry = list.getEntries().find(({ name, startTime }) => name === 'keydown' && startTime === timeStamp)
          if (!entry) return
          observer.disconnect()
          known(entry.duration)
        })
        observer.observe({ type: 'event', durationThreshold: 16 })
        // What is quicker than that is not reported.
        setTimeout(() => known(16), 1000)
      })
      let frames = 0
      const watch = () => {
        frames++
        if (!document.querySelector('.thread').lastElementChild?.textContent.includes(${JSON.stringify(text)})) return requestAnimationFrame(watch)
        // The browser measures up to the first frame after the key: a bubble in a later one is measured here.
        if (frames === 1) pressed.then(resolve)
        else requestAnimationFrame(() => resolve(performance.now() - timeStamp))
      }
      requestAnimationFrame(watch)
    }, { once: true, capture: true })
  }))`)
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  return page.evaluate<number>('shown')
}

async function otherPost(one: Page, two: Page, text: string): Promise<number> {
  const seen = two.evaluate<number>(`new Promise((resolve) => {
    const watch = () => {
      const found = Array.from(document.querySelectorAll('.bubble')).some((bubble) => bubble.textContent.includes(${JSON.stringify(text)}))
      if (found) resolve(Date.now())
      else requestAnimationFrame(watch)
    }
    watch()
  })`)
  await one.getByRole('textbox', { name: 'Message' }).fill(text)
  await one.evaluate(
    `document.querySelector('.write textarea').addEventListener('keydown', () => { window.begun = Date.now() }, { once: true, capture: true })`,
  )
  await one.getByRole('textbox', { name: 'Message' }).press('Enter')
  return (await seen) - (await one.evaluate<number>('begun'))
}
