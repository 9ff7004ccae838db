// What a database has: its objects with their definitions, and digests of its rows.
import type { Sql } from '../core/db/db.ts'

export const objectKinds = [
  'table',
  'column',
  'constraint',
  'index',
  'trigger',
  'rule',
  'policy',
  'function',
  'type',
  'extension',
  'sequence',
  'setting',
] as const
export type ObjectKind = (typeof objectKinds)[number]

/** An object of a database. */
export interface ObjectRow {
  kind: ObjectKind
  name: string
  /** The table that it belongs to; null for what stands by itself. */
  table: string | null
  /** As Postgres writes it. Of an enum its labels, one in each line. */
  definition: string
  /** Columns that it is about; null where it is about none, or about an expression. */
  columns: string[] | null
  /** A column that Postgres makes of others. */
  derived: boolean
  /** Rows are refused that have nothing for this column, or break this constraint or index. */
  refuses: boolean
}

/** All objects of the product's schema but those of extensions. */
export async function selectObjects(sql: Sql): Promise<ObjectRow[]> {
  return await sql<ObjectRow[]>`
    with relation as (select * from pg_class where relnamespace = 'public'::regnamespace),
    attribute as (
      select relation.relname, attribute.*, pg_get_expr(adbin, adrelid) as default_expression from relation
        join pg_attribute attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relkind in ('r', 'p', 'v', 'm'))
    select 'table' as kind, relname::text as name, relname::text as table, null::text[] as columns, false as derived, false as refuses,
      concat_ws(' ', relkind, relpersistence, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner), relacl::text, reloptions::text) as definition
      from relation where relkind in ('r', 'p', 'v', 'm')
    union all
    select 'column', relname || '.' || attname, relname, array[attname::text], attgenerated <> '',
      attnotnull and default_expression is null and attidentity = '' and attgenerated = '',
      concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, default_expression,
        case when attcollation <> 0 then (select collname from pg_collation where oid = attcollation) end, attidentity, attgenerated, attacl::text)
      from attribute
    union all
    select 'constraint', conname, relname,
      (select array_agg(attname::text) from pg_attribute where attrelid = conrelid and attnum = any(conkey)), false, contype <> 'n',
      pg_get_constraintdef(pg_constraint.oid)
      from pg_constraint join relation on relation.oid = conrelid
    union all
    select 'index', relation.relname, owner.relname,
      case when 0 = any(indkey::smallint[]) then null
        else (select array_agg(attname::text) from pg_attribute where attrelid = indrelid and attnum = any(indkey::smallint[])) end,
      false, indisunique, concat_ws(' ', pg_get_indexdef(indexrelid), case when not indisvalid then 'invalid' end)
      from pg_index join relation on relation.oid = indexrelid join pg_class owner on owner.oid = indrelid
    union all
    select 'trigger', tgname, relname, null, false, true, concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
      from pg_trigger join relation on relation.oid = tgrelid where not tgisinternal
    union all
    select 'rule', rulename, tablename, null, false, true, definition from pg_rules where schemaname = 'public'
    union all
    select 'policy', policyname, tablename, null, false, true, concat_ws(' ', cmd, roles::text, qual, with_check) from pg_policies where schemaname = 'public'
    union all
    select 'function', proname, null, null, false, false, pg_get_functiondef(pg_proc.oid)
      from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select 'type', typname, null, null, false, false,
      (select string_agg(enumlabel, e'\n' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid)
      from pg_type where typnamespace = 'public'::regnamespace and typtype = 'e'
    union all
    select 'extension', extname, null, null, false, false, extversion from pg_extension
    union all
    select 'sequence', sequencename, null, null, false, false,
      concat_ws(' ', data_type::text, start_value, min_value, max_value, increment_by, cycle, last_value)
      from pg_sequences where schemaname = 'public'
    union all
    select 'setting', coalesce(nullif(setrole, 0)::regrole::text, 'database'), null, null, false, false, setconfig::text
      from pg_db_role_setting where setdatabase in (0, (select oid from pg_database where datname = current_database()))`
}

/** How many rows a table has, and of each column a digest of what stands in which row. */
export interface Content {
  rows: string
  /** In the order of the columns. */
  digests: (string | null)[]
}

/** `key`: the columns that a row is known by; their values tie those of the others to their row. */
export async function selectContent(sql: Sql, table: string, columns: readonly string[], key: readonly string[]): Promise<Content> {
  const row = key.length === 0 ? sql`''` : sql`concat_ws(${'\u0001'}, ${sql(key)})`
  const digest = (column: string) => sql`sum(hashtextextended(concat_ws(${'\u0002'}, ${row}, ${sql(column)}::text), 0) >> 20)::text`
  const digests = columns.map((column, index) => sql`${index === 0 ? sql`` : sql`, `}${digest(column)}`)
  const [content] = await sql<[Content]>`select count(*)::text as rows, array[${digests}]::text[] as digests from ${sql(table)}`
  return content
}
