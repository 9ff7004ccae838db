// Categories: listing and creating them, reading the forums in one, starting a forum.
import type { Ctx, OpenCtx } from '../core/work/ctx.ts'
import { violatesUnique } from '../core/db/errors.ts'
import { forbidden, notAvailable, validationFailed } from '../core/base/errors.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { joinedJson } from '../core/base/json-text.ts'
import { atLeast, requireCreator, type Viewer } from '../core/base/viewer.ts'
import { holdImages } from '../image/service.ts'
import { audit } from '../moderation/audit.service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { noteText } from '../hits/service.ts'
import { authorFor, contentOf } from '../post/authors.service.ts'
import { noMarks } from '../post/feed.ts'
import { storedImages } from '../post/images.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { insertCategory, lockCategory, selectCategories } from './categories.queries.ts'
import { changesForum } from './changes.ts'
import { newForums } from './heads.ts'
import { orderOf, pageOfForums, uuidIn } from './lists.service.ts'
import { insertForum } from './posts.queries.ts'
import type { CategoryRow } from './rows.ts'
import { isRestricted, mayView } from './rules.ts'
import type { CategoryCreateData, CategoryData, CategoryQuery, ForumCreateData, ForumData } from './schemas.ts'
import { categoryData, forumData, postData } from './views.ts'

/** Every category that the caller may see, or only the one with that id; without its forums. */
export async function listCategories(ctx: OpenCtx, typedId = ''): Promise<CategoryData[]> {
  const rows = await selectCategories(ctx.sql, ctx.viewer, uuidIn(typedId))
  return rows.map((row) => categoryData(ctx.viewer, row, { total: row.forumCount, start: 0, limit: 50 }))
}

/** A category with a page of its forums. */
export async function getCategory(ctx: Ctx, categoryId: string, query: CategoryQuery): Promise<Reply<CategoryData>> {
  const range = pageOf(query, settingsOf(ctx.node).values.maximumForums)
  const { beforedate: before, afterdate } = query
  const dates = before || afterdate ? { before, after: before ? undefined : afterdate } : undefined
  const order = { ...orderOf(query, 'event'), grouped: true }
  const { total, category, json } = await pageOfForums(ctx, { withinCategory: categoryId, dates }, order, range)
  if (!category || !mayView(ctx.viewer, category)) throw notAvailable('category')
  const data = narrowJson(JSON.stringify(categoryData(ctx.viewer, category, { total, ...range })))
  return new Reply(200, joinedJson(`${data.slice(0, -1)},"forumThreads":${json}}`))
}

/** Creates a category that forums can be started in, or moved to. */
export async function createCategory(ctx: Ctx, created: CategoryCreateData): Promise<CategoryData> {
  const category: CategoryRow = {
    id: ctx.node.random.uuid(),
    title: created.title,
    purpose: created.purpose,
    isEvent: created.isEventCategory ?? false,
    viewLevel: created.accessLevelToView ?? 'unverified',
    createLevel: created.accessLevelToCreate ?? (created.isRestricted ? 'moderator' : 'verified'),
    requiredRole: created.requiredRole ?? null,
    forumCount: 0,
  }
  if (!atLeast(ctx.viewer.level, category.viewLevel))
    throw validationFailed(
      new Map([['accessLevelToView', [{ text: 'You cannot create a category that you do not see', rule: 'not_allowed' }]]]),
    )
  try {
    return await ctx.transaction(async (tx) => {
      await insertCategory(tx.sql, category, tx.now)
      const { viewLevel, createLevel, requiredRole } = category
      await audit(tx, {
        action: 'create',
        subject: { type: 'category', id: category.id },
        details: { viewLevel, createLevel, requiredRole },
      })
      return categoryData(ctx.viewer, category, { total: 0, start: 0, limit: 50 })
    })
  } catch (error) {
    throw violatesUnique(error, 'forum_category_title')
      ? validationFailed(new Map([['title', [{ text: 'There is a category with this title already', rule: 'taken' }]]]))
      : error
  }
}

/** Starts a forum with its first post. */
export async function createForum(ctx: Ctx, categoryId: string, { title, firstPost }: ForumCreateData): Promise<ForumData> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const author = await authorFor(ctx, firstPost)
  const stored = await storedImages(ctx, firstPost.images, async () =>
    requireMayCreate(ctx.viewer, (await selectCategories(ctx.sql, ctx.viewer, categoryId))[0]),
  )
  return await ctx.transaction(async (tx) => {
    requireMayCreate(ctx.viewer, await lockCategory(tx.sql, categoryId))
    await holdImages(tx, firstPost.images)
    // The pictures took their time.
    requireCreator(ctx.viewer, ctx.nowMs)
    const forum = {
      id: ctx.node.random.uuid(),
      categoryId,
      creatorId: author.id,
      title,
      moderationStatus: 'normal',
      isPinned: false,
      createdAt: tx.now,
      slowSeconds: 0,
    } as const
    const content = {
      forumId: forum.id,
      authorId: author.id,
      realAuthorId: ctx.viewer.id,
      ...contentOf(firstPost.text),
      ...stored,
      createdAt: tx.now,
    }
    changesForum(tx, forum.id, categoryId, newForums)
    const id = await insertForum(tx.sql, forum, content)
    tx.enqueue('webhook-event', { kind: 'forum.created', at: tx.now, data: { forumID: forum.id, categoryID: categoryId } })
    await noteText(tx, 'forum', { ...content, id, before: '', after: content.text })
    await logModeratorAction(tx, { action: 'post', contentType: 'forum', contentId: forum.id, ownerId: author.id })
    await logModeratorAction(tx, { action: 'post', contentType: 'forumPost', contentId: String(id), ownerId: author.id })
    const post = postData(ctx.node.accounts, { ...content, id, moderationStatus: 'normal', isPinned: false }, noMarks)
    return forumData(ctx.node.accounts, forum, { isFavorite: false, isMuted: false }, { total: 1, start: 0, limit: 50 }, [post])
  })
}

function requireMayCreate(viewer: Viewer, category: CategoryRow | undefined): void {
  if (!category || !mayView(viewer, category)) throw notAvailable('category')
  if (isRestricted(viewer, category)) throw forbidden('moderators_only', 'Only moderators can create forums in this category.')
}
