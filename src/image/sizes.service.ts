// Looks up the sizes of images that were stored before rows kept them.
import type { Ctx } from '../core/work/ctx.ts'
import { selectUnsized, sizedTables, updateSizes, type SizedTable } from './queries.ts'
import { storedSize } from './service.ts'
import { sizesOf } from './sizes.ts'

const rowsAtOnce = 100

/** Notes the sizes of all images that have none yet. A file that cannot be read is noted too, and not looked at again. */
export async function noteSizes(ctx: Ctx<undefined>): Promise<void> {
  for (const table of sizedTables) while (await noteSome(ctx, table));
}

/** False when there was nothing to do. */
async function noteSome(ctx: Ctx<undefined>, table: SizedTable): Promise<boolean> {
  const rows = await selectUnsized(ctx.sql, table, rowsAtOnce)
  if (rows.length === 0) return false
  const found: { id: string; version: string; sizes: readonly number[] }[] = []
  for (const { id, version, names } of rows) {
    const sizes = await Promise.all(names.map((name) => storedSize(ctx.node, name)))
    found.push({ id, version, sizes: sizesOf(sizes) ?? [] })
  }
  await ctx.transaction((tx) => updateSizes(tx.sql, table, found))
  // Channels of chats have posts in memory.
  const chats = new Set(rows.flatMap(({ chatId }) => chatId ?? []))
  ctx.node.channels.invalidate(Array.from(chats, (id) => ({ kind: 'fez', id })))
  return true
}
