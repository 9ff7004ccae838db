// Statements of the doctor.
import postgres from 'postgres'
import { builtIn } from '../accounts/rows.ts'
import { connectSecondsOf } from '../core/db/connection.ts'
import type { Sql } from '../core/db/db.ts'
import { reach } from '../core/db/reach.ts'

export interface DatabaseState {
  version: number
  /** The extension that searches need is installed or can be. */
  hasTrigrams: boolean
  /** How far its clock is ahead of ours. */
  clockAheadMs: number
  /** Accounts that people can log in to, with the digests of their passwords; none before the first start. */
  accounts: { username: string; passwordHash: string }[]
  /** What the account of the team is called; undefined before the first start. */
  teamName: string | undefined
  /** False before the first start. */
  hasTables: boolean
}

/** Runs with one connection of its own. @throws when the database does not answer. */
export async function withDatabase<T>(url: string, connectTimeoutSeconds: number, run: (sql: Sql) => Promise<T>): Promise<T> {
  const connect_timeout = connectSecondsOf(url, connectTimeoutSeconds)
  const sql = postgres(url, { max: 1, connect_timeout, onnotice: () => undefined, transform: postgres.camel })
  try {
    await reach(sql, url)
    return await run(sql as unknown as Sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Whether it follows a primary. */
export async function selectIsStandby(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ isStandby: boolean }]>`select pg_is_in_recovery() as is_standby`
  return row.isStandby
}

/** `usernames` are those whose passwords may be known. */
export async function selectState(sql: Sql, usernames: readonly string[]): Promise<DatabaseState> {
  const [row] = await sql<[{ number: string; trigrams: boolean; now: Date; seeded: boolean }]>`
    select current_setting('server_version_num') as number, clock_timestamp() as now, to_regclass('account') is not null as seeded,
      exists (select from pg_available_extensions where name = 'pg_trgm') as trigrams`
  const asked = Date.now()
  return {
    version: Math.floor(Number(row.number) / 10_000),
    hasTrigrams: row.trigrams,
    clockAheadMs: row.now.getTime() - asked,
    accounts: row.seeded ? await selectDigests(sql, usernames) : [],
    teamName: row.seeded ? await selectTeamName(sql) : undefined,
    hasTables: row.seeded,
  }
}

/** What the account of the team is called. */
export async function selectTeamName(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ username: string }[]>`select username from account where id = ${builtIn.ServiceTeam}`
  return row?.username
}

/** Those of these accounts that people can log in to, with the digests of their passwords. */
export async function selectDigests(sql: Sql, usernames: readonly string[]): Promise<DatabaseState['accounts']> {
  return await sql<{ username: string; passwordHash: string }[]>`
    select username, password_hash from account where username = any(${usernames as string[]}) and level <> 'banned' order by username`
}
