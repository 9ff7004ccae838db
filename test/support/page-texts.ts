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

const opener = '[aria-haspopup=dialog]:not(dialog *):visible:enabled'
const openerInside = 'dialog [aria-haspopup=dialog]:visible:enabled'
const folded = 'button[aria-expanded=false]:visible:enabled'
/** Of those that look alike, as the rows of a list do. */
const mostAlike = 12

interface Button {
  getAttribute(name: string): string | null
  innerText: string
}

/** The first of the buttons, with their places among all: those that look alike are many, and do the same. */
async function someOf(buttons: Locator): Promise<{ label: string; index: number }[]> {
  const all = await buttons.evaluateAll((found: readonly Button[]) =>
    found.map((button, index) => ({
      label: button.getAttribute('aria-label') ?? button.innerText.split('\n')[0] ?? '',
      look: button.getAttribute('class'),
      index,
    })),
  )
  return all.filter(({ look, index }) => all.slice(0, index).filter((before) => before.look === look).length < mostAlike)
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

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

  /** Fails when the page does not come to show what it did, or a menu, a dialog or a part that one of its buttons opens does not. */
  async check(name: string, page: Page): Promise<void> {
    const body = page.locator('body')
    await this.#compare(name, body)
    const parts = page.locator('main').locator(folded)
    for (const { label, index } of (await someOf(parts)).toReversed()) {
      const button = await parts.nth(index).elementHandle()
      await button?.click()
      await this.#compare(`${name}, part ${index + 1}: ${this.#lasting(label)}`, body)
      await button?.click()
    }
    const openers = page.locator('main, header').locator(opener)
    for (const { label, index } of await someOf(openers)) {
      const title = `${name}, ${index + 1}: ${this.#lasting(label)}`
      const dialog = page.getByRole('dialog')
      const inside = page.locator(openerInside)
      const open = async (button: Locator) => {
        await button.click()
        await dialog.waitFor()
      }
      await open(openers.nth(index))
      await this.#compare(title, dialog)
      for (const item of await someOf(inside)) {
        await open(inside.nth(item.index))
        await this.#compare(`${title}, ${this.#lasting(item.label)}`, dialog)
        await closeDialog(page)
        await open(openers.nth(index))
      }
      await closeDialog(page)
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
