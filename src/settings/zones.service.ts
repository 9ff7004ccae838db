// The trip's zone changes, read from their file again while the server runs.
import { readFile } from 'node:fs/promises'
import type { Ctx } from '../core/work/ctx.ts'
import { AppError } from '../core/base/errors.ts'
import { findSeedFile } from '../core/files/seed-file.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsId, settingsKind } from './channel.ts'
import { lockSettings, replaceZoneChanges } from './queries.ts'
import type { TimeZoneReloadData } from './schemas.ts'
import type { ZoneChange } from './trip.ts'
import { readZoneChanges } from './zone-file.ts'

/** The file's name; it is the same in every environment. */
export const zoneFileName = 'time-zone-changes.txt'

/** Replaces all zone changes by those of the file; in force on all nodes when the promise resolves. A bad file changes nothing. */
export async function reloadZoneChanges(ctx: Ctx): Promise<TimeZoneReloadData> {
  const changes = await zoneChangesOfFile(ctx)
  await ctx.transaction(async (tx) => {
    await lockSettings(tx.sql)
    await replaceZoneChanges(tx.sql, changes)
    tx.emitConfirmed(settingsKind, settingsId, { type: 'changed' })
    await audit(tx, {
      action: 'reloadTimeZoneChanges',
      subject: { type: 'timeZoneChanges', id: settingsId },
      details: { changes: changes.length },
    })
  })
  return { changes: changes.length }
}

async function zoneChangesOfFile({ node: { config } }: Ctx): Promise<ZoneChange[]> {
  const path = findSeedFile(config, zoneFileName)
  if (path === undefined) throw new AppError(500, 'file_missing', 'The file of zone changes is missing.')
  const text = await readFile(path, 'utf8')
  try {
    return readZoneChanges(text, config.portTimeZone)
  } catch (cause) {
    // The sentence is for people: it says what is wrong with the file.
    throw new AppError(
      500,
      'file_invalid',
      `The file ${zoneFileName} cannot be used, and nothing was changed. ${(cause as Error).message}`,
      { cause },
    )
  }
}
