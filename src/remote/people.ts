// People: found, promoted, their registration codes, and what the team has done.
import { ConfigError } from '../core/base/config.ts'
import type { Client } from '../sdk/client.ts'
import { pageOfCards } from './cards.ts'
import { done, limitOf, more, textOf, wordOf, type Given, type Outcome } from './command.ts'
import { shownTime } from './times.ts'

type UsersQuery = NonNullable<Parameters<Client['admin']['users']>[0]>

/** Found by words, level and role. */
export async function users(client: Client, given: Given): Promise<Outcome> {
  const [search, level, role] = [given.words.join(' '), textOf(given, 'level'), textOf(given, 'role')]
  // The server says which levels and roles there are.
  const query = { ...(search && { search }), ...(level && { level }), ...(role && { role }), ...limitOf(given) } as UsersQuery
  const raw = await client.admin.users(query)
  const rows = raw.users.map(({ header: { username, displayName }, accessLevel, roles, roomNumber, lastSeen }) => ({
    username,
    name: displayName,
    level: accessLevel,
    roles: roles.join(' '),
    room: roomNumber,
    seen: lastSeen === undefined ? 'never' : shownTime(lastSeen),
  }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

/** To a level, by name. */
export async function promote(client: Client, given: Given): Promise<Outcome> {
  const input = { user_id: wordOf(given) }
  const { moderatorPromote, serviceteamPromote, thoPromote, adminPromote } = client.admin
  const levels = { moderator: moderatorPromote, serviceteam: serviceteamPromote, tho: thoPromote, admin: adminPromote }
  const level = wordOf(given, 1)
  if (!Object.hasOwn(levels, level)) throw new ConfigError(`A level is one of ${Object.keys(levels).join(', ')}.`)
  await levels[level as keyof typeof levels](input)
  return done
}

/** Back to where everybody is. */
export async function demote(client: Client, given: Given): Promise<Outcome> {
  await client.admin.userDemote({ user_id: wordOf(given) })
  return done
}

/** Registration codes, and whose they are. */
export async function codes(client: Client, given: Given): Promise<Outcome> {
  const search = given.words.join(' ')
  const raw = await client.admin.regcodesList({
    ...(search && { search }),
    ...(given.options['free'] === true && { state: 'free' as const }),
    ...limitOf(given),
  })
  const rows = raw.codes.map(({ regCode, user, createdAt }) => ({ code: regCode, user: user?.username, made: shownTime(createdAt) }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

/** As many as are asked for. */
export async function makeCodes(client: Client, given: Given): Promise<Outcome> {
  const prefix = textOf(given, 'prefix')
  const raw = await client.admin.regcodesMake({ count: Number(wordOf(given)), ...(prefix !== undefined && { prefix }) })
  return { raw, lines: raw.codes }
}

const codesAtOnce = 5000

/** All that nobody has used, a line each; or a page with a card for each. */
export async function printCodes(client: Client, given: Given): Promise<Outcome> {
  const found: string[] = []
  for (;;) {
    const page = await client.admin.regcodesList({ state: 'free', kind: 'people', start: found.length, limit: codesAtOnce })
    found.push(...page.codes.map(({ regCode }) => regCode))
    if (page.codes.length > 0 && found.length < page.paginator.total) continue
    found.sort()
    const lines = given.options['cards'] === true ? pageOfCards(found, textOf(given, 'address') ?? forPhones(page.serverURL)) : found
    return { raw: { codes: found }, lines }
  }
}

/** @throws ConfigError for an address that only the machine of the server finds. */
function forPhones(serverURL: string): string {
  if (/^(localhost|127\.|\[::1\])/.test(new URL(serverURL).hostname))
    throw new ConfigError(`Phones do not find ${serverURL}, with which the server is configured. Say --address <address>.`)
  return serverURL
}

function auditFilter(given: Given): { actor?: string; action?: string; user?: string } {
  const [actor, action, user] = [textOf(given, 'who'), textOf(given, 'action'), textOf(given, 'about')]
  return { ...(actor && { actor }), ...(action && { action }), ...(user && { user }) }
}

/** What the team has done, newest first. */
export async function audit(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.audit({ ...auditFilter(given), ...limitOf(given) })
  const rows = raw.entries.map(({ createdAt, actor: by, action: what, subjectType, subjectID, user: whom, details }) => ({
    at: shownTime(createdAt),
    who: by.username,
    action: what,
    about: `${subjectType} ${subjectID}`,
    whom: whom?.username,
    details: details === '{}' ? '' : details,
  }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

/** All people, or those whom the words find, as a table for a spreadsheet (CSV). */
export async function exportPeople(client: Client, given: Given): Promise<Outcome> {
  const search = given.words.join(' ')
  return await tableFile(client.admin.usersCsv(search ? { search } : {}))
}

/** What the team has done, as a table for a spreadsheet (CSV). */
export async function exportAudit(client: Client, given: Given): Promise<Outcome> {
  return await tableFile(client.admin.auditCsv(auditFilter(given)))
}

async function tableFile(answer: Promise<Response>): Promise<Outcome> {
  const csv = await (await answer).text()
  return { raw: { csv }, lines: csv.trimEnd().split(/\r?\n/) }
}
