// Rows that go when they are old, where the host wants that: each kind is declared by the manifests of the features that have it.
import type { Sql } from '../core/db/db.ts'
import type { Tx } from '../core/work/ctx.ts'
import type { RetentionKind } from './retention-kinds.ts'
import type { ReportType } from './types.ts'

/** Something that grows old. */
export interface RetentionRule {
  /** What the host has set a time for; several rules may share one. */
  readonly kind: RetentionKind
  /** How many there are from before a moment. */
  readonly count: (sql: Sql, before: Date) => Promise<number>
  /** Removes at most so many of them; returns how many. */
  readonly remove: (tx: Tx<undefined>, before: Date, limit: number) => Promise<number>
}

declare module '../core/http/feature.ts' {
  interface Feature {
    readonly retention?: readonly RetentionRule[]
  }
}

type Condition = ReturnType<Sql>

interface OldRows {
  readonly kind: RetentionKind
  readonly table: string
  /** The type of its column `id`. */
  readonly key: 'int' | 'bigint' | 'uuid'
  /** Which of its rows are from before a moment. */
  readonly old: (sql: Sql, before: Date) => Condition
  /** Which of the old ones can go by now, where others of them have to go first. */
  readonly ready?: (sql: Sql) => Condition
  /** What they are about, with the column that names it: as long as a report on it is not closed they stay. */
  readonly about?: readonly [types: readonly ReportType[], column: string]
  /** How many go at once at most, where each costs much. */
  readonly atOnce?: number
  /** Tables whose rows go before them, with the columns that name one of these. */
  readonly first?: Readonly<Record<string, string>>
  /** Where the polls were asked that go with them. */
  readonly polls?: 'fez' | 'forum' | 'microblog'
}

/** A rule for rows that nothing in memory shows. */
export function oldRows({ kind, table, key, old, ready, about, atOnce = Infinity, first = {}, polls }: OldRows): RetentionRule {
  const gone = (sql: Sql, before: Date): Condition =>
    sql`(${old(sql, before)}) and ${about ? notUnderReport(sql, table, about) : sql`true`}`
  return {
    kind,
    async count(sql, before) {
      const [row] = await sql<[{ n: number }]>`select count(*)::int as n from ${sql(table)} where ${gone(sql, before)}`
      return row.n
    },
    async remove({ sql }, before, limit) {
      // Of several workers that remove at once each takes others.
      const rows = await sql<{ id: string }[]>`
        select id::text as id from ${sql(table)} where ${gone(sql, before)} and ${ready ? ready(sql) : sql`true`}
        limit ${Math.min(limit, atOnce)} for update skip locked`
      if (rows.length === 0) return 0
      const ids = sql`any (${rows.map(({ id }) => id)}::text[]::${sql.unsafe(key)}[])`
      for (const [other, column] of Object.entries(first)) await sql`delete from ${sql(other)} where ${sql(column)} = ${ids}`
      if (polls) await sql`delete from poll where place = ${polls} and post_id = ${ids}`
      await sql`delete from ${sql(table)} where id = ${ids}`
      return rows.length
    },
  }
}

const notUnderReport = (sql: Sql, table: string, [types, column]: readonly [readonly ReportType[], string]): Condition => sql`
  not exists (
    select from report where type = any (${types}::report_type[]) and reported_id = ${sql(`${table}.${column}`)}::text and not is_closed)`

/** Whether there is nothing left in something that was deleted. By two indexes: there is none for posts deleted and not. */
export const hasNoPosts = (sql: Sql, posts: string, column: string, id: string): Condition => sql`
  not exists (select from ${sql(posts)} where ${sql(column)} = ${sql(id)} and deleted_at is null)
  and not exists (select from ${sql(posts)} where ${sql(column)} = ${sql(id)} and deleted_at is not null)`

/** A rule for earlier versions of something, which a moderator looks at. */
export const oldVersions = (table: string, about: readonly [types: readonly ReportType[], column: string]): RetentionRule =>
  oldRows({ kind: 'versions', table, key: 'uuid', old: (sql, before) => sql`created_at < ${before}`, about })
