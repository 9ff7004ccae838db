// The server's clock beside those of people's devices, which the networks of phones set.
import type { Ctx } from '../core/work/ctx.ts'
import { selectDeviceClocks, upsertDeviceClock } from './queries.ts'

const hourMs = 60 * 60_000
/** What one device says means nothing: some are set ahead, so that nobody comes late. */
const leastDevices = 5
const saidWithinMs = 3 * hourMs
const worthTellingSeconds = 60
/** Of an int in Postgres. */
const furthestSeconds = 2_000_000_000

/** Notes what a device's clock says. */
export async function noteDeviceClock(ctx: Ctx, now: Date): Promise<void> {
  const ahead = Math.round((now.getTime() - ctx.nowMs) / 1000)
  const secondsAhead = Math.max(-furthestSeconds, Math.min(furthestSeconds, ahead))
  await ctx.statement((tx) => upsertDeviceClock(tx.sql, ctx.viewer.id, secondsAhead, tx.now))
}

/** By how many seconds half of the devices are ahead of the server, or more; undefined while that is not worth telling. */
export async function commonDifference(ctx: Ctx<undefined>): Promise<number | undefined> {
  const { devices, median } = await selectDeviceClocks(ctx.sql, new Date(ctx.nowMs - saidWithinMs))
  return devices >= leastDevices && Math.abs(median) >= worthTellingSeconds ? median : undefined
}
