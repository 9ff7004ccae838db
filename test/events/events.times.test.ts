// The times that are shown for events, held against Intl: any zones of the trip, any change of clocks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, settingsChanged, type Person } from '../support/fez.ts'
import { Trip } from '../../src/settings/trip.ts'
import { apply } from '../support/schedule.ts'

const port = 'America/New_York'
let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(1, { env: { SERVICE_PORT_TIMEZONE: port } })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
})
after(() => nodes.stop())

const zones = [
  'America/New_York',
  'America/Puerto_Rico',
  'America/Mazatlan',
  'America/St_Johns',
  'Europe/Lisbon',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'UTC',
]
const formats = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })]),
)
/** `2025-03-02 12:00:00`: what a clock in the zone shows. */
const wallClock = (instant: Date, zone: string) => (formats.get(zone) as Intl.DateTimeFormat).format(instant)
const shortName = (instant: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(instant).find(({ type }) => type === 'timeZoneName')
    ?.value ?? ''

/** True when no moment in the zone has this wall clock. Clocks change by quarters of hours. */
function isSkipped(wanted: string, zone: string): boolean {
  const about = Date.parse(`${wanted.replace(' ', 'T')}Z`)
  for (let ms = about - 15 * 3_600_000; ms <= about + 15 * 3_600_000; ms += 900_000)
    if (wallClock(new Date(ms), zone) === wanted) return false
  return true
}

const minutes = (from: string, to: string) =>
  fc.integer({ min: Date.parse(from) / 900_000, max: Date.parse(to) / 900_000 }).map((quarters) => new Date(quarters * 900_000))
// Weeks in which clocks change in one zone or another.
const around = fc.constantFrom(
  ['2025-03-06', '2025-03-12'],
  ['2025-03-28', '2025-04-07'],
  ['2025-10-02', '2025-10-06'],
  ['2025-10-24', '2025-11-04'],
  ['2025-01-01', '2025-12-31'],
)
const trips = around.chain(([from = '', to = '']) =>
  fc.record({
    changes: fc.uniqueArray(fc.record({ at: minutes(from, to), zone: fc.constantFrom(...zones) }), {
      maxLength: 5,
      selector: ({ at }) => at.getTime(),
    }),
    starts: fc.array(minutes(from, to), { minLength: 1, maxLength: 10 }),
  }),
)

test('shown times are the stored wall clock in the zone in force, with its name', async () => {
  await fc.assert(
    fc.asyncProperty(trips, async ({ changes, starts }) => {
      await nodes.sql`delete from time_zone_change`
      for (const { at, zone } of changes)
        await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${at.toISOString()}::text::timestamptz, 'XYZ', ${zone})`
      await settingsChanged(nodes)
      await apply(
        admin,
        starts.map((start, i) => ({ uid: `uid${i}`, title: 'x', start: start.toISOString(), end: start.toISOString() })),
      )
      const table = changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())
      const inForce = (instant: Date) => table.findLast(({ at }) => at <= instant)
      for (const { uid, startTime, endTime, timeZone, timeZoneID } of await body(admin.one.get('/events'))) {
        const stored = starts[Number(uid.slice(3))] as Date
        const [shown, zone] = [new Date(startTime), inForce(stored)?.zone ?? port]
        const wanted = wallClock(stored, port)
        if (!isSkipped(wanted, zone)) assert.equal(wallClock(shown, zone), wanted, `${stored.toISOString()} in ${zone}`)
        assert.equal(endTime, startTime)
        const record = inForce(shown)
        assert.equal(timeZoneID, record?.zone ?? port)
        const name = shortName(shown, timeZoneID)
        assert.equal(timeZone, record && /[+-]/.test(name) ? 'XYZ' : name)
      }
    }),
    { numRuns: 60 },
  )
})

test('the week of the trip stands for any week, but for no day of a longer trip itself', () => {
  const trip = new Trip({ portZone: 'America/New_York', startDate: '2026-03-01', lengthInDays: 12, changes: [] })
  const counted = (text: string, setting: 'cruiseWeek' | 'current' = 'cruiseWeek') =>
    trip.referenceTime(new Date(text), setting).toISOString()
  // A Tuesday before, the same of its second week, its last moment, and a Friday after.
  assert.equal(counted('2026-02-24T15:04:05.678Z'), '2026-03-03T15:04:05.000Z')
  assert.equal(counted('2026-03-10T15:04:05.678Z'), '2026-03-10T15:04:05.000Z')
  assert.equal(counted('2026-03-13T04:00:00Z'), '2026-03-13T04:00:00.000Z')
  assert.equal(counted('2026-03-20T15:00:00Z'), '2026-03-06T16:00:00.000Z', 'eleven by the clock of the port, which has changed since')
  assert.equal(counted('2026-03-20T15:04:05.678Z', 'current'), '2026-03-20T15:04:05.000Z')
})
