// The trip's time zones: when they change, and which one is in force.
import type { OpenCtx } from '../core/work/ctx.ts'
import { withEtag } from '../core/http/etag.ts'
import type { Reply } from '../core/http/route.ts'
import { jsonText } from '../core/base/json-text.ts'
import { settingsOf } from './channel.ts'
import type { TimeZoneChangeData } from './schemas.ts'

/** All changes in order of time, and the zone in force now. */
export function timeZoneChanges(ctx: OpenCtx): Reply<TimeZoneChangeData> {
  const { trip } = settingsOf(ctx.node)
  const { id, abbreviation, offsetSeconds } = trip.zoneAt(new Date(ctx.nowMs))
  const data: TimeZoneChangeData = {
    records: trip.changes.map((change) => ({
      activeDate: change.activeDate,
      timeZoneAbbrev: change.abbreviation,
      timeZoneID: change.zoneId,
    })),
    currentTimeZoneAbbrev: abbreviation,
    currentTimeZoneID: id,
    currentOffsetSeconds: offsetSeconds,
  }
  return withEtag(jsonText(data))
}
