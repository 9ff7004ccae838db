// Files that installations come with: the operator's own, or those of the program.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, type Config } from './config.ts'

/** Where a seed file is: in the operator's own folder, or with the program. Undefined when it is nowhere. */
export function findSeedFile({ privateSeedsDir }: Config, name: string): string | undefined {
  return [join(privateSeedsDir, name), join(projectRoot, 'seeds', name)].find((path) => existsSync(path))
}
