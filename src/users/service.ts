// Looking other users up: headers and searches.
import { type AccountRecord } from '../accounts/accounts.ts'
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx, Node, Tx } from '../core/work/ctx.ts'
import { graphemes, isUuid } from '../core/schema/decode.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { blocked, isModerator, type Viewer } from '../core/base/viewer.ts'
import { isPartOfTeamName } from '../text/dialect.ts'
import { completeLooks, selectAccountByName, selectByAnyName, selectUpdatedSince, selectUsernames, selectUserSearches } from './queries.ts'
import type { UserMatchData, UserSearch } from './schemas.ts'

/** A user that exists and is not hidden from the caller by a block. */
export async function visibleUser(ctx: Ctx, accountId: string): Promise<AccountRecord> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account || blocked(ctx.viewer, account)) throw notAvailable('user')
  return account
}

/** The header of a visible user. */
export async function getHeader(ctx: Ctx, accountId: string): Promise<UserHeader> {
  return (await visibleUser(ctx, accountId)).header
}

/** The account with this name, whatever its case and whoever hides it. */
export async function accountNamed(node: Node, username: string): Promise<AccountRecord | undefined> {
  const row = await selectAccountByName(node.db.sql, username)
  return row && node.accounts.put(row)
}

/**
 * The id of the account that somebody of the team names, by its id or as it is called, with or without an `@`. An id is
 * never taken for a name: else somebody could call themselves by another's id.
 */
export async function accountIdOf({ node }: Ctx, nameOrId: string): Promise<string> {
  if (isUuid(nameOrId)) return nameOrId.toLowerCase()
  const account = await accountNamed(node, nameOrId.replace(/^@/, ''))
  if (!account) throw notAvailable('user')
  return account.id
}

/** A user by name, unless a block hides them from the caller. */
export async function visibleUserNamed(ctx: Ctx, username: string): Promise<AccountRecord> {
  const account = await accountNamed(ctx.node, username)
  if (!account || blocked(ctx.viewer, account)) throw badRequest('user_unknown', 'No user has this name.')
  return account
}

/** The header of the user with this name or, failing that, this id. */
export async function findUser(ctx: Ctx, nameOrId: string): Promise<UserHeader> {
  const named = await accountNamed(ctx.node, nameOrId)
  if (named && !blocked(ctx.viewer, named)) return named.header
  if (named || !isUuid(nameOrId)) throw notAvailable('user')
  return await getHeader(ctx, nameOrId.toLowerCase())
}

const maxMatches = 10

interface NameQuery {
  favorers?: boolean
  /** True: no accounts that are nobody's own. */
  people?: boolean
  sort?: 'favorites'
}

/** The first users with a text in one of their names; `favorers`: among those who have favorited the caller. */
export async function matchAllNames(
  ctx: Ctx,
  text: string,
  { favorers = false, people = false, sort }: NameQuery,
): Promise<UserMatchData[]> {
  const wanted = text.trim()
  if (wanted === '@' || wanted === '(@') throw forbidden('search_too_wide', 'This text matches every user. Type more of the name.')
  requireLongEnough(wanted)
  const rows = await selectByAnyName(ctx.sql, wanted, {
    hiddenPersons: hiddenPersons(ctx.viewer),
    favoriteOf: favorers ? ctx.viewer.id : undefined,
    favoritesFirst: sort === 'favorites' ? ctx.viewer.id : undefined,
    teamToo: isPartOfTeamName(wanted),
    onlyPeople: people,
    hiddenToo: isModerator(ctx.viewer),
    limit: maxMatches,
  })
  return rows.map((row) => ({ ...headerOf(row), userSearch: row.userSearch }))
}

/** All usernames with a text in them, each with an @ before it. */
export async function matchUsername(ctx: Ctx, text: string): Promise<string[]> {
  const wanted = text.trim()
  requireLongEnough(wanted)
  return (await selectUsernames(ctx.sql, wanted, hiddenPersons(ctx.viewer), isPartOfTeamName(wanted))).map((username) => `@${username}`)
}

/** Users whose profile has changed since then, as far as `viewer` may see them. */
export async function listUpdatedSince(node: Node, viewer: Viewer, since: Date): Promise<UserHeader[]> {
  return (await selectUpdatedSince(node.db.sql, since, hiddenPersons(viewer))).map(headerOf)
}

/** The names of all users that `viewer` may see. */
export async function listUserSearches(node: Node, viewer: Viewer): Promise<UserSearch[]> {
  const rows = await selectUserSearches(node.db.sql, { hiddenPersons: hiddenPersons(viewer), hiddenToo: isModerator(viewer) })
  return rows.map(({ id, userSearch }) => ({ userID: id, userSearch }))
}

function requireLongEnough(text: string): void {
  if (graphemes(text) < 2) throw badRequest('search_too_short', 'The text to search for must have at least 2 characters.')
}

/** Accounts that lists leave out, except those of moderators. */
function hiddenPersons(viewer: Viewer): string[] {
  return isModerator(viewer) ? [] : [...viewer.blockedPersons]
}

/** Notes how the names look of accounts that were not made one by one. */
export async function noteLooks(tx: Tx): Promise<void> {
  await completeLooks(tx.sql)
}
