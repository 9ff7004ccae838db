// The limit of searches: the same statement over postgres.js, without a server around it.
import { createDb } from '../../src/core/db/db.ts'
import { selectByAnyName } from '../../src/users/queries.ts'
import { takeOrders } from './processes.ts'

const db = createDb({ url: process.env['DATABASE_URL'] ?? '' })

takeOrders(0, {
  /** Searches for some time, `atOnce` at a time; returns how many searches were answered. */
  async search({ texts, atOnce, durationMs }: { texts: string[]; atOnce: number; durationMs: number }) {
    const endMs = performance.now() + durationMs
    let count = 0
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (performance.now() < endMs)
          await selectByAnyName(db.sql, texts[count++ % texts.length] as string, { hiddenPersons: [], limit: 10 })
      }),
    )
    return count
  },
})
