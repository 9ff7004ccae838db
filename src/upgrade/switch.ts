// The last step of an upgrade, and of a way back: another version takes the place of the one that runs.
import { randomUUID } from 'node:crypto'
import type { Config } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { currentId, makeCurrent, migrationsOf, versionFolder } from './kit.ts'
import { beginUpgrade, endRunning, endUpgrade, forgetKeptDatabase, keepDatabase, servesWithin, startAgain } from './place.ts'
import { isLocked } from '../supervisor/data-lock.ts'
import { beginTrial, endTrial, readTrial } from '../supervisor/trial.ts'

/** How long a version may take to see that its trial is over. */
const openWithinMs = 10_000

export interface Switch {
  home: string
  config: Config
  to: string
  /** Longest time until the other version serves. */
  withinMs: number
  say(line: string): void
}

/** Names of migrations that one version has and another has not. */
export function migrationsBeyond(home: string, id: string, other: string): string[] {
  const known = new Set(migrationsOf(versionFolder(home, other)))
  return migrationsOf(versionFolder(home, id)).filter((name) => !known.has(name))
}

/**
 * Ends what runs, makes `to` current, and starts it. When it does not serve, what ran before starts again on the database as it
 * was when it ended: nothing that people were told is lost, since a version on trial lets nobody in.
 *
 * @throws OperatorError when it did not come to serve.
 */
export async function switchVersion({ home, config, to, withinMs, say }: Switch): Promise<void> {
  const from = currentId(home)
  if (!isLocked(config.dataDir)) {
    makeCurrent(home, to)
    return say('Nothing runs here: the next start takes the new version.')
  }
  beginUpgrade(home)
  const goBack = async () => {
    // The start of the one before puts the database back. One of the operator's own is as the new version has left it.
    makeCurrent(home, from)
    startAgain(home)
    return await servesWithin(config, withinMs)
  }
  try {
    await endRunning(home, config)
    if (migrationsBeyond(home, to, from).length > 0) await keepDatabase(config)
    const trial = { pid: process.pid, from, id: `trial-${randomUUID()}` }
    beginTrial(home, trial)
    makeCurrent(home, to)
    startAgain(home)
    const complaint = await servesWithin(config, withinMs, trial.id)
    // A version that has ended its trial by itself has let people in: it stays, whatever else it lacks.
    if (complaint === undefined || !readTrial(home)) {
      endTrial(home)
      await servesWithin(config, openWithinMs)
      return forgetKeptDatabase(config)
    }
    await endRunning(home, config)
    const worse = await goBack()
    throw new OperatorError(
      worse === undefined
        ? `The new version did not come to serve (${complaint}). The one before serves again, and nothing is lost.`
        : `The new version did not come to serve (${complaint}), nor does the one before (${worse}). What it says is in its log.`,
    )
  } catch (error) {
    // Whatever it was, people are not left without a server.
    if (!isLocked(config.dataDir)) await goBack()
    throw error
  } finally {
    endUpgrade(home)
  }
}
