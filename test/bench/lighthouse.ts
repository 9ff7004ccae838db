// What Lighthouse says of the browser app. It is no dependency: 200 packages for four numbers. `npm install --no-save lighthouse@12.8.2`
// brings it, or LIGHTHOUSE_PATH names its core/index.js elsewhere.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { launchOptions, signIn } from '../support/browser.ts'
import { ownPort } from '../support/port.ts'

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Marks = Record<(typeof categories)[number], number>

interface Audit {
  id: string
  title: string
  score: number | null
}

type Lighthouse = (
  url: string,
  flags: object,
) => Promise<{
  lhr: { categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>; audits: Record<string, Audit> }
}>

/** Of each path, 0 to 1, as a phone with nothing kept but the session: `open` for somebody without one. Undefined without Lighthouse. */
export async function lighthouseMarks(
  baseURL: string,
  account: { username: string; password: string },
  { open, signedIn }: { open: readonly string[]; signedIn: readonly string[] },
): Promise<Map<string, Marks> | undefined> {
  const found = (await import(process.env['LIGHTHOUSE_PATH'] ?? 'lighthouse').catch(() => undefined)) as { default: Lighthouse } | undefined
  if (!found) return undefined
  const port = await ownPort()
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-lighthouse-'))
  const options = await launchOptions()
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    args: [...options.args, `--remote-debugging-port=${port}`],
    baseURL,
  })
  try {
    const page = await context.newPage()
    const marks = new Map<string, Marks>()
    const look = async (path: string) => {
      const { lhr } = await found.default(baseURL + path, {
        port,
        onlyCategories: categories,
        disableStorageReset: true,
        logLevel: 'error',
      })
      marks.set(path, Object.fromEntries(categories.map((name) => [name, lhr.categories[name]?.score ?? 0])) as Marks)
      for (const name of categories)
        for (const { id, weight } of lhr.categories[name]?.auditRefs ?? []) {
          const audit = lhr.audits[id]
          if (weight > 0 && audit && audit.score !== null && audit.score < 0.9)
            process.stdout.write(`  ${path}, ${name}: ${audit.title} (${audit.score})\n`)
        }
    }
    for (const path of open) await look(path)
    await signIn(page, account.username, account.password)
    for (const path of signedIn) await look(path)
    return marks
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}
