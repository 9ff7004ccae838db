// A version on trial, as a file beside the versions says it: another one was taken from its place just now, and comes back if this
// one does not serve. Until that is decided it lets nobody in but who tries it: nothing is lost then that people were told.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the file says, each on a line of its own: `src/launch/quarterdeck.sh` reads the first two. */
export interface Trial {
  /** The process that tries it. */
  pid: number
  /** The version that comes back. */
  from: string
  /** Requests with this id are those of the trial. */
  id: string
}

const fileIn = (home: string): string => join(home, '.trial')

export function beginTrial(home: string, { pid, from, id }: Trial): void {
  writeFileSync(`${fileIn(home)}.new`, `${pid}\n${from}\n${id}\n`)
  renameSync(`${fileIn(home)}.new`, fileIn(home))
}

export function readTrial(home: string): Trial | undefined {
  if (!existsSync(fileIn(home))) return undefined
  const [pid = '', from = '', id = ''] = readFileSync(fileIn(home), 'utf8').split('\n')
  return { pid: Number(pid), from, id }
}

/** From now on the version that runs stays. */
export function endTrial(home: string): void {
  rmSync(fileIn(home), { force: true })
}
