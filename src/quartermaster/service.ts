// The item board: what people have to lend or give, and what they need.
import { AppError, badRequest, notAvailable } from '../core/base/errors.ts'
import { hidesContentOf, isModerator, requireCreator } from '../core/base/viewer.ts'
import { pageOf } from '../core/http/paging.ts'
import { graphemes } from '../core/schema/decode.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { ImageUploadData } from '../image/schemas.ts'
import { archiveImages, holdImages, requireUploads, storeUpload } from '../image/service.ts'
import { sizesOf } from '../image/sizes.ts'
import { caseOf } from '../moderation/acts.service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { fileReport } from '../moderation/report.service.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, statusAfterChange, type SettableState } from '../moderation/types.ts'
import { requireMayModify } from '../post/rules.ts'
import { settingsOf } from '../settings/channel.ts'
import {
  insertItemEdit,
  insertItems,
  lockItem,
  selectItem,
  selectItemEdits,
  selectItems,
  selectItemsById,
  softDeleteItem,
  updateItem,
  updateItemState,
} from './queries.ts'
import type { ItemContent, ItemRow } from './rows.ts'
import {
  maxDescription,
  nameLength,
  type ItemQuery,
  type QuartermasterContentData,
  type QuartermasterCreateData,
  type QuartermasterData,
  type QuartermasterListData,
  type QuartermasterModerationData,
} from './schemas.ts'
import { itemData, itemEditData } from './views.ts'

const contentType = 'quartermasterItem'

/** Items whose owners the caller does not hide, last changed first. */
export async function listItems(ctx: Ctx, { category, search, mine, ...query }: ItemQuery): Promise<QuartermasterListData> {
  const page = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const words = search?.trim() || undefined
  const ownerId = mine ? ctx.viewer.id : undefined
  const { total, items } = await selectItems(
    ctx.sql,
    ctx.viewer.id,
    { category, words, ownerId, findsHidden: isModerator(ctx.viewer) },
    page,
  )
  return { paginator: { ...page, total }, items: await shown(ctx, items) }
}

/** Items as the caller sees them. */
async function shown(ctx: Ctx, rows: readonly ItemRow[]): Promise<QuartermasterData[]> {
  const { accounts } = ctx.node
  await accounts.load(new Set(rows.map(({ ownerId }) => ownerId)))
  return rows.map((row) => itemData(accounts, row, { owner: row.ownerId === ctx.viewer.id }))
}

/** One item. */
export async function getItem(ctx: Ctx, itemId: string): Promise<QuartermasterData> {
  const [data] = await shown(ctx, [await requireVisible(ctx, await selectItem(ctx.sql, itemId))])
  return data as QuartermasterData
}

/** An item that is there for the caller: not deleted, and of somebody whom they neither block nor mute. */
async function requireVisible<Row extends ItemRow & { deletedAt?: Date | null }>(ctx: Ctx, item: Row | undefined): Promise<Row> {
  const owner = item && (await ctx.node.accounts.find(item.ownerId))
  if (!item || item.deletedAt || !owner || (owner.id !== ctx.viewer.id && hidesContentOf(ctx.viewer, owner))) throw notAvailable('item')
  return item
}

/** Refuses what cannot be posted, whoever sends it; the reason names the number of the entry. */
export async function requireEntries(ctx: Ctx, { items }: QuartermasterCreateData): Promise<void> {
  for (const [index, { itemName, itemDescription, image }] of items.entries()) {
    const refuse = (reason: string) => badRequest('field_invalid', `Item ${index + 1}: ${reason}`)
    const length = graphemes(itemName, nameLength.max + 1)
    if (length < nameLength.min || length > nameLength.max)
      throw refuse(`itemName must have ${nameLength.min} to ${nameLength.max} characters`)
    if (itemDescription !== undefined && graphemes(itemDescription, maxDescription + 1) > maxDescription)
      throw refuse(`itemDescription must have at most ${maxDescription} characters`)
    if (!image) continue
    await requireUploads(ctx, [['image', image]]).catch((error: unknown) => {
      throw error instanceof AppError ? refuse(error.message) : error
    })
  }
}

/** Posts items, all or none. */
export async function createItems(
  ctx: Ctx,
  { category, location, hideOwnerName = false, items }: QuartermasterCreateData,
): Promise<QuartermasterData[]> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const uploads = items.flatMap(({ image }) => image ?? [])
  const stored: StoredPhoto[] = []
  // Those of a repetition were stored before.
  const isRepetition = await ctx.isRepetition()
  for (const { image } of items) stored.push(isRepetition ? noPhoto : await storedPhoto(ctx, image))
  const ids = await ctx.transaction(async (tx) => {
    await holdImages(tx, uploads)
    const rows = items.map(({ itemName, itemDescription }, index) => ({
      id: ctx.node.random.uuid(),
      ownerId: ctx.viewer.id,
      category,
      name: itemName,
      description: itemDescription ?? null,
      location: location ?? null,
      hidesOwner: hideOwnerName,
      ...(stored[index] as StoredPhoto),
      changedAt: tx.now,
    }))
    await insertItems(tx.sql, rows)
    return rows.map(({ id }) => id)
  })
  return await shown(ctx, await selectItemsById(ctx.sql, ids))
}

type StoredPhoto = Pick<ItemRow, 'image' | 'imageSizes'>
const noPhoto: StoredPhoto = { image: null, imageSizes: null }

async function storedPhoto(ctx: Ctx, upload: ImageUploadData | undefined): Promise<StoredPhoto> {
  const image = upload && (await storeUpload(ctx, upload, 'content'))
  return image ? { image: image.name, imageSizes: sizesOf([image.size]) } : noPhoto
}

/** Refuses a photo that cannot be taken, whoever sends it. */
export async function requirePhoto(ctx: Ctx, { image }: QuartermasterContentData): Promise<void> {
  if (image) await requireUploads(ctx, [['image', image]])
}

/** Puts something else in the place of an item, by its owner or a moderator. The answer shows whose it is. */
export async function changeItem(ctx: Ctx, itemId: string, data: QuartermasterContentData): Promise<QuartermasterData> {
  const mayModify = ({ ownerId, moderationStatus }: ItemRow) =>
    requireMayModify(ctx.viewer, { authorId: ownerId, status: moderationStatus }, ctx.nowMs)
  // No work is spent on a photo of what could not be changed anyway.
  mayModify(await requireVisible(ctx, await selectItem(ctx.sql, itemId)))
  const photo = await storedPhoto(ctx, data.image)
  const { before, after } = await ctx.transaction(async (tx) => {
    const before = await requireVisible(ctx, await lockItem(tx.sql, itemId))
    mayModify(before)
    await holdImages(tx, data.image ? [data.image] : [])
    const content = {
      name: data.itemName,
      description: data.itemDescription ?? null,
      location: data.location ?? null,
      hidesOwner: data.hideOwnerName ?? false,
      ...photo,
    }
    const saysElse = !isSameContent(before, content)
    if (!saysElse && data.category === before.category) return { before, after: before }
    const moderationStatus = statusAfterChange(before.moderationStatus, before.ownerId === ctx.viewer.id)
    const after: ItemRow = { ...before, ...content, category: data.category, moderationStatus, changedAt: tx.now }
    await updateItem(tx.sql, after)
    if (saysElse) {
      await insertItemEdit(tx.sql, { id: ctx.node.random.uuid(), itemId, editorId: ctx.viewer.id, before, now: tx.now })
      await logModeratorAction(tx, { action: 'edit', contentType, contentId: itemId, ownerId: before.ownerId })
    }
    return { before, after }
  })
  if (before.image !== null && before.image !== after.image) await archiveImages(ctx, [before.image])
  await ctx.node.accounts.load([after.ownerId])
  return itemData(ctx.node.accounts, after, { owner: true })
}

const isSameContent = (a: ItemContent, b: ItemContent): boolean =>
  (['name', 'description', 'location', 'hidesOwner', 'image'] as const).every((key) => a[key] === b[key])

/** Takes an item off the board, by its owner or a moderator. */
export async function removeItem(ctx: Ctx, itemId: string): Promise<void> {
  const { image } = await ctx.transaction(async (tx) => {
    const item = await requireVisible(ctx, await lockItem(tx.sql, itemId))
    requireMayModify(ctx.viewer, { authorId: item.ownerId, status: item.moderationStatus }, ctx.nowMs)
    await softDeleteItem(tx.sql, itemId, tx.now)
    await logModeratorAction(tx, { action: 'delete', contentType, contentId: itemId, ownerId: item.ownerId })
    return { image: item.image }
  })
  if (image !== null) await archiveImages(ctx, [image])
}

/** Reports an item to the moderators; however many do, it stays until one of them has looked. */
export async function reportItem(ctx: Ctx, itemId: string, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { ownerId } = await requireVisible(ctx, await lockItem(tx.sql, itemId))
    await fileReport(tx, { type: contentType, reportedId: itemId, reportedUserId: ownerId, message })
  })
}

/** An item with nothing hidden, deleted or not, what it was before, and its reports. */
export async function getItemModeration(ctx: Ctx, itemId: string): Promise<QuartermasterModerationData> {
  const { accounts } = ctx.node
  const row = await selectItem(ctx.sql, itemId)
  if (!row) throw notAvailable('item')
  const edits = await selectItemEdits(ctx.sql, itemId)
  await accounts.load(new Set([row.ownerId, ...edits.map(({ editorId }) => editorId)]))
  return {
    item: itemData(accounts, row, { owner: true, hidden: true }),
    isDeleted: row.deletedAt !== null,
    edits: edits.map((edit) => itemEditData(accounts, itemId, edit)),
    ...(await caseOf(ctx, [contentType], itemId, row.moderationStatus)),
  }
}

/** Sets the state of an item. */
export async function setItemState(ctx: Ctx, itemId: string, state: SettableState, basedOn?: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const item = await lockItem(tx.sql, itemId)
    if (!item) throw notAvailable('item')
    await updateItemState(tx.sql, itemId, settableStates[state].status)
    await recordState(tx, { contentType, contentId: itemId, ownerId: item.ownerId, before: item.moderationStatus, state, basedOn })
  })
}
