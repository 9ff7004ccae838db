// Statements about registration codes.
import type { Sql } from '../core/db/db.ts'

/** How many codes there are, and how many belong to a person. */
export async function countCodes(sql: Sql): Promise<CodeCounts> {
  const [row] = await sql<[CodeCounts]>`
    select count(*) filter (where not for_chat_user)::int as allocated, count(person_id) filter (where not for_chat_user)::int as used,
      count(*) filter (where for_chat_user)::int as for_chat_users, count(chat_username)::int as given_to_chat_users,
      count(person_id) filter (where for_chat_user)::int as used_by_chat_users
    from registration_code`
  return row
}

export interface CodeCounts {
  allocated: number
  used: number
  forChatUsers: number
  givenToChatUsers: number
  usedByChatUsers: number
}

/** Notes that a free code for chat users was given to this one; undefined when none is left. */
export async function allocateCode(sql: Sql, chatUsername: string): Promise<string | undefined> {
  const [row] = await sql<{ code: string }[]>`
    update registration_code set chat_username = ${chatUsername}
    where code = (
      select code from registration_code where for_chat_user and chat_username is null and person_id is null
      order by code limit 1 for update skip locked)
    returning code`
  return row?.code
}

/** The person that a code belongs to, null while it is unused; undefined when there is no such code. */
export async function selectPersonWithCode(sql: Sql, code: string): Promise<string | null | undefined> {
  const [row] = await sql<{ personId: string | null }[]>`select person_id from registration_code where code = ${code}`
  return row?.personId
}

/** Lets the code of a person be used for a recovery again, after however many failures; false when they have none. */
export async function unlockCode(sql: Sql, personId: string): Promise<boolean> {
  const result = await sql`
    with unlocked as (update account set recovery_failures = 0 where person_id = ${personId} and recovery_failures > 0)
    update registration_code set used_for_recovery = false where person_id = ${personId}`
  return result.count > 0
}

/** The code of a person. */
export async function selectCodeOfPerson(sql: Sql, personId: string): Promise<CodeRow | undefined> {
  const [row] = await sql<CodeRow[]>`
    select code, for_chat_user, chat_username, used_for_recovery, account.created_at as person_created_at
    from registration_code code join account on account.id = code.person_id where code.person_id = ${personId}`
  return row
}

export interface CodeRow {
  code: string
  forChatUser: boolean
  chatUsername: string | null
  usedForRecovery: boolean
  personCreatedAt: Date
}

/** Those of these codes that are there. */
export async function selectKnownCodes(sql: Sql, codes: readonly string[]): Promise<string[]> {
  const rows = await sql<{ code: string }[]>`select code from registration_code where code = any(${codes as string[]})`
  return rows.map(({ code }) => code)
}

/** Adds codes; those that were not there before. */
export async function insertCodes(sql: Sql, codes: readonly string[], now: Date, forChatUsers = false): Promise<string[]> {
  const rows = await sql<{ code: string }[]>`
    insert into registration_code (code, for_chat_user, created_at)
    select unnest(${codes as string[]}::text[]), ${forChatUsers}, ${now} on conflict do nothing returning code`
  return rows.map(({ code }) => code)
}

/** Which codes are listed; absent means any. */
export interface CodeFilter {
  /** The beginning of a code, or a part of the name of its user. */
  search?: string | undefined
  used?: boolean | undefined
  forChatUsers?: boolean | undefined
}

export interface ListedCodeRow {
  code: string
  forChatUser: boolean
  chatUsername: string | null
  personId: string | null
  createdAt: Date
}

/** A page of codes, the newest first, and how many match. */
export async function selectCodes(
  sql: Sql,
  { search, used, forChatUsers }: CodeFilter,
  start: number,
  limit: number,
): Promise<{ total: number; rows: ListedCodeRow[] }> {
  const escaped = (search ?? '').replace(/[\\%_]/g, '\\$&').toLowerCase()
  const matches = sql`
    from registration_code as code left join account on account.id = code.person_id
    where ${used === undefined ? sql`true` : used ? sql`code.person_id is not null` : sql`code.person_id is null`}
      and ${forChatUsers === undefined ? sql`true` : sql`code.for_chat_user = ${forChatUsers}`}
      and ${
        search === undefined
          ? sql`true`
          : sql`(code.code like ${`${escaped.replaceAll(' ', '')}%`} or code.chat_username like ${`%${escaped}%`} or lower(account.user_search) like ${`%${escaped}%`})`
      }`
  const [[count], rows] = await Promise.all([
    sql<[{ total: number }]>`select count(*)::int as total ${matches}`,
    sql<ListedCodeRow[]>`
      select code.code, code.for_chat_user, code.chat_username, code.person_id, code.created_at
      ${matches} order by code.created_at desc, code.code limit ${limit} offset ${start}`,
  ])
  return { total: count.total, rows }
}

/** A page of the codes that nobody has used, in order. */
export async function selectUnusedCodes(sql: Sql, start: number, limit: number): Promise<string[]> {
  const rows = await sql<{ code: string }[]>`
    select code from registration_code where person_id is null and not for_chat_user order by code limit ${limit} offset ${start}`
  return rows.map(({ code }) => code)
}

/** Deletes those of these codes that nobody has used; all of them, but for those of chat users, without a list. */
export async function deleteUnusedCodes(sql: Sql, codes?: readonly string[]): Promise<number> {
  const wanted = codes ? sql`code = any(${codes as string[]})` : sql`not for_chat_user`
  const result = await sql`delete from registration_code where person_id is null and ${wanted}`
  return result.count
}
