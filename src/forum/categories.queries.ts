// Statements about categories of forums.
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { categoryColumns, type CategoryRow } from './rows.ts'
import { rightsOf } from '../post/rights.ts'

/** The order of categories: as the team wants it, then the most restricted first. */
const inOrder = (sql: Sql) =>
  sql`order by category.place nulls last, category.view_level desc, category.create_level desc, category.title collate "C"`

/** Visible categories in order; only that one when an id is given. */
export async function selectCategories(sql: Sql, viewer: Viewer | undefined, categoryId?: string): Promise<CategoryRow[]> {
  const { level, roles } = rightsOf(viewer)
  return await sql<CategoryRow[]>`
    select ${sql(categoryColumns)} from forum_category category
    where may_view(category.view_level, category.required_role, ${level},
      ${roles}) ${categoryId === undefined ? sql`` : sql`and category.id = ${categoryId}`}
    ${inOrder(sql)}`
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

/** A category as the team manages it. */
export interface ManagedCategoryRow extends CategoryRow {
  updatedAt: Date
}

/** The categories that a viewer can see, in order; locked with those that they cannot see where `lock` says so. */
export async function selectManagedCategories(sql: Sql, viewer: Viewer, lock = false): Promise<ManagedCategoryRow[]> {
  const { level, roles } = rightsOf(viewer)
  if (lock) await sql`select from forum_category order by id for no key update`
  return await sql<ManagedCategoryRow[]>`
    select ${sql(categoryColumns)}, category.updated_at from forum_category category
    where may_view(category.view_level, category.required_role, ${level}, ${roles}) ${inOrder(sql)}`
}

/** Writes what the team may change of a category, which is locked. */
export async function updateManagedCategory(sql: Sql, category: Omit<ManagedCategoryRow, 'isEvent' | 'forumCount'>): Promise<void> {
  const { id, title, purpose, viewLevel, createLevel, requiredRole, updatedAt } = category
  await sql`
    update forum_category set title = ${title}, purpose = ${purpose}, view_level = ${viewLevel}, create_level = ${createLevel},
      required_role = ${requiredRole}, updated_at = ${updatedAt}
    where id = ${id}`
}

/** Puts these categories first, in this order; others keep their places among those that come after. */
export async function placeCategories(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    update forum_category set place = placed.place
    from unnest(${ids}::uuid[]) with ordinality as placed (id, place) where forum_category.id = placed.id`
}

/** Deletes a category that nothing was ever in. False when something is or was. */
export async function deleteCategory(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`
    delete from forum_category category where id = ${id}
      and not exists (select from forum where category_id = category.id)
      and not exists (select from forum_edit where category_id = category.id)
    returning id`
  return rows.length > 0
}
