// A folder of seed files of a test's own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface SeedFolder {
  /** For `startTestNodes`. */
  env: { PRIVATE_SEEDS_DIR: string }
  /** Puts a file in place of the program's own; text, bytes, or anything else as JSON. */
  write(name: string, content: unknown): void
  /** Lets the program's own be read again. */
  remove(name: string): void
  /** Removes the folder. */
  drop(): void
}

export function seedFolder(): SeedFolder {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-seeds-'))
  return {
    env: { PRIVATE_SEEDS_DIR: folder },
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
    },
    remove: (name) => rmSync(join(folder, name), { force: true }),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  }
}
