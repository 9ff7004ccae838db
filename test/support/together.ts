// Several test files in one process, one after the other: they load the program and warm it up once.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { partsOf } from '../../src/core/base/batches.ts'

const mostFiles = 8
/** Of these a process more or less is nothing, or they look at what their own process takes. */
const alone = /\/(upgrade|launch|fuzz)\/|\/core\/(chaos|bombs|decode)\./

/** Returns files that together run all of these, each a few; those first that take long, for which nobody else should wait. */
export function bundles(files: readonly string[], temporary: string, timeoutMs: number): string[] {
  const folder = mkdtempSync(join(temporary, 'together-'))
  const isWeb = (file: string) => basename(file).startsWith('web.')
  const common = files.filter((file) => !alone.test(file))
  const inBrowser = common.filter(isWeb)
  const inNone = common.filter((file) => !isWeb(file))
  const bundled = [
    ...partsOf(
      files.filter((file) => alone.test(file)),
      1,
    ),
    ...partsOf(inBrowser, mostFiles),
    ...partsOf(inNone, mostFiles),
  ]
  return bundled.map((together, index) => {
    const path = join(folder, `${index}-${basename(together[0] as string)}.mjs`)
    const call = `await runTogether(${JSON.stringify(together)}, ${timeoutMs})`
    writeFileSync(path, `import { runTogether } from '${import.meta.url}'\n${call}\n`)
    return path
  })
}

/** Each file is a suite, whose hooks are those of the file. It fails when it takes longer than `timeout`, in ms. */
export async function runTogether(files: readonly string[], timeout: number): Promise<void> {
  // Nobody waits for a suite of node:test; what a file registers belongs to the suite in which it is loaded.
  for (const file of files)
    await new Promise<void>((resolve) => {
      void describe(`${basename(dirname(file))}/${basename(file)}`, { timeout }, async () => {
        try {
          await import(pathToFileURL(file).href)
        } catch (error) {
          resolve()
          throw error
        }
        after(() => resolve())
      })
    })
}
