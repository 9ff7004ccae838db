// `quarterdeck upgrade <file>`: see src/upgrade.
import { mkdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../accounts/config.ts'
import { ConfigError, type Config } from '../core/base/config.ts'
import { hasCluster } from '../embedded/postgres.ts'
import { backupFolder, newBackupName } from '../operate/backup-files.ts'
import { runCommand } from '../operate/command.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { currentId, kitHome, noteUpgrade, removeVersions, versionFolder } from '../upgrade/kit.ts'
import { rehearse, runProgram, type Rehearsed } from '../upgrade/rehearsal.ts'
import { withVersionsOf } from '../upgrade/place.ts'
import { migrationsBeyond, switchVersion } from '../upgrade/switch.ts'
import { checkArchive, unpack } from '../upgrade/unpack.ts'
import type { Screen } from '../terminal/screen.ts'

const startWithinMs = 120_000
/** Of what the rehearsal took: the place has more to read than its copy, and people come back at once. */
const slack = 3
const spareBytes = 1024 ** 3
/** People are away for as long as a start takes. */
const longestAwayMs = 45_000
const shownDifferences = 20

await runCommand(async (screen) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string', short: 'e' },
      sha256: { type: 'string' },
      'only-check': { type: 'boolean' },
      'no-rehearsal': { type: 'boolean' },
      'despite-differences': { type: 'boolean' },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new ConfigError('Say which file to upgrade to: npm run upgrade -- <file>')
  const home = kitHome()
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  await withVersionsOf(home, () => upgrade(screen, home, config, resolve(file), values))
})

interface Wishes {
  sha256?: string
  'only-check'?: boolean
  'no-rehearsal'?: boolean
  'despite-differences'?: boolean
}

async function upgrade(screen: Screen, home: string, config: Config, file: string, values: Wishes): Promise<void> {
  const from = currentId(home)
  const step = <T>(name: string, work: () => Promise<T>, describe: (result: T) => string) => screen.step(name, work, describe)
  const { id: to } = await step(
    'File',
    async () => {
      await checkArchive(file, values.sha256)
      return await unpack(home, file)
    },
    ({ id, node }) => `${id}, with Node ${node}`,
  )
  if (to === from) return screen.line(`${from} runs already.`)
  requireNewer(home, from, to)
  if (config.databaseUrl === undefined && !hasCluster(join(config.dataDir, 'postgres')))
    throw new OperatorError('There are no data yet. Start this version once, or unpack the other in a folder of its own.')
  const backup = await step(
    'Backup',
    () => backUp(config, versionFolder(home, from)),
    (path) => path,
  )
  const startMs = values['no-rehearsal'] ? 0 : await rehearsal(screen, config, { home, backup, from, to }, values['despite-differences'])
  if (values['only-check']) return screen.line('Nothing was changed.')
  await step(
    'Switch',
    () => switchVersion({ home, config, to, withinMs: startWithinMs + slack * startMs, say: (line) => screen.line(line) }),
    () => `${to} in place of ${from}`,
  )
  noteUpgrade(home, { at: new Date().toISOString(), from, to, backup })
  removeVersions(home, [from, to])
  screen.line(`To go back: npm run rollback. The backup of before stays in ${backup}.`)
}

/** @throws OperatorError when the other version is one from before: it could not read the database. */
function requireNewer(home: string, from: string, to: string): void {
  const [missing] = migrationsBeyond(home, from, to)
  if (missing !== undefined)
    throw new OperatorError(
      `${to} is older than ${from}: it does not know ${missing}. An upgrade only goes forward; npm run rollback goes back.`,
    )
}

async function backUp(config: Config, folder: string): Promise<string> {
  const path = join(backupFolder(config), newBackupName(new Date()))
  mkdirSync(backupFolder(config), { recursive: true })
  await runProgram(folder, ['backup', path, '--env', config.environment], process.env, 'The backup failed, and nothing was changed.')
  return path
}

/** Returns how long the new version takes to start. @throws OperatorError when something is wrong with it. */
async function rehearsal(
  screen: Screen,
  config: Config,
  { home, backup, from, to }: Record<'home' | 'backup' | 'from' | 'to', string>,
  despiteDifferences = false,
): Promise<number> {
  const found = await screen.step(
    'Rehearsal',
    async () => {
      await requireRoom(config, backup)
      const [now, next] = [versionFolder(home, from), versionFolder(home, to)]
      return await rehearse({ config, backup, from: now, to: next, withinMs: startWithinMs, env: process.env })
    },
    ({ answers, startMs }) => `${answers} answers compared; starts in ${(startMs / 1000).toFixed(1)} s`,
  )
  requireSame(screen, found, despiteDifferences)
  return found.startMs
}

/** @throws OperatorError when a copy of everything has no room beside it. */
async function requireRoom({ dataDir }: Config, backup: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  // Tables are larger than what a backup has of them, and indices come on top.
  const wanted = 3 * statSync(backup).size + spareBytes
  if (bavail * bsize < wanted)
    throw new OperatorError(
      `A rehearsal needs ${gigabytes(wanted)} in ${dataDir}, and ${gigabytes(bavail * bsize)} are free. Make room, and run this again.`,
    )
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

/** @throws OperatorError when answers or data differ or it takes long, unless that is meant. */
function requireSame(screen: Screen, { broken, slow, changes, startMs }: Rehearsed, despite: boolean): void {
  const lines = (found: Rehearsed['broken']) => found.map(({ request, what }) => `${request}: ${what}`)
  for (const [title, found] of [
    ['Answers differ:', lines(broken)],
    ['The data differ, and the migrations do not say so:', changes],
    ['Answers take longer:', lines(slow)],
  ] as const) {
    if (found.length === 0) continue
    screen.warning(title)
    for (const line of found.slice(0, shownDifferences)) screen.line(`  ${line}`)
    if (found.length > shownDifferences) screen.line(`  and ${found.length - shownDifferences} more`)
  }
  const isLong = startMs > longestAwayMs
  if (isLong) screen.warning(`People would be away for ${Math.round(startMs / 1000)} seconds.`)
  if ((broken.length > 0 || changes.length > 0 || isLong) && !despite)
    throw new OperatorError('Nothing was changed. If that is meant: npm run upgrade -- <file> --despite-differences')
}
