// What stands on the pages of the app, as somebody hears it who cannot see: roles, names and texts in order, kept in a file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { patienceMs } from './browser.ts'
import { until } from './until.ts'

/** A page that says the same for so long is there. */
const restMs = 500
const update = process.env['UPDATE_PAGES'] === '1'
/** Before the name of each page. */
const mark = '# '

/** Differ from run to run, and from day to day. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '(id)'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '(here)'],
  [/\buser\d+-[0-9a-f]{8}\b/g, '(name)'],
  [/\b[\d.]+ MB\b/g, '(size)'],
  [/\b(?:\d{4}-\d{2}-\d{2}T)?\d{1,2}:\d{2}(?: [AP]M)?(?: E[SD]T)?/g, '(when)'],
  [/\b\d{4}-\d{2}-\d{2}(?:-\d{6}\b)?/g, '(when)'],
  [/\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: \d{4})?/g, '(when)'],
  [/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g, '(when)'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b(?: \d{1,2}\b)?/g, '(when)'],
  [/\b\d+ min\b/g, '(when)'],
  // Today a time is enough.
  [/\(when\)(?:,? \(when\))+/g, '(when)'],
  [/\bfor \d+ days\b/g, 'for (days)'],
  // In summer it is another one.
  [/\b[45] hours earlier\b/g, '(hours) earlier'],
]
/** It stands on every page. */
const navigation = /^- button "Skip to the page"\n- navigation .*\n(?: {2}.*\n)*/

/** Compares pages with those of a file in `test`, which UPDATE_PAGES=1 writes. */
export class PageTexts {
  readonly #path: string
  readonly #kept: ReadonlyMap<string, string>
  readonly #seen = new Map<string, string>()
  #hasNavigation = false

  constructor(file: string) {
    this.#path = join(process.cwd(), 'test', file)
    this.#kept = update ? new Map() : pagesIn(readFileSync(this.#path, 'utf8'))
  }

  /** Fails when the page does not come to show what it did, or one of its menus does not. */
  async check(name: string, page: Page): Promise<void> {
    await this.#compare(name, page.locator('body'))
    const menus = page.locator('main [aria-haspopup=dialog]:visible, header [aria-haspopup=dialog]:visible')
    for (let index = 0, count = await menus.count(); index < count; index++) {
      await menus.nth(index).click()
      const menu = page.getByRole('dialog')
      await this.#compare(`${name}, menu ${index + 1}`, menu)
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
    }
  }

  async #compare(name: string, place: Locator): Promise<void> {
    assert.ok(update || this.#kept.has(name), `${name} is not in the file yet: UPDATE_PAGES=1 keeps it`)
    let text = ''
    const read = async () => (text = this.#lasting(await place.ariaSnapshot()))
    if (update) {
      // Nobody knows yet what is still to come.
      for (let before: string | undefined; before !== (await read()); await delay(restMs)) before = text
    } else {
      const isAsKept = async () => (await read()) === this.#kept.get(name)
      await until(isAsKept, name, patienceMs).catch(() => assert.equal(text, this.#kept.get(name), `${name}: UPDATE_PAGES=1 keeps it`))
    }
    this.#seen.set(name, text)
    this.#hasNavigation ||= navigation.test(text)
  }

  #lasting(text: string): string {
    const once = this.#hasNavigation ? text.replace(navigation, '') : text
    return passing.reduce((rest, [pattern, word]) => rest.replace(pattern, word), once)
  }

  /** Fails when a page of the file was not seen. */
  end(): void {
    if (update) writeFileSync(this.#path, [...this.#seen].map(([name, text]) => `${mark}${name}\n${text}\n`).join('\n'))
    else assert.deepEqual([...this.#seen.keys()], [...this.#kept.keys()])
  }
}

const pagesIn = (file: string): Map<string, string> =>
  new Map(
    file.split(/^# /m).flatMap((part) => {
      const end = part.indexOf('\n')
      return end < 0 ? [] : [[part.slice(0, end), part.slice(end + 1).trimEnd()]]
    }),
  )
