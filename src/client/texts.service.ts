// Texts for everybody that the host may replace: what is served, who wrote it, and the way back to the delivered one.
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { StoredFile } from '../core/files/files.ts'
import { audit } from '../moderation/audit.service.ts'
import { laterThan, requireSame } from '../moderation/meanwhile.ts'
import { deliveredFile } from './public-files.service.ts'
import { deleteText, lockText, upsertText, type TextRow } from './queries.ts'
import type { PublicTextData } from './schemas.ts'
import { publicTexts, type PublicTextName } from './text-names.ts'
import { textsId, textsKind, textsOf } from './texts.channel.ts'

/** All of them as they are served. */
export async function listTexts(ctx: Ctx): Promise<PublicTextData[]> {
  const texts = await textsOf(ctx.node)
  const known = publicTexts.map((name) => ({ name, own: texts.find(name) }))
  await ctx.node.accounts.load(new Set(known.flatMap(({ own }) => own?.authorId ?? [])))
  return await Promise.all(known.map(({ name, own }) => textData(ctx.node, name, own)))
}

async function textData(node: Node, name: PublicTextName, own: TextRow | undefined): Promise<PublicTextData> {
  const delivered = await deliveredText(node, name)
  return {
    name,
    content: own?.content ?? delivered,
    delivered,
    isOwn: own !== undefined,
    ...(own ? { changedAt: own.updatedAt } : {}),
    ...(own?.authorId ? { changedBy: node.accounts.get(own.authorId).header } : {}),
  }
}

async function deliveredText({ config }: Node, name: PublicTextName): Promise<string> {
  const file: StoredFile | undefined = await deliveredFile(config, [name])
  const content = file?.part(0, file.size)
  return Buffer.isBuffer(content) ? content.toString('utf8') : ''
}

/**
 * Writes a text; on all nodes when the promise resolves. `basedOn` is the moment of the text that the caller has changed,
 * null for the delivered one: what somebody else has written since is not lost.
 */
export async function changeText(
  ctx: Ctx,
  name: PublicTextName,
  { content, basedOn }: { content: string; basedOn?: Date | null },
): Promise<PublicTextData> {
  return await ctx.transaction(async (tx) => {
    const before = await lockText(tx.sql, name)
    requireSame(basedOn, before?.updatedAt ?? null, 'this text')
    const row: TextRow = { name, content, authorId: tx.viewer.id, updatedAt: laterThan(before?.updatedAt, tx.now) }
    await upsertText(tx.sql, row)
    tx.emitConfirmed(textsKind, textsId, { type: 'changed' })
    const details = { from: before?.content.length ?? null, to: content.length }
    await audit(tx, { action: 'changeText', subject: { type: 'publicText', id: name }, details })
    await ctx.node.accounts.load([tx.viewer.id])
    return await textData(ctx.node, name, row)
  })
}

/** Goes back to the text that comes with the program, or that the operator has put beside it. `basedOn` is as in `changeText`. */
export async function resetText(ctx: Ctx, name: PublicTextName, basedOn?: Date): Promise<PublicTextData> {
  await ctx.transaction(async (tx) => {
    const before = await lockText(tx.sql, name)
    requireSame(basedOn, before?.updatedAt ?? null, 'this text')
    if (!before) return
    await deleteText(tx.sql, name)
    tx.emitConfirmed(textsKind, textsId, { type: 'changed' })
    await audit(tx, { action: 'resetText', subject: { type: 'publicText', id: name }, details: { from: before.content.length } })
  })
  return await textData(ctx.node, name, undefined)
}
