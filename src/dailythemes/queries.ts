// Statements about daily themes.
import type { Sql } from '../core/db/db.ts'
import type { Sizes } from '../image/sizes.ts'

export interface DailyThemeRow {
  id: string
  title: string
  info: string
  image: string | null
  imageSizes: Sizes
  cruiseDay: number
  updatedAt: Date
}

/** All themes in order of days. */
export async function selectDailyThemes(sql: Sql): Promise<DailyThemeRow[]> {
  return await sql<DailyThemeRow[]>`select id, title, info, image, image_sizes, cruise_day, updated_at from daily_theme order by cruise_day`
}

export async function insertDailyTheme(
  sql: Sql,
  { id, title, info, image, imageSizes, cruiseDay, updatedAt }: DailyThemeRow,
): Promise<void> {
  await sql`
    insert into daily_theme (id, title, info, image, image_sizes, cruise_day, updated_at)
    values (${id}, ${title}, ${info}, ${image}, ${imageSizes}::int[], ${cruiseDay}, ${updatedAt})`
}

/** Locks a theme. */
export async function lockDailyTheme(sql: Sql, id: string): Promise<DailyThemeRow | undefined> {
  const [row] = await sql<
    DailyThemeRow[]
  >`select id, title, info, image, image_sizes, cruise_day, updated_at from daily_theme where id = ${id} for update`
  return row
}

/** Replaces a theme. */
export async function updateDailyTheme(
  sql: Sql,
  { id, title, info, image, imageSizes, cruiseDay, updatedAt }: DailyThemeRow,
): Promise<void> {
  await sql`
    update daily_theme set title = ${title}, info = ${info}, image = ${image}, image_sizes = ${imageSizes}::int[], cruise_day = ${cruiseDay},
      updated_at = ${updatedAt}
    where id = ${id}`
}

export async function deleteDailyTheme(sql: Sql, id: string): Promise<void> {
  await sql`delete from daily_theme where id = ${id}`
}

/** Locks the themes of these days. */
export async function lockThemesOfDays(sql: Sql, cruiseDays: readonly number[]): Promise<DailyThemeRow[]> {
  return await sql<DailyThemeRow[]>`
    select id, title, info, image, image_sizes, cruise_day, updated_at from daily_theme
    where cruise_day = any (${cruiseDays as number[]}) order by cruise_day for update`
}

/** Writes words of themes: new ones where a day has none. */
export async function upsertThemeWords(sql: Sql, rows: readonly DailyThemeRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into daily_theme (id, title, info, cruise_day, updated_at)
    select id, title, info, "cruiseDay", "updatedAt"
    from jsonb_to_recordset(${sql.json(rows as never)}) as row (id uuid, title text, info text, "cruiseDay" int, "updatedAt" timestamptz)
    on conflict (id) do update set title = excluded.title, info = excluded.info, updated_at = excluded.updated_at`
}

export async function deleteDailyThemes(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`delete from daily_theme where id = any (${ids as string[]})`
}
