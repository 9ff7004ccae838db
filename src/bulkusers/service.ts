// Users who travel from one server to another, before an event opens or after one has ended: all of them
// are written into a file, or taken from one. Only while nobody but admins is let in.
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ctx, Node, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { decoderOf } from '../core/schema/decode.ts'
import { Text } from '../core/schema/schema.ts'
import { mapSome } from '../core/base/batches.ts'
import { badRequest, bodyMissing, conflict } from '../core/base/errors.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { incoming } from '../core/files/files.ts'
import { Reply } from '../core/http/route.ts'
import { isRestorable, restoreAvatar, storedImage } from '../image/service.ts'
import type { BackupTicketData } from '../console/schemas.ts'
import { requireCredentials, requireTicket, ticketFor } from '../console/tickets.ts'
import { audit, type AuditAction } from '../moderation/audit.service.ts'
import { announcePhotographers } from '../events/photographers.service.ts'
import { PerformerUploadData } from '../performers/schemas.ts'
import { givePhoto, importPerformers, officialNames, travellingPerformers } from '../performers/travel.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { noteLooks } from '../users/service.ts'
import { userTopic } from '../accounts/events.ts'
import {
  bindCodes,
  countJobs,
  insertFavorites,
  insertFollowers,
  insertPhotographers,
  insertPhotoWishes,
  insertUsers,
  lockAllAccounts,
  selectKnown,
  selectPhotoWishes,
  selectTravellingUsers,
  updateMissingImage,
  type TravellingUserRow,
} from './queries.ts'
import { mentioned, planImport, Understanding, type Known, type Plan } from './plan.ts'
import { UserSaveRestoreData, type BulkUserImagesData, type BulkUserUpdateVerificationData } from './schemas.ts'
import { uploadedPath, useUploaded } from './uploaded.service.ts'
import { BundleFault, checkBundle, readBundle, readImage, writeBundle, type BundleImages } from './bundle.ts'

function requireClosedServer(ctx: Ctx): void {
  const { minAccessUserLevel, enablePreregistration } = settingsOf(ctx.node).values
  if (minAccessUserLevel !== 'admin' || enablePreregistration)
    throw badRequest(
      'server_open',
      'Users can be moved only while minUserAccessLevel is admin and enablePreregistration is off. Change these settings first.',
    )
}

async function note(ctx: Ctx, action: AuditAction, details: object): Promise<void> {
  await ctx.transaction((tx) => audit(tx, { action, subject: { type: 'userFile', id: 'all' }, details }))
}

const purpose = 'users to move'
const imagesAtOnce = 40

/** For a minute the caller may download the file, having shown their password once more. */
export async function usersTicket(ctx: Ctx, password: string): Promise<BackupTicketData> {
  requireClosedServer(ctx)
  await requireCredentials(ctx, password)
  await note(ctx, 'exportUsers', {})
  return { ticket: ticketFor(ctx, purpose) }
}

/**
 * All users with a registration code, and their pictures, as a file. It holds digests of all passwords: a browser that is left
 * alone does not get it, but needs a ticket. Programs of the operator come with a token, as they always did.
 */
export async function downloadUsers(ctx: Ctx, ticket: string | undefined): Promise<Reply> {
  const isByToken = ctx.sessionKey === '' && ticket === undefined
  if (!isByToken) requireTicket(ctx, purpose, ticket ?? '')
  requireClosedServer(ctx)
  const [rows, performers, events] = await Promise.all([
    selectTravellingUsers(ctx.sql),
    travellingPerformers(ctx.sql),
    selectPhotoWishes(ctx.sql),
  ])
  const images = new Map<string, { name: string; path: string; size: number }>()
  const photos = [...performers.official, ...performers.byAccount.values()].map(({ photo }) => photo.filename ?? null)
  const names = [...rows.map(({ userImage }) => userImage), ...photos].filter((name) => name !== null)
  await mapSome(names, imagesAtOnce, async (name) => {
    const stored = await storedImage(ctx, name)
    if (stored) images.set(name, { name, ...stored })
  })
  const users = rows.map((row) => travellingUser(row, images, performers.byAccount.get(row.id)))
  const official = performers.official.map((performer) => withStoredPhoto(performer, images))
  const needsPhotographer = [...events].flatMap(([uid, isNeeded]) => (isNeeded ? [uid] : []))
  if (isByToken) await note(ctx, 'exportUsers', { users: users.length, performers: official.length, images: images.size })
  const bundle = await writeBundle(
    { users, performers: official, needsPhotographer },
    [...images.values()],
    ctx.node.files.store,
    new Date(ctx.nowMs),
  )
  return new Reply(200, bundle, {
    'Content-Type': 'application/zip',
    'Content-Disposition': 'attachment; filename="userfile.zip"',
    'Cache-Control': 'no-store',
  })
}

const withStoredPhoto = (performer: PerformerUploadData, images: ReadonlyMap<string, unknown>): PerformerUploadData =>
  images.has(performer.photo.filename ?? '') ? performer : { ...performer, photo: {} }

function travellingUser(
  row: TravellingUserRow,
  images: ReadonlyMap<string, unknown>,
  performer: PerformerUploadData | undefined,
): UserSaveRestoreData {
  const {
    id: _id,
    username,
    passwordHash,
    recoveryKeyHash,
    code,
    usedForRecovery,
    level,
    roles,
    favoriteUsers,
    favoriteEvents,
    photographerEvents,
    userImage,
    ...profile
  } = row
  const filled = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== null)) as Partial<UserSaveRestoreData>
  return {
    username,
    password: passwordHash,
    recoveryKey: recoveryKeyHash ?? '',
    verification: `${usedForRecovery ? '*' : ''}${code}`,
    accessLevel: level,
    roles,
    favoriteEvents,
    photographerEvents,
    favoriteUsers,
    ...filled,
    ...(userImage !== null && images.has(userImage) ? { userImage } : {}),
    ...(performer ? { performer: withStoredPhoto(performer, images) } : {}),
  }
}

/** Takes a file in place of an earlier one, when all of it can be read; nothing of it is applied. */
export async function uploadUsers(ctx: Ctx, body: AsyncIterable<Buffer>): Promise<void> {
  requireClosedServer(ctx)
  await requireNoImagesWaiting(ctx)
  const { node } = ctx
  const path = join(node.config.imagesDir, incoming, node.random.uuid().toUpperCase())
  try {
    const bytes = await save(body, path)
    if (bytes === 0) throw bodyMissing()
    await checkBundle(path).catch(refuseFault)
    await note(ctx, 'uploadUsers', { bytes })
    await node.files.store.put(uploadedPath, path)
  } finally {
    await rm(path, { force: true })
  }
}

async function save(body: AsyncIterable<Buffer>, path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx')
  let bytes = 0
  try {
    for await (const piece of body) {
      await file.writeFile(piece)
      bytes += piece.length
    }
  } finally {
    await file.close()
  }
  return bytes
}

function refuseFault(error: unknown): never {
  throw error instanceof BundleFault ? badRequest('file_invalid', error.message) : error
}

/** Says what an import of the uploaded file would do. */
export async function verifyUsers(ctx: Ctx): Promise<BulkUserUpdateVerificationData> {
  requireClosedServer(ctx)
  const decided = await planOf(ctx, await uploadedBundle(ctx.node), ctx.sql)
  return { changesApplied: false, ...decided.report }
}

const imageEveryMs = 200

/** Imports the uploaded file: all users that can be in one transaction, their pictures one after another from then on. */
export async function applyUsers(ctx: Ctx): Promise<BulkUserUpdateVerificationData> {
  requireClosedServer(ctx)
  await requireNoImagesWaiting(ctx)
  const bundle = await uploadedBundle(ctx.node)
  return await ctx.transaction(async (tx) => {
    await lockAllAccounts(tx.sql)
    const { users, codes, favorites, officialPerformers, photoWishes, report } = await planOf(ctx, bundle, tx.sql)
    if (users.length > 0) {
      await insertUsers(tx.sql, users, tx.now)
      // Imported names are kept, even when they look like other names here.
      await noteLooks(tx)
      await bindCodes(tx.sql, codes)
      await insertFavorites(tx.sql, favorites, tx.now)
      await insertFollowers(
        tx.sql,
        users.flatMap(({ id, data }) => data.favoriteEvents.map((uid) => ({ accountId: id, uid }))),
        tx.now,
      )
      await insertPhotographers(
        tx.sql,
        users.flatMap(({ id, data }) => data.photographerEvents.map((uid) => ({ accountId: id, uid }))),
        tx.now,
      )
    }
    const arrivals = [
      ...users.flatMap(({ id, data: { performer } }) => (performer ? [{ accountId: id, performer }] : [])),
      ...officialPerformers.map((performer) => ({ accountId: null, performer })),
    ]
    const performerIds = await importPerformers(tx, arrivals)
    await insertPhotoWishes(tx.sql, photoWishes)
    announcePhotographers(tx)
    // Slower than pictures are processed: other jobs must not wait behind thousands of these.
    let runAtMs = tx.now.getTime()
    const order = (whose: { accountId: string } | { performerId: string }, filename: string | undefined) => {
      if (filename && isRestorable(ctx, bundle.images.get(filename) ?? 0))
        tx.enqueue('bulk-user-image', { ...whose, filename }, new Date((runAtMs += imageEveryMs)))
    }
    for (const { id, data } of users) order({ accountId: id }, data.userImage)
    for (const [index, { performer }] of arrivals.entries()) order({ performerId: performerIds[index] as string }, performer.photo.filename)
    await audit(tx, { action: 'importUsers', subject: { type: 'userFile', id: 'all' }, details: report.userCounts })
    return { changesApplied: true, ...report }
  })
}

/** The uploaded file, with what is in it. */
interface Uploaded {
  users: Understanding<UserSaveRestoreData>
  performers: Understanding<PerformerUploadData>
  photoWishes: Understanding<string>
  images: BundleImages
}

const decodeUser = decoderOf(UserSaveRestoreData)
const decodePerformer = decoderOf(PerformerUploadData)
const decodeUid = decoderOf(Text({ max: 500 }))

async function uploadedBundle(node: Node): Promise<Uploaded> {
  const lists = {
    users: new Understanding('users', decodeUser),
    performers: new Understanding('performers', decodePerformer),
    needsPhotographer: new Understanding('needsPhotographer', decodeUid),
  }
  try {
    const images = await useUploaded(node, (file) => readBundle(file, (list, record) => lists[list].take(record)))
    if (!images) throw badRequest('nothing_uploaded', 'No file of users was uploaded. Upload one first.')
    return { users: lists.users, performers: lists.performers, photoWishes: lists.needsPhotographer, images }
  } catch (error) {
    return refuseFault(error)
  }
}

async function planOf(ctx: Ctx, { images, ...bundled }: Uploaded, sql: Sql): Promise<Plan> {
  const { usernames, codes } = mentioned(bundled.users.records)
  const [users, names, events] = await Promise.all([selectKnown(sql, usernames, codes), officialNames(sql), selectPhotoWishes(sql)])
  const known: Known = { ...users, officialNames: names, events }
  const plan = planImport(bundled, known, {
    maxAlternateAccounts: settingsOf(ctx.node).values.maxAlternateAccounts,
    newId: () => ctx.node.random.uuid(),
  })
  const { report } = plan
  const isLost = (filename: string | undefined) => filename && !isRestorable(ctx, images.get(filename) ?? 0)
  const lost = [
    ...plan.users.filter(({ data }) => isLost(data.userImage)).map(({ data }) => `${data.username}: the picture is missing or too large`),
    ...[...plan.users.flatMap(({ data }) => data.performer ?? []), ...plan.officialPerformers]
      .filter(({ photo }) => isLost(photo.filename))
      .map(({ name }) => `The photo of the performer ${name} is missing or too large.`),
  ]
  return { ...plan, report: { ...report, otherErrors: [...report.otherErrors, ...lost] } }
}

async function requireNoImagesWaiting(ctx: Ctx): Promise<void> {
  const { waiting } = await countJobs(ctx.sql, 'bulk-user-image')
  if (waiting > 0) throw conflict('import_running', `${waiting} pictures of the last import are still being processed. Try again later.`)
}

/** How far the pictures of the last import are. */
export async function usersImages(ctx: Ctx): Promise<BulkUserImagesData> {
  return await countJobs(ctx.sql, 'bulk-user-image')
}

/** The job that gives one imported user or performer their picture. */
export async function importUserImage(tx: Tx<undefined>, { filename, ...whose }: JobPayloads['bulk-user-image']): Promise<void> {
  const { ctx } = tx
  const { maxImageSize } = settingsOf(ctx.node).values
  const content = await useUploaded(ctx.node, (file) => readImage(file, filename, maxImageSize)).catch((error: unknown) => {
    if (!(error instanceof BundleFault)) throw error
    ctx.log.warn({ err: error, ...whose }, 'an imported picture cannot be read any more')
    return undefined
  })
  const image = content && (await restoreAvatar(ctx, tx.sql, filename, content))
  if (image === undefined) return
  if ('performerId' in whose) return await givePhoto(tx, whose.performerId, image)
  const account = await updateMissingImage(tx.sql, whose.accountId, image)
  if (account) tx.emitConfirmed(userTopic, whose.accountId, { type: 'changed', account })
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'bulk-user-image': { filename: string } & ({ accountId: string } | { performerId: string })
  }
}
