// Removes recordings that no snippet has: of requests that failed at the last moment, of snippets that were deleted.
import type { Ctx } from '../core/work/ctx.ts'
import { noteFiles, recountRemoved } from '../image/room.service.ts'
import { selectWithVideo } from './queries.ts'
import { snippetOf, videoPath, videosFolder } from './urls.ts'

/** Younger files may belong to a request that is still under way. */
const minAgeMs = 24 * 60 * 60_000

/** Removes what no snippet has and no request can be working on any more. */
export async function sweepVideos(ctx: Ctx<undefined>): Promise<void> {
  const { store } = ctx.node.files
  const modified = new Map<string, number>()
  for await (const { path, modifiedMs } of store.list(videosFolder)) {
    const id = snippetOf(path.slice(videosFolder.length + 1))
    if (id !== undefined) modified.set(id, modifiedMs)
  }
  const used = await selectWithVideo(ctx.sql, [...modified.keys()])
  await noteFiles(
    ctx,
    Array.from(used, ([id, personId]) => ({ name: videoPath(id), personId })),
  )
  for (const [id, modifiedMs] of modified) {
    if (used.has(id) || modifiedMs >= ctx.nowMs - minAgeMs) continue
    await store.remove(videoPath(id))
    await recountRemoved(ctx, [videoPath(id)])
  }
}
