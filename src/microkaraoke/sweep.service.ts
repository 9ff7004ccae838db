// Removes recordings that no snippet has: of requests that failed at the last moment, of snippets that were deleted.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../core/work/ctx.ts'
import { noteFiles, recountRemoved } from '../image/room.service.ts'
import { selectWithVideo } from './queries.ts'
import { snippetOf, videoPath, videosFolder } from './urls.ts'

/** Younger files may belong to a request that is still under way. */
const minAgeMs = 24 * 60 * 60_000

/** Removes what no snippet has and no request can be working on any more. */
export async function sweepVideos(ctx: Ctx<undefined>): Promise<void> {
  const folder = join(ctx.node.config.imagesDir, videosFolder)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const snippets = new Map(
    names.flatMap((name) => {
      const id = snippetOf(name)
      return id === undefined ? [] : [[id, join(folder, name)]]
    }),
  )
  const used = await selectWithVideo(ctx.sql, [...snippets.keys()])
  await noteFiles(
    ctx,
    Array.from(used, ([id, personId]) => ({ name: videoPath(id), personId })),
  )
  for (const [id, path] of snippets) {
    if (used.has(id)) continue
    const modifiedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    )
    if (modifiedMs >= ctx.nowMs - minAgeMs) continue
    await rm(path, { force: true })
    await recountRemoved(ctx, [videoPath(id)])
  }
}
