// What fits into free time, whatever the schedule and the plan: nothing that overlaps, nothing outside of it, and no better choice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { EventData } from '../../src/sdk/client.ts'
import { bestOf, fitsInto, insteadOf, openDuring, spanOf, walkMinutes, type Fit } from '../../src/web/planner/fits.ts'
import { idOf, placeOf, type Planned } from '../../src/web/planner/plan.ts'
import { randomTest } from '../support/random-runs.ts'

const dayMs = Date.UTC(2026, 2, 3)
const at = (minutes: number) => new Date(dayMs + minutes * 60_000).toISOString()

interface Given {
  from: number
  long: number
  title?: string
  location?: string
  eventType?: string
  performer?: string
}

let made = 0
function event({ from, long, title = 'Something', location = 'Lido', eventType = 'Party', performer }: Given): Planned {
  const performers = performer === undefined ? [] : [{ name: performer }]
  const data = { eventID: String(made++), title, location, eventType, performers, startTime: at(from), endTime: at(from + long) }
  return { ...data, event: data as unknown as EventData }
}

const free = { from: dayMs + 600 * 60_000, to: dayMs + 840 * 60_000 }
const titles = (list: readonly { title: string }[]) => list.map(({ title }) => title)
const titlesOf = (fits: readonly Fit[]) => titles(fits.map(({ planned }) => planned))

const places = ['Lido, Deck 9, Aft', 'Lounge, Deck 2, Forward', 'Bar, Deck 3, Midship', 'Whole ship']
const anyEvent = fc
  .record({
    from: fc.integer({ min: 560, max: 860 }).map((minutes) => minutes - (minutes % 5)),
    long: fc.integer({ min: 3, max: 50 }).map((fives) => fives * 5),
    location: fc.constantFrom(...places),
    eventType: fc.constantFrom('Party', 'Gaming', 'Workshop'),
  })
  .map(event)

const overlap = (one: Planned, other: Planned) => one.startTime < other.endTime && other.startTime < one.endTime
const canFollow = (one: Planned, other: Planned) =>
  spanOf(one).to + (walkMinutes(placeOf(one), placeOf(other)) ?? 0) * 60_000 <= spanOf(other).from
const valueOf = (fits: readonly Fit[]) =>
  fits.reduce((sum, { score, planned }) => sum + score * (spanOf(planned).to - spanOf(planned).from), 0)

/** The best value of all choices, by trying each. */
function bestValue(fits: readonly Fit[], last?: Planned): number {
  return Math.max(
    0,
    ...fits
      .filter(({ planned }) => !last || canFollow(last, planned))
      .map(
        (fit) =>
          valueOf([fit]) +
          bestValue(
            fits.filter((each) => each !== fit && canFollow(fit.planned, each.planned)),
            fit.planned,
          ),
      ),
  )
}

randomTest('fits', 'nothing overlaps, nothing is outside, and no choice is better', 200, (parameters) => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 9 }), fc.array(anyEvent, { maxLength: 3 }), (offers, plan) => {
      const fits = fitsInto(free, offers, plan)
      for (const { planned, score } of fits) {
        assert.ok(!plan.some((each) => overlap(each, planned)))
        assert.ok(spanOf(planned).from >= free.from - 600_000 && spanOf(planned).to <= free.to)
        assert.ok(score >= 1)
      }
      const best = bestOf(fits)
      for (const [index, { planned }] of best.entries()) {
        const next = best[index + 1]?.planned
        assert.ok(!next || canFollow(planned, next))
      }
      assert.ok(best.every((fit) => fits.includes(fit)))
      assert.equal(valueOf(best), bestValue(fits))
    }),
    parameters,
  )
})

test('what goes with what is followed comes first, and says why', () => {
  const plan = [event({ from: 100, long: 60, title: 'Sea shanties', eventType: 'Music', performer: 'Ann', location: 'Stage' })]
  const fits = fitsInto(
    free,
    [
      event({ from: 610, long: 60, title: 'Plain' }),
      event({ from: 620, long: 60, title: 'Same place', location: 'Stage' }),
      event({ from: 630, long: 60, title: 'Shanties for all' }),
      event({ from: 640, long: 60, title: 'Same kind', eventType: 'Music' }),
      event({ from: 650, long: 60, title: 'With Ann', performer: 'Ann' }),
    ],
    plan,
  )
  assert.deepEqual(titlesOf(fits), ['With Ann', 'Same kind', 'Shanties for all', 'Same place', 'Plain'])
  assert.deepEqual(
    fits.map(({ reasons }) => reasons[0]),
    ['performer', 'kind', 'words', 'place', undefined],
  )
})

test('what began ten minutes ago still fits, what lasts for hours is a place to drop into', () => {
  const offers = [
    event({ from: 590, long: 60, title: 'Just begun' }),
    event({ from: 589, long: 60, title: 'Begun before' }),
    event({ from: 500, long: 400, title: 'Open all day' }),
    event({ from: 300, long: 325, title: 'Closes soon' }),
  ]
  assert.deepEqual(titlesOf(fitsInto(free, offers, [])), ['Just begun'])
  assert.deepEqual(titles(openDuring(free, offers)), ['Open all day'])
})

test('the way between two places follows from decks and thirds of the ship, where their names tell', () => {
  assert.equal(walkMinutes('Lido, Deck 9, Aft', 'Lido, Deck 9, Aft'), 0)
  assert.equal(walkMinutes('Lido, Deck 9, Aft', 'Lounge, Deck 2, Forward'), 11)
  assert.equal(walkMinutes('Lido, Deck 9', 'Bar, Deck 9, Midship'), 1)
  assert.equal(walkMinutes('Lido', 'Bar, Deck 9'), undefined)
})

test('instead of something: the same at another time, else what fits at its time', () => {
  const plan = [event({ from: 700, long: 60, title: 'Dinner' })]
  const planned = event({ from: 620, long: 60, title: 'Trivia' })
  const gone = { ...planned, id: idOf(planned) }
  const other = event({ from: 625, long: 30, title: 'Knots' })
  const again = event({ from: 900, long: 60, title: 'Trivia' })
  const clashing = event({ from: 730, long: 60, title: 'Trivia' })
  assert.deepEqual(insteadOf(gone, [other, clashing, again], [...plan, planned], dayMs).map(idOf), [idOf(again)])
  assert.deepEqual(insteadOf(gone, [other, clashing], [...plan, planned], dayMs).map(idOf), [idOf(other)])
  assert.deepEqual(insteadOf(gone, [other, clashing], [...plan, planned], dayMs + 950 * 60_000).map(idOf), [idOf(other)])
})
