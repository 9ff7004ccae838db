// The running place, as an upgrade sees it: ends what runs, and has another version start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../core/base/config.ts'
import { askOwnServer } from '../operate/own-server.ts'
import { holderOf, listensOn } from '../supervisor/data-lock.ts'
import { holdFile, identify } from '../supervisor/lock-file.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { isAlive } from '../supervisor/process-table.ts'
import { endTrial, readTrial } from '../supervisor/trial.ts'
import { makeCurrent } from './kit.ts'

const stopWithinMs = 60_000
const pollMs = 200
/** How long its program may take to see that it is to start again. */
const seenWithinMs = 20_000

/** The files by which `quarterdeck start` knows of an upgrade; see `src/launch/quarterdeck.sh`. */
const filesOf = (home: string) => ({ upgrade: join(home, '.upgrade'), ending: join(home, '.ending'), again: join(home, '.again') })

/** Nobody else changes the versions meanwhile: each removes what the other has unpacked. @throws OperatorError when somebody does already. */
export async function withVersionsOf<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = await holdFile(
    join(home, '.versions.lock'),
    { holder: identify(process.pid) },
    {
      refused: (pid) => `Another upgrade is under way (process ${pid}).`,
      unwritable: (reason) => `${home} cannot be written (${reason}).`,
    },
  )
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** From now on what runs is started again when it ends, as often as `startAgain` says. */
export function beginUpgrade(home: string): void {
  const { upgrade, ending, again } = filesOf(home)
  for (const each of [ending, again]) rmSync(each, { force: true })
  writeFileSync(upgrade, String(process.pid))
}

export function endUpgrade(home: string): void {
  for (const each of Object.values(filesOf(home))) rmSync(each, { force: true })
}

export function startAgain(home: string): void {
  const { ending, again } = filesOf(home)
  writeFileSync(again, '')
  rmSync(ending, { force: true })
}

/** Ends what runs on the data, in order; resolves when nothing does. Should this process die now, it starts again. */
export async function endRunning(home: string, { dataDir }: Config): Promise<void> {
  const pid = holderOf(dataDir)
  if (pid === undefined) return
  writeFileSync(filesOf(home).ending, '')
  process.kill(pid, 'SIGTERM')
  const begun = performance.now()
  while (holderOf(dataDir) === pid) {
    if (performance.now() - begun > stopWithinMs) process.kill(pid, 'SIGKILL')
    await pause(pollMs)
  }
}

/**
 * Resolves when the place can serve people, or serves those who come with `trialId`; with a sentence when it does not within this
 * time.
 */
export async function servesWithin(config: Config, withinMs: number, trialId?: string): Promise<string | undefined> {
  const begun = performance.now()
  let seen = false
  for (;;) {
    const runs = holderOf(config.dataDir) !== undefined
    if (runs && (await isHealthy(config, trialId))) return undefined
    const ms = performance.now() - begun
    if (seen && !runs) return 'it ended by itself'
    if (!seen && ms > seenWithinMs) return 'nothing started it'
    if (ms > withinMs) return `it did not serve within ${Math.round(withinMs / 1000)} seconds`
    seen ||= runs
    await pause(pollMs)
  }
}

/** As long as nothing runs: keeps the database as it is now beside it, where it is one of ours. */
export async function keepDatabase(config: Config): Promise<void> {
  const { database, copying, kept } = foldersOf(config)
  if (config.databaseUrl !== undefined || !existsSync(database)) return
  for (const each of [copying, kept]) rmSync(each, { recursive: true, force: true })
  // Owners and rights stay, which only this program knows how to do everywhere.
  const child = spawn('cp', ['-a', database, copying], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) {
    // The disk may be full of it.
    rmSync(copying, { recursive: true, force: true })
    throw new OperatorError(`${database} could not be copied. Is there room for it twice? The version of before serves on.`)
  }
  renameSync(copying, kept)
}

/**
 * To be called by a start, as long as nothing runs. Where the version that took the place of this one is still on trial, this one
 * takes it back, on the database as it was; then ends what was broken off while a database was put back or copied.
 */
export function takeBack(home: string, id: string, config: Config): void {
  const { database, kept, copying, gone, failed } = foldersOf(config)
  const trial = readTrial(home)
  if (trial?.from === id) {
    if (existsSync(kept)) {
      rmSync(failed, { recursive: true, force: true })
      if (existsSync(database)) renameSync(database, failed)
      // Broken off here, the next start does the rest.
      renameSync(kept, database)
    }
    makeCurrent(home, id)
    endTrial(home)
  }
  if (!existsSync(database) && existsSync(kept)) renameSync(kept, database)
  const { upgrade } = filesOf(home)
  const isUnderWay = existsSync(upgrade) && isAlive(Number(readFileSync(upgrade, 'utf8')))
  // A copy may outlive the upgrade that was killed: it finds the folder no more.
  if (existsSync(copying) && !existsSync(gone)) renameSync(copying, gone)
  for (const each of [gone, failed, ...(trial || isUnderWay ? [] : [kept])])
    try {
      rmSync(each, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    } catch {
      // No reason not to start. The next start removes it.
    }
}

export function forgetKeptDatabase(config: Config): void {
  const { copying, kept, failed } = foldersOf(config)
  for (const each of [copying, kept, failed]) rmSync(each, { recursive: true, force: true })
}

function foldersOf({ dataDir }: Config): Record<'database' | 'copying' | 'gone' | 'kept' | 'failed', string> {
  const database = join(dataDir, 'postgres')
  return {
    database,
    copying: `${database}.copying`,
    gone: `${database}.gone`,
    kept: `${database}.before-upgrade`,
    failed: `${database}.failed`,
  }
}

/** What has to answer before people are let in: health, settings that apps read first, the browser app. */
const looks = ['/health/ready', '/api/v3/client/health', '/openapi.json', '/manifest.webmanifest']

/** True when all of it is answered. Where it listens may have been said to the start alone. */
async function isHealthy(config: Config, trialId: string | undefined): Promise<boolean> {
  const place = { ...config, ...listensOn(config.dataDir) }
  try {
    const answers = await Promise.all(looks.map((path) => askOwnServer(place, path, trialId)))
    return answers.every(({ status }) => status === 200)
  } catch {
    return false
  }
}
