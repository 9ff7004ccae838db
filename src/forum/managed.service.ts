// Categories of forums as the team manages them: their words, who sees them, who starts forums in them, their order.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { badRequest, notAvailable, validationFailed } from '../core/base/errors.ts'
import { atLeast } from '../core/base/viewer.ts'
import { violatesUnique } from '../core/db/errors.ts'
import { audit } from '../moderation/audit.service.ts'
import { laterThan, requireSame } from '../moderation/meanwhile.ts'
import {
  deleteCategory,
  placeCategories,
  selectManagedCategories,
  updateManagedCategory,
  type ManagedCategoryRow,
} from './categories.queries.ts'
import type { CategoryChangeData, CategoryOrderData, ManagedCategoryData } from './schemas.ts'
import { managedCategoryData } from './views.ts'

/** The categories that the caller can see, in order. */
export async function listManagedCategories(ctx: Ctx): Promise<ManagedCategoryData[]> {
  return (await selectManagedCategories(ctx.sql, ctx.viewer)).map(managedCategoryData)
}

/** The schedule finds the categories of its forums by these beginnings of their titles. */
const ofSchedule = /^(event|shadow)/i

/** Changes a category. Nobody loses sight of it themselves. */
export async function changeCategory(ctx: Ctx, id: string, changed: CategoryChangeData): Promise<ManagedCategoryData> {
  const { title, purpose, accessLevelToView: viewLevel, accessLevelToCreate: createLevel, requiredRole = null, basedOn } = changed
  try {
    return await ctx.transaction(async (tx) => {
      const before = await lockManaged(tx, id)
      requireSame(basedOn, before.updatedAt, 'this category')
      if (!atLeast(tx.viewer.level, viewLevel)) throw wrong('accessLevelToView', 'You would not see the category any more', 'not_allowed')
      const word = before.isEvent ? ofSchedule.exec(before.title)?.[0] : undefined
      if (word !== undefined && !title.toLowerCase().startsWith(word.toLowerCase()))
        throw wrong('title', `The schedule finds this category by its first word: the title must begin with ${word}`, 'not_allowed')
      const row = { ...before, title, purpose, viewLevel, createLevel, requiredRole, updatedAt: laterThan(before.updatedAt, tx.now) }
      await updateManagedCategory(tx.sql, row)
      await audit(tx, { action: 'changeCategory', subject: { type: 'category', id }, details: { viewLevel, createLevel, requiredRole } })
      return managedCategoryData(row)
    })
  } catch (error) {
    throw violatesUnique(error, 'forum_category_title') ? wrong('title', 'There is a category with this title already', 'taken') : error
  }
}

const wrong = (field: string, text: string, rule: 'not_allowed' | 'taken') => validationFailed(new Map([[field, [{ text, rule }]]]))

/** Puts categories in order. */
export async function orderCategories(ctx: Ctx, { categoryIDs, basedOn }: CategoryOrderData): Promise<void> {
  await ctx.transaction(async (tx) => {
    const ids = (await selectManagedCategories(tx.sql, tx.viewer, true)).map((category) => category.id)
    requireSame(basedOn?.join(), ids.join(), 'the order of categories')
    const named = new Set(categoryIDs)
    if (named.size !== categoryIDs.length || named.size !== ids.length || ids.some((id) => !named.has(id)))
      throw badRequest('categories_missing', 'The order must name each category once.')
    await placeCategories(tx.sql, categoryIDs)
    await audit(tx, { action: 'orderCategories', subject: { type: 'category', id: 'all' } })
  })
}

/** Deletes a category that no forum is or was in. */
export async function removeCategory(ctx: Ctx, id: string, basedOn?: Date): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockManaged(tx, id)
    requireSame(basedOn, before.updatedAt, 'this category')
    if ((before.isEvent && ofSchedule.test(before.title)) || !(await deleteCategory(tx.sql, id)))
      throw badRequest('category_used', 'There are, or were, forums in this category. It can be shown to the team alone instead.')
    await audit(tx, { action: 'deleteCategory', subject: { type: 'category', id }, details: { title: before.title } })
  })
}

async function lockManaged(tx: Tx, id: string): Promise<ManagedCategoryRow> {
  const category = (await selectManagedCategories(tx.sql, tx.viewer, true)).find((each) => each.id === id)
  if (!category) throw notAvailable('category')
  return category
}
