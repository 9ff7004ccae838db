// Users who travel from one server to another, before an event opens or after one has ended: all of them
// are written into a file, or taken from one. Only while nobody but admins is let in.
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ctx, Node, Tx } from '../core/ctx.ts'
import { decoderOf } from '../core/schema/decode.ts'
import { badRequest, bodyMissing, conflict } from '../core/errors.ts'
import type { JobPayloads } from '../core/jobs/jobs.ts'
import { adminUploads, incoming } from '../core/files/files.ts'
import { Reply } from '../core/http/route.ts'
import { isRestorable, restoreAvatar, storedImage } from '../image/service.ts'
import { audit, type AuditAction } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { noteLooks } from '../users/service.ts'
import { userTopic } from '../accounts/events.ts'
import {
  bindCodes,
  countJobs,
  insertFavorites,
  insertFollowers,
  insertUsers,
  lockAllAccounts,
  selectKnown,
  selectTravellingUsers,
  updateMissingImage,
  type TravellingUserRow,
} from './queries.ts'
import { mentioned, notTaken, planImport, Understanding, type Plan } from './plan.ts'
import { UserSaveRestoreData, type BulkUserImagesData, type BulkUserUpdateVerificationData } from './schemas.ts'
import { BundleFault, checkBundle, readBundle, readImage, writeBundle, type BundleImages } from './bundle.ts'

/** The one file that was uploaded last; all servers and workers share it, for a day. */
const uploadedPath = ({ config }: Node): string => join(config.imagesDir, adminUploads, 'userfile.zip')

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

/** All users with a registration code, and their pictures, as a file. */
export async function downloadUsers(ctx: Ctx): Promise<Reply> {
  requireClosedServer(ctx)
  const rows = await selectTravellingUsers(ctx.sql)
  const images = new Map<string, { name: string; path: string; size: number }>()
  for (const { userImage } of rows) {
    const stored = userImage === null ? undefined : await storedImage(ctx, userImage)
    if (stored && userImage !== null) images.set(userImage, { name: userImage, ...stored })
  }
  const users = rows.map((row) => travellingUser(row, images))
  await note(ctx, 'exportUsers', { users: users.length, images: images.size })
  const bundle = await writeBundle({ users, performers: [], needsPhotographer: [] }, [...images.values()], new Date(ctx.nowMs))
  return new Reply(200, bundle, { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="userfile.zip"' })
}

function travellingUser(row: TravellingUserRow, images: ReadonlyMap<string, unknown>): UserSaveRestoreData {
  const {
    username,
    passwordHash,
    recoveryKeyHash,
    code,
    usedForRecovery,
    level,
    roles,
    favoriteUsers,
    favoriteEvents,
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
    photographerEvents: [],
    favoriteUsers,
    ...filled,
    ...(userImage !== null && images.has(userImage) ? { userImage } : {}),
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
    await mkdir(dirname(uploadedPath(node)), { recursive: true })
    await rename(path, uploadedPath(node))
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
  const decided = await planOf(ctx, await uploadedBundle(ctx.node), (names, codes) => selectKnown(ctx.sql, names, codes))
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
    const { users, codes, favorites, report } = await planOf(ctx, bundle, (names, codes) => selectKnown(tx.sql, names, codes))
    if (users.length > 0) {
      await insertUsers(tx.sql, users, tx.now)
      // Names that people bring along stay, also when they look like others here.
      await noteLooks(tx)
      await bindCodes(tx.sql, codes)
      await insertFavorites(tx.sql, favorites, tx.now)
      await insertFollowers(
        tx.sql,
        users.flatMap(({ id, data }) => data.favoriteEvents.map((uid) => ({ accountId: id, uid }))),
        tx.now,
      )
    }
    // Slower than pictures are processed: other jobs must not wait behind thousands of these.
    let runAtMs = tx.now.getTime()
    for (const { id, data } of users) {
      if (data.userImage && isRestorable(ctx, bundle.images.get(data.userImage) ?? 0))
        tx.enqueue('bulk-user-image', { accountId: id, filename: data.userImage }, new Date((runAtMs += imageEveryMs)))
    }
    await audit(tx, { action: 'importUsers', subject: { type: 'userFile', id: 'all' }, details: report.userCounts })
    return { changesApplied: true, ...report }
  })
}

/** The uploaded file, with the users in it. */
interface Uploaded {
  understood: Understanding
  performers: number
  photographers: number
  images: BundleImages
}

async function uploadedBundle(node: Node): Promise<Uploaded> {
  const understood = new Understanding(decodeUser)
  const others = { performers: 0, needsPhotographer: 0 }
  try {
    const images = await readBundle(uploadedPath(node), (list, record) => {
      if (list === 'users') understood.take(record)
      else others[list]++
    })
    return { understood, performers: others.performers, photographers: others.needsPhotographer, images }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw badRequest('nothing_uploaded', 'No file of users was uploaded. Upload one first.')
    return refuseFault(error)
  }
}

const decodeUser = decoderOf(UserSaveRestoreData)

async function planOf(
  ctx: Ctx,
  { understood, images, ...others }: Uploaded,
  ask: (...about: [Set<string>, Set<string>]) => ReturnType<typeof selectKnown>,
): Promise<Plan> {
  const { usernames, codes } = mentioned(understood.users)
  const plan = planImport(understood, await ask(usernames, codes), {
    maxAlternateAccounts: settingsOf(ctx.node).values.maxAlternateAccounts,
    newId: () => ctx.node.random.uuid(),
  })
  const { faults, ...counts } = notTaken(others)
  const without = plan.users.filter(({ data: { userImage } }) => userImage && !isRestorable(ctx, images.get(userImage) ?? 0))
  const { report } = plan
  return {
    ...plan,
    report: {
      ...report,
      ...counts,
      otherErrors: [
        ...report.otherErrors,
        ...without.map(({ data }) => `${data.username}: the picture is missing or too large`),
        ...faults,
      ],
    },
  }
}

async function requireNoImagesWaiting(ctx: Ctx): Promise<void> {
  const { waiting } = await countJobs(ctx.sql, 'bulk-user-image')
  if (waiting > 0) throw conflict('import_running', `${waiting} pictures of the last import are still being processed. Try again later.`)
}

/** How far the pictures of the last import are. */
export async function usersImages(ctx: Ctx): Promise<BulkUserImagesData> {
  return await countJobs(ctx.sql, 'bulk-user-image')
}

/** The job that gives one imported user their picture. */
export async function importUserImage(tx: Tx<undefined>, { accountId, filename }: JobPayloads['bulk-user-image']): Promise<void> {
  const { ctx } = tx
  const content = await readImage(uploadedPath(ctx.node), filename, settingsOf(ctx.node).values.maxImageSize).catch((error: unknown) => {
    if (!(error instanceof BundleFault) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    ctx.log.warn({ err: error, accountId }, 'the picture of an imported user cannot be read any more')
    return undefined
  })
  const image = content && (await restoreAvatar(ctx, tx.sql, filename, content))
  const account = image && (await updateMissingImage(tx.sql, accountId, image))
  if (account) tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
}

declare module '../core/jobs/jobs.ts' {
  interface JobPayloads {
    'bulk-user-image': { accountId: string; filename: string }
  }
}
