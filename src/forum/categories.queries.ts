// Statements about categories of forums.
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { categoryColumns, type CategoryRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'

/** Visible categories, the most restricted first; only that one when an id is given. */
export async function selectCategories(sql: Sql, viewer: Viewer | undefined, categoryId?: string): Promise<CategoryRow[]> {
  const { level, roles } = rightsOf(viewer)
  return await sql<CategoryRow[]>`
    select ${sql(categoryColumns)} from forum_category category
    where may_view(category.view_level, category.required_role, ${level},
      ${roles}) ${categoryId === undefined ? sql`` : sql`and category.id = ${categoryId}`}
    order by category.view_level desc, category.create_level desc, category.title collate "C"`
}

/** Writes a category without forums. */
export async function insertCategory(sql: Sql, category: CategoryRow, now: Date): Promise<void> {
  await sql`
    insert into forum_category (id, title, purpose, is_event, view_level, create_level, required_role, created_at)
    values (${category.id}, ${category.title}, ${category.purpose}, ${category.isEvent}, ${category.viewLevel}, ${category.createLevel},
      ${category.requiredRole}, ${now})`
}

/** Locks a category's row: the forums in it are counted there. */
export async function lockCategory(sql: Sql, categoryId: string): Promise<CategoryRow | undefined> {
  const [row] = await sql<
    CategoryRow[]
  >`select ${sql(categoryColumns)} from forum_category category where id = ${categoryId} for no key update`
  return row
}
