// Which events need a photographer or have one: for those who send photographers out.
import type { Ctx } from '../core/work/ctx.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { csvOf } from '../core/http/csv.ts'
import { settingsOf } from '../settings/channel.ts'
import { photographersFor } from './photographers.service.ts'
import type { PhotographerReportData, ShutternautScheduleReportData } from './schemas.ts'
import { scheduleFor, timeFilter } from './service.ts'

interface ReportQuery {
  cruiseday?: number
  start?: number
  limit?: number
}

/** A page of the events that need a photographer or have one, by start: of one day, or of all. */
export async function photographerReport(ctx: Ctx, { cruiseday, ...query }: ReportQuery): Promise<PhotographerReportData> {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const items = await reported(ctx, cruiseday)
  return {
    items: items.slice(start, start + limit).map(({ timeZoneID: _zone, ...item }) => item),
    paginator: { total: items.length, start, limit },
  }
}

/** The same as a spreadsheet, whole. */
export async function photographerReportFile(ctx: Ctx, cruiseday: number | undefined): Promise<Reply> {
  const lines = (await reported(ctx, cruiseday)).map((item) => [
    dateAndTime(item.startTime, item.timeZoneID),
    dateAndTime(item.endTime, item.timeZoneID),
    item.timeZone,
    item.title,
    item.location,
    item.photographers.map(({ username }) => username).join('; '),
    String(item.needsPhotographer),
  ])
  const head = ['Start Time', 'End Time', 'Time Zone', 'Title', 'Location', 'Photographers', 'Needs Photographed']
  return new Reply(200, csvOf([head, ...lines], { byteOrderMark: true, lineEnd: '\n' }), {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="photographers.csv"',
  })
}

async function reported(ctx: Ctx, cruiseday: number | undefined): Promise<(ShutternautScheduleReportData & { timeZoneID: string })[]> {
  const [{ events, show, trip }, photographersOf] = await Promise.all([scheduleFor(ctx), photographersFor(ctx)])
  const isWithin = timeFilter(trip, cruiseday === undefined ? {} : { cruiseday })
  return events.flatMap((event) => {
    const known = photographersOf?.(event.id)
    if (!known || !isWithin(event) || (!known.needsPhotographer && known.photographers.length === 0)) return []
    const { eventID, title, startTime, endTime, timeZone, timeZoneID, location } = show(event)
    const { needsPhotographer, photographers } = known
    return [{ eventID, title, startTime, endTime, timeZone, timeZoneID, location, needsPhotographer, photographers }]
  })
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** As clocks on board show it, such as `Mar 3, 2:00 PM`. */
function dateAndTime(moment: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
    formats.set(timeZone, format)
  }
  // Some versions put a narrow space before AM and PM.
  return format.format(moment).replace(/\s/gu, ' ')
}
