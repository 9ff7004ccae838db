// Performers who travel from one server to another, with the events that they appear at.
import type { Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import {
  insertLinksByUid,
  lockPerformers,
  selectOfficialPerformers,
  selectTravellingPerformers,
  updateMissingPhoto,
  upsertPerformers,
} from './queries.ts'
import { rowOf } from './rules.ts'
import type { PerformerUploadData } from './schemas.ts'
import { announceChange } from './service.ts'
import { travellingPerformer } from './views.ts'

/** All performers as another server takes them; their photos are names of stored images. */
export async function travellingPerformers(
  sql: Sql,
): Promise<{ official: PerformerUploadData[]; byAccount: ReadonlyMap<string, PerformerUploadData> }> {
  const rows = await selectTravellingPerformers(sql)
  return {
    official: rows.filter(({ isOfficial }) => isOfficial).map(travellingPerformer),
    byAccount: new Map(
      rows.flatMap((row) => (row.accountId === null || row.isOfficial ? [] : [[row.accountId, travellingPerformer(row)] as const])),
    ),
  }
}

/** Names of all official performers. */
export async function officialNames(sql: Sql): Promise<Set<string>> {
  return new Set((await selectOfficialPerformers(sql)).map(({ name }) => name))
}

/** A performer who comes from another server: an official one, or the page of an account that has none. */
export interface Arrival {
  accountId: string | null
  performer: PerformerUploadData
}

/** Writes performers with their events, as far as there are such here, and without photos; returns their ids in the same order. */
export async function importPerformers(tx: Tx, arrivals: readonly Arrival[]): Promise<string[]> {
  if (arrivals.length === 0) return []
  await lockPerformers(tx.sql)
  const rows = arrivals.map(({ accountId, performer }) =>
    rowOf(performer, null, { id: tx.ctx.node.random.uuid(), accountId, isOfficial: accountId === null }),
  )
  await upsertPerformers(tx.sql, rows, tx.now)
  await insertLinksByUid(
    tx.sql,
    arrivals.flatMap(({ performer }, index) =>
      performer.eventUIDs.map((uid) => ({ performerId: (rows[index] as { id: string }).id, uid })),
    ),
  )
  announceChange(tx)
  return rows.map(({ id }) => id)
}

/** Gives a performer a stored image, unless they have one by now. */
export async function givePhoto(tx: Tx<Viewer | undefined>, performerId: string, photo: string): Promise<void> {
  await lockPerformers(tx.sql)
  if (await updateMissingPhoto(tx.sql, performerId, photo, tx.now)) announceChange(tx)
}
