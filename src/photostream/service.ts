// The photo stream: everybody's photos, newest first. Who took one cannot change it; moderators can take it away.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable, tooManyRequests } from '../core/base/errors.ts'
import { selectReplay } from '../core/db/idempotency.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { isUuid } from '../core/schema/decode.ts'
import { jsonText } from '../core/base/json-text.ts'
import { blocked, isModerator, requireCreator, requireNotTempQuarantined } from '../core/base/viewer.ts'
import type { EventRow } from '../events/rows.ts'
import { scheduleFor, type ScheduleView } from '../events/service.ts'
import { archiveImages, requireUploads, storeUpload } from '../image/service.ts'
import { sizesOf } from '../image/sizes.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { caseOf } from '../moderation/acts.service.ts'
import { fileCountedReport } from '../moderation/report.service.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, type SettableState } from '../moderation/types.ts'
import { settingsOf } from '../settings/channel.ts'
import {
  insertPhoto,
  lockPhoto,
  lockUploads,
  quarantineReported,
  selectLastTaken,
  selectPhoto,
  selectPhotos,
  softDeletePhoto,
  updatePhotoState,
} from './queries.ts'
import type { JudgedPhotoRow, PhotoRow } from './rows.ts'
import type {
  PhotoQuery,
  PhotostreamImageData,
  PhotostreamListData,
  PhotostreamLocationData,
  PhotostreamModerationData,
  PhotostreamUploadData,
} from './schemas.ts'
import { anywhere, boatLocations } from './types.ts'
import { photoData } from './views.ts'

/** All that users below moderator see, and a page for moderators who ask for no other. */
const newest = 30
const longestPage = 2_147_483_647

/** Photos whose authors the caller does not hide, newest first: to moderators in pages, to others the newest. */
export async function listPhotos(ctx: Ctx, query: PhotoQuery): Promise<PhotostreamListData> {
  const id = (text: string | undefined) => (text !== undefined && isUuid(text) ? text.toLowerCase() : undefined)
  const filters = [id(query.eventID), query.locationName, id(query.byUser), id(query.userID)]
  if (filters.filter((filter) => filter !== undefined).length > 1)
    throw badRequest('filter_invalid', 'Choose one of eventID, locationName and byUser.')
  const [eventId, locationName, byUser, userId] = filters
  const mayPage = isModerator(ctx.viewer)
  const page = pageOf(mayPage ? query : {}, longestPage, newest)
  const { total, photos } = await selectPhotos(ctx.sql, ctx.viewer.id, { eventId, locationName, authorId: byUser ?? userId }, page)
  const show = await showing(ctx, photos)
  return { photos: photos.map(show), paginator: { ...page, total: mayPage ? total : photos.length } }
}

/** How the caller gets these photos. */
async function showing(ctx: Ctx, photos: readonly PhotoRow[]): Promise<(photo: PhotoRow) => PhotostreamImageData> {
  const { accounts } = ctx.node
  const [schedule] = await Promise.all([scheduleFor(ctx), accounts.load(new Set(photos.map(({ authorId }) => authorId)))])
  return (photo) => {
    const event = photo.eventId === null ? undefined : schedule.find(photo.eventId)
    return photoData(accounts, photo, event && schedule.show(event))
  }
}

const shown = async (ctx: Ctx, photo: PhotoRow): Promise<PhotostreamImageData> => (await showing(ctx, [photo]))(photo)

/** The events that are on and the places. */
export async function listPlaces(ctx: Ctx): Promise<PhotostreamLocationData> {
  const schedule = await scheduleFor(ctx)
  const events = schedule.events.filter((event) => isOn(event, schedule, ctx))
  return { events: events.map((event) => schedule.show(event)), locations: [...boatLocations] }
}

const longestEventMs = 2 * 60 * 60_000
/** Somebody who took a photo may need a while to send it. */
const afterwardsMs = 5 * 60_000

/** True for a short event that is on. Outside of the trip it is the day of the trip with the same name. */
function isOn({ startTime, endTime }: EventRow, { trip }: ScheduleView, { nowMs }: Ctx, afterMs = 0): boolean {
  const now = trip.displayToPort(trip.referenceTime(new Date(nowMs), 'cruiseWeek')).getTime()
  const [start, end] = [startTime.getTime(), endTime.getTime()]
  return start <= now && now < end + afterMs && end - start <= longestEventMs
}

/** Refuses photos that are too large, whoever sends them. */
export async function requirePhoto(ctx: Ctx, { image }: PhotostreamUploadData): Promise<void> {
  await requireUploads(ctx, [['', { image }]])
}

async function requireOn(ctx: Ctx, eventId: string): Promise<void> {
  const schedule = await scheduleFor(ctx)
  const event = schedule.find(eventId)
  if (!event) throw notAvailable('event')
  if (!isOn(event, schedule, ctx, afterwardsMs)) throw badRequest('event_not_on', 'This event is not on. Choose a place instead.')
}

/** A photo as it is kept for repetitions of its upload. */
type Uploaded = Omit<PhotoRow, 'createdAt'> & { createdAt: string }

/** Seconds between two photos of one person. */
const pauseOf = ({ node }: Ctx): number => settingsOf(node).values.photostreamUploadRateLimit

/** Adds a photo to the stream. */
export async function uploadPhoto(ctx: Ctx, upload: PhotostreamUploadData): Promise<Reply<PhotostreamImageData>> {
  requireCreator(ctx.viewer, ctx.nowMs)
  // A repetition is answered although it comes too soon after itself.
  const replay = ctx.idempotencyKey && (await selectReplay(ctx.sql, ctx.idempotencyKey))
  const uploaded = replay ? (replay.answer as Uploaded) : await addPhoto(ctx, upload)
  const photo = await shown(ctx, { ...uploaded, createdAt: new Date(uploaded.createdAt) })
  return new Reply(200, jsonText(photo), { 'Retry-After': pauseOf(ctx).toFixed(1) })
}

async function addPhoto(ctx: Ctx, { image: bytes, alt = '', createdAt, eventID, locationName }: PhotostreamUploadData): Promise<Uploaded> {
  const { id: authorId, personId } = ctx.viewer
  if (eventID !== undefined) await requireOn(ctx, eventID)
  requireWaited(ctx, await selectLastTaken(ctx.sql, personId))
  const image = await storeUpload(ctx, { image: bytes, alt }, 'content')
  if (!image) throw badRequest('image_missing', 'A photo must have an image.')
  return await ctx.transaction(async (tx) => {
    await lockUploads(tx.sql, personId)
    requireWaited(ctx, await selectLastTaken(tx.sql, personId))
    // The image took its time.
    requireCreator(ctx.viewer, ctx.nowMs)
    const photo = {
      authorId,
      image: image.name,
      imageSizes: sizesOf([image.size]),
      createdAt: createdAt > tx.now ? tx.now : createdAt,
      eventId: eventID ?? null,
      location: eventID === undefined ? (boatLocations.find((location) => location === locationName) ?? anywhere) : null,
    }
    return { ...photo, id: await insertPhoto(tx.sql, photo), createdAt: photo.createdAt.toISOString() }
  })
}

/** Answers 429 until some time has passed since the last photo. */
function requireWaited(ctx: Ctx, lastTaken: Date | undefined): void {
  const pause = pauseOf(ctx)
  const seconds = lastTaken ? Math.ceil((lastTaken.getTime() + pause * 1000 - ctx.nowMs) / 1000) : 0
  if (seconds <= 0) return
  throw tooManyRequests(
    'too_many_requests',
    `You can add one photo every ${pause % 60 === 0 ? `${pause / 60} minutes` : `${pause} seconds`}. Try again in ${seconds} seconds.`,
    seconds,
  )
}

/** Reports a photo to the moderators; many reports hide it. */
export async function reportPhoto(ctx: Ctx, photoId: number, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId } = await lockVisiblePhoto(tx, photoId)
    const report = { type: 'streamPhoto', reportedId: String(photoId), reportedUserId: authorId, message } as const
    if (await fileCountedReport(tx, report, settingsOf(ctx.node).values.postAutoQuarantineThreshold))
      await quarantineReported(tx.sql, photoId)
  })
}

/** Locks a photo that is not deleted and whose author is in no block with the caller. */
async function lockVisiblePhoto(tx: Tx, photoId: number): Promise<JudgedPhotoRow> {
  const photo = await lockPhoto(tx.sql, photoId)
  const author = photo && (await tx.ctx.node.accounts.find(photo.authorId))
  if (!photo || !author || (author.id !== tx.viewer.id && blocked(tx.viewer, author))) throw notAvailable('photo')
  return photo
}

/** A photo with nothing hidden, deleted or not, and its reports. */
export async function getPhotoModeration(ctx: Ctx, photoId: number): Promise<PhotostreamModerationData> {
  requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
  const row = await selectPhoto(ctx.sql, photoId)
  if (!row) throw notAvailable('photo')
  return {
    photo: await shown(ctx, row),
    isDeleted: row.deletedAt !== null,
    ...(await caseOf(ctx, ['streamPhoto'], String(photoId), row.moderationStatus)),
  }
}

/** Sets the state of a photo. */
export async function setPhotoState(ctx: Ctx, photoId: number, state: SettableState, basedOn?: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId, moderationStatus } = await lockVisiblePhoto(tx, photoId)
    await updatePhotoState(tx.sql, photoId, settableStates[state].status)
    await recordState(tx, {
      contentType: 'streamPhoto',
      contentId: String(photoId),
      ownerId: authorId,
      before: moderationStatus,
      state,
      basedOn,
    })
  })
}

/** Takes a photo out of the stream. */
export async function removePhoto(ctx: Ctx, photoId: number): Promise<void> {
  requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
  const { image } = await ctx.transaction(async (tx) => {
    const photo = await lockVisiblePhoto(tx, photoId)
    await softDeletePhoto(tx.sql, photoId, tx.now)
    await logModeratorAction(tx, { action: 'delete', contentType: 'streamPhoto', contentId: String(photoId), ownerId: photo.authorId })
    return { image: photo.image }
  })
  await archiveImages(ctx, [image])
}
