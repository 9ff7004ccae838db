// The last step of an upgrade, and of a way back: another version takes the place of the one that runs.
import type { Config } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { currentId, makeCurrent, migrationsOf, versionFolder } from './kit.ts'
import {
  beginUpgrade,
  endRunning,
  endUpgrade,
  forgetKeptDatabase,
  keepDatabase,
  putDatabaseBack,
  servesWithin,
  startAgain,
} from './place.ts'
import { isLocked } from '../supervisor/data-lock.ts'

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
 * was when it ended: nothing that people were told is lost, since nobody was served in between.
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
  try {
    await endRunning(home, config)
    const changesDatabase = migrationsBeyond(home, to, from).length > 0
    const isKept = changesDatabase && (await keepDatabase(config))
    makeCurrent(home, to)
    startAgain(home)
    const complaint = await servesWithin(config, withinMs)
    if (complaint === undefined) return forgetKeptDatabase(config)
    await endRunning(home, config)
    // One of the operator's own is as the new version has left it.
    if (isKept) putDatabaseBack(config)
    makeCurrent(home, from)
    startAgain(home)
    const worse = await servesWithin(config, withinMs)
    throw new OperatorError(
      worse === undefined
        ? `The new version did not come to serve (${complaint}). The one before serves again, and nothing is lost.`
        : `The new version did not come to serve (${complaint}), nor does the one before (${worse}). What it says is in its log.`,
    )
  } catch (error) {
    // Whatever it was, people are not left without a server.
    if (!isLocked(config.dataDir)) {
      makeCurrent(home, from)
      startAgain(home)
      await servesWithin(config, withinMs)
    }
    throw error
  } finally {
    endUpgrade(home)
  }
}
