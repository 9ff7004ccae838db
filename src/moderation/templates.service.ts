// Letters that moderators write again and again: kept for all of them.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { audit } from './audit.service.ts'
import { lockTemplates, deleteTemplate, selectTemplates, upsertTemplate, type KnownTemplate, type TemplateRow } from './queries.ts'
import { laterThan, requireSame } from './meanwhile.ts'
import type { SeamailTemplateContentData, SeamailTemplateData } from './schemas.ts'

const most = 100

/** All templates, by title. */
export async function listTemplates(ctx: Ctx): Promise<SeamailTemplateData[]> {
  const rows = await selectTemplates(ctx.sql)
  await ctx.node.accounts.load(new Set(rows.map(({ authorId }) => authorId)))
  return rows.map((row) => templateData(ctx, row))
}

const templateData = ({ node }: Ctx, { id, title, content, authorId, updatedAt }: TemplateRow): SeamailTemplateData => ({
  templateID: id,
  title,
  content,
  changedBy: node.accounts.get(authorId).header,
  changedAt: updatedAt,
})

/** Adds a template. */
export async function createTemplate(ctx: Ctx, content: SeamailTemplateContentData): Promise<SeamailTemplateData> {
  return await saveTemplate(ctx, ctx.node.random.uuid(), content, (known) => {
    if (known.length >= most) throw badRequest('too_many_templates', `There are ${most} templates already. Delete one first.`)
  })
}

/** Replaces the text of a template. */
export async function changeTemplate(ctx: Ctx, id: string, content: SeamailTemplateContentData): Promise<SeamailTemplateData> {
  return await saveTemplate(ctx, id, content, (known) => {
    const before = known.find((row) => row.id === id)
    if (!before) throw notAvailable('template')
    requireSame(content.basedOn, before.updatedAt, 'this letter')
  })
}

async function saveTemplate(
  ctx: Ctx,
  id: string,
  { title, content }: SeamailTemplateContentData,
  check: (known: readonly KnownTemplate[]) => void,
): Promise<SeamailTemplateData> {
  await ctx.node.accounts.load([ctx.viewer.id])
  return await ctx.transaction(async (tx) => {
    const known = await lockTemplates(tx.sql)
    check(known)
    const before = known.find((row) => row.id === id)
    const row = { id, title, content, authorId: tx.viewer.id, updatedAt: laterThan(before?.updatedAt, tx.now) }
    await upsertTemplate(tx.sql, row)
    await audit(tx, { action: 'saveTemplate', subject: { type: 'seamailTemplate', id }, details: { title } })
    return templateData(ctx, row)
  })
}

/** Deletes a template. */
export async function removeTemplate(ctx: Ctx, id: string, basedOn?: Date): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = (await lockTemplates(tx.sql)).find((row) => row.id === id)
    if (!before) throw notAvailable('template')
    requireSame(basedOn, before.updatedAt, 'this letter')
    await deleteTemplate(tx.sql, id)
    await audit(tx, { action: 'deleteTemplate', subject: { type: 'seamailTemplate', id } })
  })
}
