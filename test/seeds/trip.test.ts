// Ship time: the conversions between floating times and instants, against the standard's own zone data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Trip, type ZoneChange } from '../../src/settings/trip.ts'
import { randomTest } from '../support/random-runs.ts'

const zoneIds = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Santo_Domingo',
  'America/Halifax',
  'America/St_Johns',
  'Atlantic/Azores',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Pacific/Apia',
  'UTC',
  'Not/AZone',
]
const known = (zone: string) => zone !== 'Not/AZone'
const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock on the wall shows, as if it were UTC. */
function wallClock(instant: number, zone: string): number {
  let format = formats.get(zone)
  if (!format)
    formats.set(
      zone,
      (format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })),
    )
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)])) as Record<string, number>
  return (
    Date.UTC(part['year'] as number, (part['month'] as number) - 1, part['day'], part['hour'], part['minute'], part['second']) +
    (((instant % 1000) + 1000) % 1000)
  )
}

/** All instants at which the clock shows this: none in a gap, two when the hour is repeated. */
function instantsOf(wall: number, zone: string): number[] {
  const offsets = new Set([-dayMs, 0, dayMs].map((shift) => wallClock(wall + shift, zone) - (wall + shift)))
  return [...offsets].map((offset) => wall - offset).filter((instant) => wallClock(instant, zone) === wall)
}

const date = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 0, 1) }).map((ms) => new Date(ms))
const changes = fc
  .array(fc.record({ activeDate: date, abbreviation: fc.constant('XST'), zoneId: fc.constantFrom(...zoneIds) }), { maxLength: 5 })
  .map((list): ZoneChange[] => list.sort((a, b) => a.activeDate.getTime() - b.activeDate.getTime()))
const portZone = fc.constantFrom(...zoneIds.filter(known))

const tripOf = (port: string, list: ZoneChange[]) => new Trip({ portZone: port, startDate: '2026-03-01', lengthInDays: 8, changes: list })

function zoneInForce(list: ZoneChange[], at: Date, port: string): string {
  let zone = port
  for (const change of list) if (change.activeDate <= at) zone = known(change.zoneId) ? change.zoneId : port
  return zone
}

function assertRezoned(result: Date, given: Date, from: string, to: string): void {
  if (from === to) return assert.equal(result.getTime(), given.getTime())
  const expected = instantsOf(wallClock(given.getTime(), from), to)
  // In a gap there is no right answer; of a repeated hour both are.
  if (expected.length > 0)
    assert.ok(expected.includes(result.getTime()), `${given.toISOString()} ${from} -> ${to}: ${result.toISOString()}`)
  else assert.ok(Math.abs(wallClock(result.getTime(), to) - wallClock(given.getTime(), from)) <= dayMs)
}

const cases = 1500

randomTest('trip', 'Trip: every conversion keeps the wall clock and swaps the zone', cases, (parameters) => {
  fc.assert(
    fc.property(portZone, changes, date, date, (port, list, at, now) => {
      const trip = tripOf(port, list)
      const there = zoneInForce(list, at, port)
      assertRezoned(trip.portToDisplay(at), at, port, there)
      assertRezoned(trip.displayToPort(at), at, there, port)
      assertRezoned(trip.clientToPort(at, now), at, zoneInForce(list, now, port), port)
    }),
    parameters,
  )
})

randomTest('trip', 'Trip: the label is of the zone in force, with its offset', cases, (parameters) => {
  fc.assert(
    fc.property(portZone, changes, date, (port, list, at) => {
      const { id, offsetSeconds, abbreviation } = tripOf(port, list).zoneAt(at)
      assert.equal(id, zoneInForce(list, at, port))
      assert.equal(offsetSeconds * 1000, wallClock(at.getTime(), id) - at.getTime())
      assert.ok(abbreviation.length > 0)
    }),
    parameters,
  )
})

randomTest('trip', "Trip: a day runs from its hour to 03:00 of the next in the port's zone", cases, (parameters) => {
  fc.assert(
    fc.property(
      fc.constantFrom('America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kolkata'),
      fc.integer({ min: -400, max: 400 }),
      fc.constantFrom(0, 3),
      (port, day, hour) => {
        const { from, to } = tripOf(port, []).dayWindow(day, hour as 0 | 3)
        const midnight = Date.UTC(2026, 2, 1) + day * dayMs
        assert.equal(wallClock(from.getTime(), port), midnight + hour * 3_600_000)
        assert.equal(wallClock(to.getTime(), port), midnight + dayMs + 3 * 3_600_000)
      },
    ),
    parameters,
  )
})

randomTest('trip', 'Trip: outside the trip, "upcoming" is the same weekday and time in the week of the trip', cases, (parameters) => {
  fc.assert(
    fc.property(portZone, date, (port, now) => {
      const trip = tripOf(port, [])
      const current = Math.floor(now.getTime() / 1000) * 1000
      assert.equal(trip.referenceTime(now, 'current').getTime(), current)
      assert.equal(trip.referenceTime(now, 'disabled').getTime(), current)
      const reference = trip.referenceTime(now, 'cruiseWeek').getTime()
      const [wall, start] = [wallClock(current, port), Date.UTC(2026, 2, 1)]
      if (wall >= start && wall < start + 8 * dayMs) return assert.equal(reference, current)
      const days = (((Math.floor(wall / dayMs) - Math.floor(start / dayMs)) % 7) + 7) % 7
      const expected = instantsOf(start + days * dayMs + (wall % dayMs), port)
      if (expected.length > 0 && wall > start + 9 * dayMs) assert.ok(expected.includes(reference), `${now.toISOString()} ${port}`)
    }),
    parameters,
  )
})

test("Trip: customary abbreviations, else the table's own", () => {
  const trip = tripOf('America/New_York', [
    { activeDate: new Date('2026-03-02T00:00:00Z'), abbreviation: 'AST', zoneId: 'America/Santo_Domingo' },
    { activeDate: new Date('2026-03-04T00:00:00Z'), abbreviation: 'OOPS', zoneId: 'Not/AZone' },
  ])
  assert.equal(trip.zoneAt(new Date('2026-03-01T12:00:00Z')).abbreviation, 'EST')
  assert.equal(trip.zoneAt(new Date('2026-03-03T12:00:00Z')).abbreviation, 'AST')
  assert.deepEqual(trip.zoneAt(new Date('2026-07-01T12:00:00Z')), { id: 'America/New_York', abbreviation: 'EDT', offsetSeconds: -14_400 })
})

test('Trip: converting and labelling times makes no formatter for each value', () => {
  const trip = tripOf('America/New_York', [
    { activeDate: new Date('2026-03-02T00:00:00Z'), abbreviation: 'AST', zoneId: 'America/Santo_Domingo' },
    { activeDate: new Date('2026-03-04T00:00:00Z'), abbreviation: 'XST', zoneId: 'Not/AZone' },
  ])
  const use = () => {
    for (const day of [1, 3, 5]) {
      const at = new Date(Date.UTC(2026, 2, day, 12))
      trip.portToDisplay(at)
      trip.displayToPort(at)
      trip.clientToPort(at, at)
      trip.zoneAt(at)
      trip.portZoneAt(at)
      trip.dayOf(at)
      trip.dayWindow(2, 3)
      trip.referenceTime(at, 'cruiseWeek')
    }
  }
  // What is made once for each zone is there afterwards.
  use()
  const { DateTimeFormat } = Intl
  let made = 0
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, args) {
      made++
      return Reflect.construct(target, args) as Intl.DateTimeFormat
    },
    apply(target, self, args) {
      made++
      return Reflect.apply(target, self, args) as Intl.DateTimeFormat
    },
  })
  try {
    use()
  } finally {
    Intl.DateTimeFormat = DateTimeFormat
  }
  assert.equal(made, 0)
})
