// Registration codes: which are used, and by whom.
import { randomInt } from 'node:crypto'
import { looksLikeCode, normalizeCode } from '../auth/codes.ts'
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { emptyCodeForNone } from '../text/dialect.ts'
import { audit, auditLook } from '../moderation/audit.service.ts'
import { isAbove, personOf } from '../users/levels.service.ts'
import {
  allocateCode,
  countCodes,
  deleteUnusedCodes,
  insertCodes,
  selectCodes,
  selectCodeOfPerson,
  selectKnownCodes,
  selectPersonWithCode,
  selectUnusedCodes,
  unlockCode,
  type CodeRow,
} from './queries.ts'
import type {
  CodeListData,
  CodeListQuery,
  CodesDeletedData,
  CodesDeletionData,
  CodesDifferenceData,
  CodesOrderData,
  NewCodesData,
  RegistrationCodeStatsData,
  RegistrationCodeUserData,
  UnusedCodesData,
} from './schemas.ts'

/** Numbers of codes. */
export async function codeStats(ctx: Ctx): Promise<RegistrationCodeStatsData> {
  const { allocated, used, forChatUsers, givenToChatUsers, usedByChatUsers } = await countCodes(ctx.sql)
  return {
    allocatedCodes: allocated,
    usedCodes: used,
    unusedCodes: allocated - used,
    adminCodes: 0,
    allocatedDiscordCodes: forChatUsers,
    assignedDiscordCodes: givenToChatUsers,
    usedDiscordCodes: usedByChatUsers,
  }
}

/** The accounts of the person with a code, primary one first; none while it is unused. */
export async function usersWithCode(ctx: Ctx, typed: string): Promise<UserHeader[]> {
  const code = normalizeCode(typed)
  if (!looksLikeCode(code)) throw badRequest('code_invalid', 'A registration code has 6 letters and digits.')
  const personId = await selectPersonWithCode(ctx.sql, code)
  if (personId === undefined) throw badRequest('code_unknown', 'This registration code does not exist.')
  if (personId === null) return []
  await auditLook(ctx, { action: 'findUsername', subject: { type: 'user', id: personId }, userId: personId })
  return headersOf(await personOf(ctx, personId))
}

/** The code of the person that an account belongs to, unless that person is above the caller: each look is in the audit trail. */
export async function codeOfUser(ctx: Ctx, accountId: string): Promise<RegistrationCodeUserData> {
  const { person, row } = await codeBelow(ctx, accountId)
  if (!row && !emptyCodeForNone(ctx.node.config)) throw badRequest('code_unknown', 'This user has no registration code.')
  if (row) await auditLook(ctx, { action: 'readCode', subject: { type: 'user', id: accountId }, userId: person.primary.id })
  return codeData(person, row)
}

const codeData = (person: Person, row: CodeRow | undefined): RegistrationCodeUserData => ({
  users: headersOf(person),
  regCode: row?.code ?? '',
  isForDiscordUser: row?.forChatUser ?? false,
  ...(row?.chatUsername ? { discordUsername: row.chatUsername } : {}),
  hasUsedRegCodeForPasswordRecovery: row?.usedForRecovery ?? false,
  ...(row ? { accountCreatedAt: row.personCreatedAt } : {}),
})

/** Gives a free code to a user of the outside chat. */
export async function allocateChatCode(ctx: Ctx, username: string): Promise<RegistrationCodeUserData> {
  if (!/^[a-z0-9._]{1,64}$/.test(username)) throw badRequest('name_invalid', 'A name in the chat has only a-z, 0-9, dots and underscores.')
  const { code } = await ctx.transaction(async (tx) => {
    const allocated = await allocateCode(tx.sql, username)
    if (allocated === undefined) throw badRequest('code_unknown', 'No code for users of the chat is left.')
    await audit(tx, { action: 'allocateCode', subject: { type: 'registrationCode', id: username } })
    return { code: allocated }
  })
  return { users: [], regCode: code, isForDiscordUser: true, discordUsername: username, hasUsedRegCodeForPasswordRecovery: false }
}

/** Lets the code of a person be used for a recovery once more, unless that person is above the caller: the caller sees it. */
export async function unlockCodeOf(ctx: Ctx, accountId: string): Promise<RegistrationCodeUserData> {
  const { person, row } = await codeBelow(ctx, accountId)
  const personId = person.primary.id
  await ctx.transaction(async (tx) => {
    if (!(await unlockCode(tx.sql, personId))) throw badRequest('code_unknown', 'This user has no registration code.')
    await audit(tx, { action: 'unlockCode', subject: { type: 'user', id: accountId }, userId: personId })
  })
  return codeData(person, row && { ...row, usedForRecovery: false })
}

type Person = Awaited<ReturnType<typeof personOf>>

const headersOf = ({ primary, subAccounts }: Person): UserHeader[] => [primary, ...subAccounts].map(headerOf)

/**
 * The person that an account belongs to, and their code. @throws AppError 403 when the person is above the caller: with a code
 * one gets far.
 */
async function codeBelow(ctx: Ctx, accountId: string): Promise<{ person: Person; row: CodeRow | undefined }> {
  const person = await personOf(ctx, accountId)
  const row = await selectCodeOfPerson(ctx.sql, person.primary.id)
  if (row && isAbove(ctx.viewer, [person.primary, ...person.subAccounts]))
    throw forbidden('level_too_low', 'An account of this person has a higher level than yours: their registration code is not for you.')
  return { person, row }
}

const shownWrongLines = 20
const longestPage = 5000

/** What a list of codes would add; nothing is stored. */
export async function compareCodes(ctx: Ctx, text: string): Promise<CodesDifferenceData> {
  const { codes, wrong } = readCodeList(text)
  const known = await selectKnownCodes(ctx.sql, codes)
  return {
    newCodes: codes.length - known.length,
    knownCodes: known.length,
    wrongLines: wrong.slice(0, shownWrongLines),
    wrongCount: wrong.length,
  }
}

/** Adds the codes of a list. One with a wrong line is refused whole. */
export async function addCodes(ctx: Ctx, text: string): Promise<CodesDifferenceData> {
  const codes = wholeList(text, 'added')
  return await ctx.transaction(async (tx) => {
    const { length: added } = await insertCodes(tx.sql, codes, tx.now)
    await audit(tx, { action: 'uploadCodes', subject: { type: 'registrationCode', id: 'all' }, details: { added } })
    return { newCodes: added, knownCodes: codes.length - added, wrongLines: [], wrongCount: 0 }
  })
}

/** Neither letters nor digits that look like others. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 6

function randomCode(prefix: string): string {
  return prefix + Array.from({ length: codeLength - prefix.length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Makes codes that there are not yet, in order. */
export async function makeCodes(ctx: Ctx, { count, prefix = '', forDiscordUsers = false }: CodesOrderData): Promise<NewCodesData> {
  const beginning = normalizeCode(prefix)
  return await ctx.transaction(async (tx) => {
    const made = new Set<string>()
    // With two letters given, four are left: of 923,521 codes some may be there already.
    for (let tries = 0; made.size < count; tries++) {
      if (tries === 20)
        throw badRequest('codes_exhausted', 'There are hardly any codes left that begin like this. Choose another beginning.')
      const wanted = Array.from({ length: count - made.size }, () => randomCode(beginning))
      for (const code of await insertCodes(tx.sql, [...new Set(wanted)], tx.now, forDiscordUsers)) made.add(code)
    }
    await audit(tx, { action: 'makeCodes', subject: { type: 'registrationCode', id: 'all' }, details: { made: count } })
    return { codes: [...made].toSorted(), serverURL: ctx.node.config.externalUrl }
  })
}

/** A page of codes and whose they are: each look is in the audit trail. */
export async function listCodes(ctx: Ctx, { search, state, kind, ...page }: CodeListQuery): Promise<CodeListData> {
  const { start, limit } = pageOf(page, longestPage, 50)
  const { total, rows } = await selectCodes(
    ctx.sql,
    {
      search: search === undefined || search.trim() === '' ? undefined : search.trim(),
      used: state && state === 'used',
      forChatUsers: kind && kind === 'discord',
    },
    start,
    limit,
  )
  const { accounts, config } = ctx.node
  await accounts.load(new Set(rows.flatMap(({ personId }) => personId ?? [])))
  await auditLook(ctx, { action: 'readCode', subject: { type: 'registrationCode', id: 'all' }, details: { codes: rows.length } })
  return {
    codes: rows.map(({ code, forChatUser, chatUsername, personId, createdAt }) => ({
      regCode: code,
      isForDiscordUser: forChatUser,
      ...(chatUsername ? { discordUsername: chatUsername } : {}),
      ...(personId ? { user: accounts.get(personId).header } : {}),
      createdAt,
    })),
    paginator: { total, start, limit },
    serverURL: config.externalUrl,
  }
}

/** Deletes codes that nobody has used. A list with a wrong line is refused whole. */
export async function deleteCodes(ctx: Ctx, { codes: text }: CodesDeletionData): Promise<CodesDeletedData> {
  const codes = text === undefined ? undefined : wholeList(text, 'deleted')
  return await ctx.transaction(async (tx) => {
    const deleted = await deleteUnusedCodes(tx.sql, codes)
    const used = codes ? (await selectKnownCodes(tx.sql, codes)).length : (await countCodes(tx.sql)).used
    await audit(tx, { action: 'deleteCodes', subject: { type: 'registrationCode', id: 'all' }, details: { deleted } })
    return { deleted, used, unknown: codes ? codes.length - deleted - used : 0 }
  })
}

function wholeList(text: string, deed: 'added' | 'deleted'): string[] {
  const { codes, wrong } = readCodeList(text)
  if (wrong.length > 0) throw badRequest('file_invalid', `Line ${wrong[0]} is no code: six letters and digits. Nothing was ${deed}.`)
  return codes
}

function readCodeList(text: string): { codes: string[]; wrong: number[] } {
  const codes = new Set<string>()
  const wrong: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const code = normalizeCode(line)
    if (code === '') continue
    if (looksLikeCode(code)) codes.add(code)
    else wrong.push(index + 1)
  }
  return { codes: [...codes], wrong }
}

/** A page of the codes that nobody has used, to be printed. */
export async function unusedCodes(ctx: Ctx, query: { start?: number; limit?: number }): Promise<UnusedCodesData> {
  const { start, limit } = pageOf(query, longestPage, 500)
  const [{ allocated, used }, codes] = await Promise.all([countCodes(ctx.sql), selectUnusedCodes(ctx.sql, start, limit)])
  await auditLook(ctx, { action: 'readCode', subject: { type: 'registrationCode', id: 'unused' }, details: { codes: codes.length } })
  return { codes, paginator: { total: allocated - used, start, limit } }
}
