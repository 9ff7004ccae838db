// The part of a worker that looks for alertwords, without the queue before it.
import { buildNode } from '../../src/app.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { scanForAlertwords } from '../../src/hits/alertwords.service.ts'
import { takeOrders } from './processes.ts'

const config = readConfig([])
const { node } = await buildNode('worker', {
  config,
  databaseUrl: config.databaseUrl ?? '',
  redisUrl: config.redisUrl ?? '',
  source: 'bench',
})

takeOrders(0, {
  /** Scans these posts, as many at once as a worker takes jobs; returns posts per second. */
  async scan({ postIds, atOnce }: { postIds: number[]; atOnce: number }) {
    const startedMs = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < postIds.length) {
          const postId = postIds[next++] as number
          await new Ctx(node, undefined, { requestId: 'bench', log: node.log }).transaction((tx) =>
            scanForAlertwords(tx, { feed: 'forum', postIds: [postId] }),
          )
        }
      }),
    )
    return (postIds.length / (performance.now() - startedMs)) * 1000
  },
})
