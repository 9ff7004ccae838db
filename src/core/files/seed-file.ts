// Files that installations come with: the operator's own, or those of the program.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot, type Config } from '../base/config.ts'
import { AppError } from '../base/errors.ts'

/** Where a seed file is: in the operator's own folder, or with the program. Undefined when it is nowhere. */
export function findSeedFile({ privateSeedsDir, production }: Config, name: string): string | undefined {
  const folders = production && ofSampleTrip.has(name) ? [privateSeedsDir] : [privateSeedsDir, join(projectRoot, 'seeds')]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Files of the program about an invented trip: production has its own or none. */
const ofSampleTrip = new Set(['time-zone-changes.txt'])

/** A file's name in this environment: outside of production a twin is read. */
export const seedFileName = ({ production }: Config, name: string): string => (production ? name : `test-${name}`)

/**
 * Reads a seed file. `parse` throws an Error with a sentence for people.
 *
 * @throws AppError 500 with that sentence and the file's name, or when the file is missing or cannot be read.
 */
export async function readSeedFile<T>(config: Config, name: string, parse: (text: string) => T): Promise<T> {
  const file = seedFileName(config, name)
  const path = findSeedFile(config, file)
  if (path === undefined) throw new AppError(500, 'file_missing', `The file seeds/${file} is missing.`)
  try {
    const bytes = await readFile(path)
    if (bytes.length > maxBytes) throw new Error(`It is larger than ${maxBytes} bytes.`)
    return parse(utf8.decode(bytes))
  } catch (cause) {
    throw new AppError(500, 'file_invalid', `The file ${file} cannot be used, and nothing was changed. ${(cause as Error).message}`, {
      cause,
    })
  }
}

const maxBytes = 20 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })
