// Messages that a member of a chat hands to the moderators: what somebody was sent in private can be shown, and nothing else.
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { fileReport } from '../moderation/report.service.ts'
import { insertExcerpt, selectExcerpts, selectPostsOf } from './excerpts.queries.ts'
import type { ReportExcerptData } from './moderation.schemas.ts'
import { chatOf } from './reading.service.ts'
import type { FezPostsReportData } from './schemas.ts'

/**
 * Files a report on the first of `postIDs`, in the name of the person, with a copy of all of them. Whom it is about learns nothing of
 * it.
 */
export async function reportPosts(ctx: Ctx, fezId: string, { postIDs, message }: FezPostsReportData): Promise<void> {
  const { row, memberIds } = await chatOf(ctx, fezId)
  const { viewer } = ctx
  const { accounts } = ctx.node
  if (!memberIds.has(viewer.id)) throw forbidden('not_member', 'Only members can report messages of this chat.')
  const posts = await selectPostsOf(ctx.sql, fezId, postIDs)
  if (posts.length === 0 || posts.length < new Set(postIDs).size) throw notAvailable('post')
  await accounts.load(posts.map(({ authorId }) => authorId))
  const reported = posts.find(({ id }) => id === postIDs[0])
  if (!reported || accounts.get(reported.authorId).personId === viewer.personId)
    throw badRequest('not_reportable', 'The first message must be one of somebody else.')
  await ctx.transaction(async (tx) => {
    const reportId = await fileReport(tx, {
      type: 'fezPost',
      reportedId: String(reported.id),
      reportedUserId: reported.authorId,
      message,
    })
    await insertExcerpt(tx.sql, {
      reportId,
      title: row.title,
      memberIds: [...memberIds],
      posts: posts.map(({ id, authorId, text, image, createdAt }) => ({ id, authorId, text, image, createdAt: createdAt.toISOString() })),
    })
  })
}

/** What was handed over with these reports, for moderators. */
export async function listExcerpts(ctx: Ctx, reportIds: readonly string[]): Promise<ReportExcerptData[]> {
  if (reportIds.length === 0) return []
  const rows = await selectExcerpts(ctx.sql, reportIds)
  const { accounts } = ctx.node
  await accounts.load(new Set(rows.flatMap(({ memberIds, posts }) => [...memberIds, ...posts.map(({ authorId }) => authorId)])))
  return rows.map(({ reportId, title, memberIds, posts }) => ({
    reportID: reportId,
    title,
    members: memberIds.map((id) => accounts.get(id).header),
    posts: posts.map(({ id, authorId, text, image, createdAt }) => ({
      postID: id,
      author: accounts.get(authorId).header,
      text,
      timestamp: new Date(createdAt),
      ...(image ? { image } : {}),
    })),
  }))
}
