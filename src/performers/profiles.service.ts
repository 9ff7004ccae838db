// Official performers from a web page: uploaded, compared, applied; each as often as one likes. Photos follow one after another.
import { ReceivedBytes } from '../core/schema/received-bytes.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { AppError, badRequest } from '../core/base/errors.ts'
import { download, DownloadError } from '../core/http/download.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { decoderOf } from '../core/schema/decode.ts'
import { archiveImages, storeUpload } from '../image/service.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { planProfiles, type ProfilesPlan } from './profiles.ts'
import {
  insertLinks,
  lockPerformers,
  selectMatchableEvents,
  selectOfficialLinks,
  selectOfficialPerformers,
  selectPerformer,
  selectUpload,
  softDeletePerformers,
  upsertPerformers,
  upsertUpload,
} from './queries.ts'
import { PerformerImportList, type PerformerUpdateDifferenceData } from './schemas.ts'
import { announceChange } from './service.ts'
import { givePhoto } from './travel.service.ts'
import { linkPreview, performerData, performerHeader } from './views.ts'

/** Keeps a list of performers in place of the one before. */
export async function uploadProfiles(ctx: Ctx, performers: PerformerImportList): Promise<void> {
  await ctx.transaction(async (tx) => {
    await upsertUpload(tx.sql, { kind: 'profiles', content: performers, uploaderId: tx.viewer.id, now: tx.now })
    await audit(tx, {
      action: 'uploadPerformers',
      subject: { type: 'performers', id: 'profiles' },
      details: { performers: performers.length },
    })
  })
}

/** Says what the list would change. */
export async function verifyProfiles(ctx: Ctx): Promise<PerformerUpdateDifferenceData> {
  const { created, known, linksToAdd, unmatched, notInSource } = await planOf(ctx, ctx.sql)
  const { trip } = settingsOf(ctx.node)
  const changed = known.filter(({ changedFields }) => changedFields.length > 0)
  return {
    newPerformers: created.map(({ row, photoAddress }) => {
      const { header, ...data } = performerData(row, [])
      // It has no id yet, and its photo is still elsewhere.
      const { name, isOfficialPerformer } = header
      return { ...data, header: { name, ...(photoAddress === undefined ? {} : { photo: photoAddress }), isOfficialPerformer } }
    }),
    updatedPerformers: changed.map(({ before, changedFields }) => ({ header: performerHeader(before), changedFields })),
    unchangedCount: known.length - changed.length,
    eventLinksToAdd: linksToAdd.map(({ performer, event }) => linkPreview(trip, performer.name, event)),
    unmatchedScrapedEvents: unmatched.map(({ name, reference }) => linkPreview(trip, name, reference)),
    notInSourcePerformers: notInSource.map(performerHeader),
  }
}

const isTrue = (text = '') => text.toLowerCase() === 'true'
const isFalse = (text = '') => text.toLowerCase() === 'false'
const photoEveryMs = 200

/** Makes the official performers what the list says. */
export async function applyProfiles(
  ctx: Ctx,
  wishes: { processDeletes?: string; processUpdates?: string; linkEvents?: string },
): Promise<void> {
  const gone = await ctx.transaction(async (tx) => {
    await lockPerformers(tx.sql)
    const { created, known, linksToAdd, notInSource } = await planOf(ctx, tx.sql)
    const updated = isFalse(wishes.processUpdates) ? [] : known.filter(({ before, after }) => isChanged(before, after))
    const links = isFalse(wishes.linkEvents) ? [] : linksToAdd
    const deleted = isTrue(wishes.processDeletes) ? notInSource : []
    await upsertPerformers(tx.sql, [...created.map(({ row }) => row), ...updated.map(({ after }) => after)], tx.now)
    await insertLinks(
      tx.sql,
      links.map(({ performer, event }) => ({ performerId: performer.id, eventId: event.id })),
    )
    const deletedIds = deleted.map(({ id }) => id)
    if (deletedIds.length > 0) await softDeletePerformers(tx.sql, deletedIds, tx.now)
    // Slower than they are fetched: other jobs must not wait behind hundreds of these.
    let runAtMs = tx.now.getTime()
    for (const { row, photoAddress } of created)
      if (photoAddress) tx.enqueue('performer-photo', { performerId: row.id, address: photoAddress }, new Date((runAtMs += photoEveryMs)))
    await audit(tx, {
      action: 'importPerformers',
      subject: { type: 'performers', id: 'profiles' },
      details: { created: created.length, updated: updated.length, deleted: deleted.length, links: links.length },
    })
    announceChange(tx)
    return deleted.flatMap(({ photo }) => photo ?? [])
  })
  await archiveImages(ctx, gone)
}

const isChanged = (before: object, after: object): boolean => JSON.stringify(before) !== JSON.stringify(after)

const decodeList = decoderOf(PerformerImportList)

async function planOf({ node }: Ctx, sql: Sql): Promise<ProfilesPlan> {
  const content = await selectUpload(sql, 'profiles')
  if (content === undefined) throw badRequest('nothing_uploaded', 'No performers were uploaded. Upload them first.')
  const [performers, links, events] = await Promise.all([
    selectOfficialPerformers(sql),
    selectOfficialLinks(sql),
    selectMatchableEvents(sql),
  ])
  return planProfiles(
    decodeList(content, 'json'),
    { performers, links, events },
    { year: Number(settingsOf(node).trip.startDate.slice(0, 4)), newId: () => node.random.uuid() },
  )
}

const fetchWithinMs = 8000

/** Fetches the photo of an imported performer, and stores it. One that cannot be had is only logged. */
export async function fetchPerformerPhoto(
  ctx: Ctx<undefined>,
  { performerId, address }: JobPayloads['performer-photo'],
): Promise<string | undefined> {
  const performer = await selectPerformer(ctx.sql, performerId)
  if (!performer || performer.photo !== null) return undefined
  try {
    const image = await download('photo', address, fetchWithinMs, {
      maxBytes: settingsOf(ctx.node).values.maxImageSize - 1,
      accept: 'image/*',
    })
    const photo = await storeUpload(ctx, { image: new ReceivedBytes(image) }, 'avatar')
    if (!photo) throw new DownloadError('The photo is empty.')
    return photo.name
  } catch (error) {
    const isPhotos = error instanceof DownloadError || (error instanceof AppError && error.status === 400)
    if (!isPhotos) throw error
    ctx.log.warn({ performerId, reason: error.message }, 'the photo of a performer could not be had')
    return undefined
  }
}

/** Gives a performer the photo that was fetched, unless they have got another one meanwhile. */
export async function giveFetchedPhoto(
  tx: Tx<undefined>,
  { performerId }: JobPayloads['performer-photo'],
  photo: string | undefined,
): Promise<void> {
  const performer = await selectPerformer(tx.sql, performerId)
  if (photo !== undefined && performer?.photo === null) await givePhoto(tx, performerId, photo)
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'performer-photo': { performerId: string; address: string }
  }
}
