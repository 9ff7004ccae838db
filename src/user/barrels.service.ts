// Barrels: lists of users or of words. Those that every account has can only be read here; they are
// changed where blocks, mutes and words are.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { isUuid } from '../core/schema/decode.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { blocked, type Viewer } from '../core/base/viewer.ts'
import { listBlocks, listMutes } from '../users/relations.service.ts'
import { visibleUser } from '../users/service.ts'
import {
  deleteBarrel,
  deleteBarrelUser,
  deleteBarrelWord,
  insertBarrel,
  insertBarrelUsers,
  insertBarrelWords,
  lockBarrel,
  selectBarrel,
  selectBarrels,
  selectBarrelUsers,
  selectBarrelWords,
  updateBarrelName,
  type BarrelRow,
} from './barrels.queries.ts'
import { builtInBarrelId, builtInBarrelOwner, builtInBarrels, builtInBarrelsOf, type BuiltInBarrel } from './barrels.ts'
import { fitsBarrel, type BarrelCreateData, type BarrelData, type BarrelListData } from './schemas.ts'
import { listWords } from './words.service.ts'

const missing = () => notAvailable('barrel')
const foreign = () => forbidden('not_owner', 'This barrel belongs to somebody else.')

/** The caller's barrels: built-in ones, word lists, user lists. */
export async function listBarrels(ctx: Ctx): Promise<BarrelListData[]> {
  const builtIn = builtInBarrelsOf(ctx.viewer).map((barrel) => ({ barrelID: builtInBarrelId(ctx.viewer.id, barrel), name: barrel.name }))
  return [...builtIn, ...(await selectBarrels(ctx.sql, ctx.viewer.id)).map(listData)]
}

/** The lists of users that the caller has made. */
export async function listUserBarrels(ctx: Ctx): Promise<BarrelListData[]> {
  return (await selectBarrels(ctx.sql, ctx.viewer.id)).filter(({ kind }) => kind === 'seamonkey').map(listData)
}

const listData = ({ id, name }: BarrelRow): BarrelListData => ({ barrelID: id, name })

/** One of the caller's barrels. */
export async function getBarrel(ctx: Ctx, barrelId: string): Promise<BarrelData> {
  const builtIn = ownBuiltIn(ctx.viewer, barrelId)
  if (builtIn) return await builtInData(ctx, builtIn)
  return await barrelData(ctx.viewer, ctx.sql, await requireOwn(ctx, await selectBarrel(ctx.sql, barrelId), barrelId))
}

function ownBuiltIn(viewer: Viewer, barrelId: string): BuiltInBarrel | undefined {
  return builtInBarrelsOf(viewer).find((barrel) => builtInBarrelId(viewer.id, barrel) === barrelId)
}

async function builtInData(ctx: Ctx, barrel: BuiltInBarrel): Promise<BarrelData> {
  const ofUsers = async (users: Promise<UserHeader[]>) => ({ seamonkeys: await users })
  const ofWords = async (list: 'alertword' | 'muteword') => ({ seamonkeys: [], stringList: (await listWords(ctx, list)).keywords })
  const contents = {
    blockedUsers: () => ofUsers(listBlocks(ctx)),
    mutedUsers: () => ofUsers(listMutes(ctx)),
    alertKeywords: () => ofWords('alertword'),
    mutedKeywords: () => ofWords('muteword'),
  }
  return { barrelID: builtInBarrelId(ctx.viewer.id, barrel), name: barrel.name, ...(await contents[barrel.kind]()) }
}

async function barrelData(viewer: Viewer, sql: Sql, { id, kind, name }: BarrelRow): Promise<BarrelData> {
  if (kind === 'userWords') return { barrelID: id, name, seamonkeys: [], stringList: await selectBarrelWords(sql, id) }
  const users = await selectBarrelUsers(sql, id)
  return { barrelID: id, name, seamonkeys: users.filter((user) => !blocked(viewer, user)).map(headerOf) }
}

async function requireOwn(ctx: Ctx, row: BarrelRow | undefined, barrelId: string): Promise<BarrelRow> {
  if (!row) throw (await isBuiltInOfOther(ctx, barrelId)) ? foreign() : missing()
  if (row.accountId !== ctx.viewer.id) throw foreign()
  return row
}

async function isBuiltInOfOther({ node: { accounts }, viewer }: Ctx, barrelId: string): Promise<boolean> {
  const candidates = builtInBarrels.map((barrel) => ({ barrel, owner: builtInBarrelOwner(barrelId, barrel) }))
  await accounts.load(candidates.map(({ owner }) => owner))
  return candidates.some(
    ({ barrel, owner }) =>
      accounts.has(owner) && builtInBarrelsOf(accounts.get(owner)).includes(barrel) && !blocked(viewer, accounts.get(owner)),
  )
}

/** Refuses what is not a list of users, whoever has made it. */
export async function requireUserList(ctx: Ctx, barrelId: string): Promise<void> {
  const row = await selectBarrel(ctx.sql, barrelId)
  if (!row) throw missing()
  if (row.kind !== 'seamonkey') throw badRequest('wrong_barrel', 'This barrel is not a list of users.')
}

/** Makes a word list when there are words, even none of them, and a user list otherwise. */
export async function createBarrel(ctx: Ctx, { name, uuidList = [], stringList }: BarrelCreateData): Promise<BarrelData> {
  const { accounts } = ctx.node
  await accounts.load(uuidList)
  const userIds = uuidList.filter((id) => accounts.has(id) && !blocked(ctx.viewer, accounts.get(id)))
  return await ctx.transaction(async (tx) => {
    const row: BarrelRow = { id: ctx.node.random.uuid(), accountId: ctx.viewer.id, kind: stringList ? 'userWords' : 'seamonkey', name }
    await insertBarrel(tx.sql, row, tx.now)
    if (stringList) await insertBarrelWords(tx.sql, row.id, stringList)
    else await insertBarrelUsers(tx.sql, row.id, userIds)
    return await barrelData(tx.viewer, tx.sql, row)
  })
}

/** Adds a user or a word; what is in it already changes nothing. */
export async function addToBarrel(ctx: Ctx, barrelId: string, item: string): Promise<BarrelData> {
  return await changeBarrel(ctx, barrelId, async (tx, { kind }) => {
    if (kind === 'userWords') {
      if (!fitsBarrel(item)) throw badRequest('text_too_long', 'This text is too long.')
      return await insertBarrelWords(tx.sql, barrelId, [item])
    }
    if (!isUuid(item)) throw badRequest('id_invalid', 'This must be the id of a user.')
    const { id } = await visibleUser(ctx, item.toLowerCase())
    await insertBarrelUsers(tx.sql, barrelId, [id])
  })
}

/** Removes a user or a word that is in it. */
export async function removeFromBarrel(ctx: Ctx, barrelId: string, item: string): Promise<BarrelData> {
  return await changeBarrel(ctx, barrelId, async (tx, { kind }) => {
    const removed =
      kind === 'userWords'
        ? await deleteBarrelWord(tx.sql, barrelId, item)
        : isUuid(item) && (await deleteBarrelUser(tx.sql, barrelId, item.toLowerCase()))
    if (!removed) throw badRequest('not_in_barrel', 'The barrel does not contain this.')
  })
}

/** Gives a barrel another name. */
export async function renameBarrel(ctx: Ctx, barrelId: string, name: string): Promise<BarrelData> {
  return await changeBarrel(ctx, barrelId, (tx) => updateBarrelName(tx.sql, barrelId, name))
}

async function changeBarrel(ctx: Ctx, barrelId: string, change: (tx: Tx, row: BarrelRow) => Promise<void>): Promise<BarrelData> {
  return await ctx.transaction(async (tx) => {
    const row = await lockChangeable(tx, barrelId)
    await change(tx, row)
    return await barrelData(tx.viewer, tx.sql, (await selectBarrel(tx.sql, barrelId)) ?? row)
  })
}

async function lockChangeable(tx: Tx, barrelId: string): Promise<BarrelRow> {
  if (ownBuiltIn(tx.viewer, barrelId)) throw badRequest('wrong_barrel', 'This barrel cannot be changed here.')
  return await requireOwn(tx.ctx, await lockBarrel(tx.sql, barrelId), barrelId)
}

/** Removes a barrel. */
export async function removeBarrel(ctx: Ctx, barrelId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockChangeable(tx, barrelId)
    await deleteBarrel(tx.sql, barrelId)
  })
}
