// Rows that go when they are old: what the manifests of features declare, and how it is counted and removed.
import type { Sql } from '../db/db.ts'
import type { Tx } from './ctx.ts'

/** A part of a statement that is true or false of a row. */
export type Condition = ReturnType<Sql>

/** What rows of a table are about. */
export interface About {
  readonly types: readonly string[]
  /** With its table: the column that names it. */
  readonly column: string
}

/** Whether a row may go, given what it is about. */
export type Guard = (sql: Sql, about: About) => Condition

/** Something that grows old. */
export interface OldRowsRule {
  /** What the host has set a time for; several rules may share one. */
  readonly kind: string
  /** How many there are from before a moment. */
  readonly count: (sql: Sql, before: Date, guard: Guard) => Promise<number>
  /** Removes at most so many of them; returns how many. */
  readonly remove: (tx: Tx<undefined>, before: Date, limit: number, guard: Guard) => Promise<number>
}

/** Rows of another table: by the column that names one of these, and where it takes more than that, by what else they are. */
type Others = string | { readonly column: string; readonly where: readonly [column: string, value: string] }

interface OldRows {
  readonly kind: string
  readonly table: string
  /** The type of its column `id`. */
  readonly key: 'int' | 'bigint' | 'uuid'
  /** Which of its rows are from before a moment; absent: those that were deleted before it. */
  readonly old?: (sql: Sql, before: Date) => Condition
  /** Which of the old ones can go by now, where others of them have to go first. */
  readonly ready?: (sql: Sql) => Condition
  /** Absent: nothing holds them. */
  readonly about?: readonly [types: readonly string[], column: string]
  /** How many go at once at most, where each costs much. */
  readonly atOnce?: number
  /** Tables whose rows go before them. */
  readonly first?: Readonly<Record<string, Others>>
}

const deletedBefore = (sql: Sql, before: Date): Condition => sql`deleted_at < ${before}`

/** A rule for rows that nothing in memory shows. */
export function oldRows({ kind, table, key, old = deletedBefore, ready, about, atOnce = Infinity, first = {} }: OldRows): OldRowsRule {
  const gone = (sql: Sql, before: Date, guard: Guard): Condition =>
    sql`(${old(sql, before)}) and ${about ? guard(sql, { types: about[0], column: `${table}.${about[1]}` }) : sql`true`}`
  return {
    kind,
    async count(sql, before, guard) {
      const [row] = await sql<[{ n: number }]>`select count(*)::int as n from ${sql(table)} where ${gone(sql, before, guard)}`
      return row.n
    },
    async remove({ sql }, before, limit, guard) {
      // Of several workers that remove at once each takes others.
      const rows = await sql<{ id: string }[]>`
        select id::text as id from ${sql(table)} where ${gone(sql, before, guard)} and ${ready ? ready(sql) : sql`true`}
        limit ${Math.min(limit, atOnce)} for update skip locked`
      if (rows.length === 0) return 0
      const ids = sql`any (${rows.map(({ id }) => id)}::text[]::${sql.unsafe(key)}[])`
      for (const [other, of] of Object.entries(first)) {
        const { column, where } = typeof of === 'string' ? { column: of } : of
        await sql`delete from ${sql(other)} where ${sql(column)} = ${ids} and ${where ? sql`${sql(where[0])} = ${where[1]}` : sql`true`}`
      }
      await sql`delete from ${sql(table)} where id = ${ids}`
      return rows.length
    },
  }
}

/** Whether nothing is left in something that was deleted. By two indexes: there is none for rows deleted and not. */
export const isEmpty = (sql: Sql, rows: string, column: string, id: string): Condition => sql`
  not exists (select from ${sql(rows)} where ${sql(column)} = ${sql(id)} and deleted_at is null)
  and not exists (select from ${sql(rows)} where ${sql(column)} = ${sql(id)} and deleted_at is not null)`

/** A rule for earlier versions of something. */
export const oldVersions = (table: string, about: OldRows['about']): OldRowsRule =>
  oldRows({ kind: 'versions', table, key: 'uuid', old: (sql, before) => sql`created_at < ${before}`, ...(about && { about }) })
