// Statements about categories of forums.
import type { Sql } from '../core/db.ts'
import type { Viewer } from '../core/viewer.ts'
import { categoryColumns, rightsOf, type CategoryRow } from './rows.ts'

/** Visible categories, the most restricted first; only that one when an id is given. */
export async function selectCategories(sql: Sql, viewer: Viewer | undefined, categoryId?: string): Promise<CategoryRow[]> {
  const { level, roles } = rightsOf(viewer)
  return await sql<CategoryRow[]>`
    select ${sql(categoryColumns)} from forum_category category
    where may_view(category.view_level, category.required_role, ${level}, ${roles}) ${categoryId === undefined ? sql`` : sql`and category.id = ${categoryId}`}
    order by category.view_level desc, category.create_level desc, category.title collate "C"`
}

/** Locks a category's row: the forums in it are counted there. */
export async function lockCategory(sql: Sql, categoryId: string): Promise<CategoryRow | undefined> {
  const [row] = await sql<CategoryRow[]>`select ${sql(categoryColumns)} from forum_category category where id = ${categoryId} for no key update`
  return row
}
