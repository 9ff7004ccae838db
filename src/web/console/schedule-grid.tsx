// Changes of the schedule on the days' clocks: what is new, gone, moved or different, and how many follow it.
import type { EventData, ScheduleChangesData } from '../../sdk/client.ts'
import { dayOf, dayTitle } from '../events/query.ts'
import { clock, shortWeekday } from '../kit/time.ts'
import { wordsChanged } from '../team/diff.ts'
import { c } from '../team/texts.ts'

export type Change = ScheduleChangesData['changes'][number]
export type Kind = Change['kinds'][number]
export const kinds: readonly Kind[] = ['new', 'gone', 'time', 'place', 'text']

/** A day begins at three in the morning. */
const firstMinute = 180
const dayMinutes = 24 * 60

/** Minutes since the day of people began. */
function minuteOf(date: string): number {
  const [hours = 0, minutes = 0] = clock(date).split(':').map(Number)
  return (hours * 60 + minutes - firstMinute + dayMinutes) % dayMinutes
}

interface Bar {
  from: number
  to: number
}

function barOf({ startTime, endTime }: EventData): Bar {
  const from = minuteOf(startTime)
  const minutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000
  return { from, to: Math.min(dayMinutes, from + Math.max(15, minutes)) }
}

/** As it will be, or as it was when it goes. */
const eventOf = ({ before, after }: Change): EventData => after ?? (before as EventData)

/** One change on one day. An event that moves to another day is on both. */
interface Line {
  change: Change
  /** It leaves this day for another one. */
  leaves: boolean
  before: Bar | undefined
  after: Bar | undefined
}

function linesByDay(changes: readonly Change[]): [day: string, lines: Line[]][] {
  const days = new Map<string, Line[]>()
  const note = (day: string, line: Line) => days.set(day, [...(days.get(day) ?? []), line])
  for (const change of changes) {
    const { before, after } = change
    const [from, to] = [before && dayOf(before.startTime), after && dayOf(after.startTime)]
    if (before && after && from !== to) {
      note(from as string, { change, leaves: true, before: barOf(before), after: undefined })
      note(to as string, { change, leaves: false, before: undefined, after: barOf(after) })
    } else note((to ?? from) as string, { change, leaves: false, before: before && barOf(before), after: after && barOf(after) })
  }
  const first = ({ before, after }: Line) => after?.from ?? before?.from ?? 0
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, lines]) => [day, lines.sort((a, b) => first(a) - first(b))])
}

/** The hours that a day shows: those of its changes, and never fewer than six. */
function hoursOf(lines: readonly Line[]): { from: number; to: number } {
  const bars = lines.flatMap(({ before, after }) => [before, after].filter((bar) => bar !== undefined))
  const from = Math.floor(Math.min(...bars.map((bar) => bar.from)) / 60)
  const to = Math.ceil(Math.max(...bars.map((bar) => bar.to)) / 60)
  return { from: Math.max(0, Math.min(from, 24 - 6)), to: Math.max(to, Math.min(from + 6, 24)) }
}

export function DayGrid({ changes }: { changes: readonly Change[] }) {
  return (
    <>
      {linesByDay(changes).map(([day, lines]) => {
        const { from, to } = hoursOf(lines)
        const hours = Array.from({ length: to - from + 1 }, (_, index) => from + index)
        const every = hours.length > 12 ? 3 : 2
        const dayOfLine = ({ change: { before, after }, leaves }: Line) => ((leaves ? before : after) ?? before)?.startTime ?? ''
        return (
          <section key={day}>
            <h3>{dayTitle(dayOfLine(lines[0] as Line))}</h3>
            <div class="card day-grid">
              <div class="hours" aria-hidden="true">
                <div class="scale">
                  {hours.map(
                    (hour, index) =>
                      index % every === 0 &&
                      index < hours.length - 1 && (
                        <span key={hour} style={{ insetInlineStart: `${(index / (to - from)) * 100}%` }}>
                          {(hour + firstMinute / 60) % 24}
                        </span>
                      ),
                  )}
                </div>
              </div>
              <ul>
                {lines.map((line) => (
                  <ChangeLine key={`${line.change.uid} ${line.leaves}`} line={line} from={from * 60} minutes={(to - from) * 60} />
                ))}
              </ul>
            </div>
          </section>
        )
      })}
    </>
  )
}

const span = ({ startTime, endTime }: EventData) => `${clock(startTime)}–${clock(endTime)}`
const spanWithDay = (event: EventData) => `${shortWeekday(event.startTime)} ${span(event)}`

/** Two texts as one: the old words struck out, the new ones marked. */
function Words({ before, after }: { before: string; after: string }) {
  return (
    <>
      {wordsChanged(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? text : kind === 'new' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>,
      )}
    </>
  )
}

function ChangeLine({ line, from, minutes }: { line: Line; from: number; minutes: number }) {
  const { change, leaves } = line
  const { kinds: own, before, after, followers } = change
  const event = eventOf(change)
  const both = before && after
  const isElsewhere = both && dayOf(before.startTime) !== dayOf(after.startTime)
  const times = (each: EventData) => (isElsewhere ? spanWithDay(each) : span(each))
  const place = (bar: Bar) => ({
    insetInlineStart: `${((bar.from - from) / minutes) * 100}%`,
    inlineSize: `${((bar.to - bar.from) / minutes) * 100}%`,
  })
  const kind = own[0] ?? 'text'
  const moves = own.includes('time')
  return (
    <li class={`change kind-${kind}`}>
      <div class="change-text">
        <p>
          <b>{both && before.title !== after.title ? <Words before={before.title} after={after.title} /> : event.title}</b>{' '}
          {own.map((each) => (
            <span key={each} class={`tag kind-${each}`}>
              {c(`change.${each}`)}
            </span>
          ))}
        </p>
        <p class="small">
          {both && moves ? (
            <>
              <del>{times(before)}</del> <ins>{times(after)}</ins>
            </>
          ) : (
            span(event)
          )}
          {' · '}
          {both && own.includes('place') ? (
            <>
              <del>{before.location}</del> <ins>{after.location}</ins>
            </>
          ) : (
            event.location
          )}
        </p>
        {followers > 0 && <p class="warn">{c('followers', { n: followers })}</p>}
      </div>
      <div class="track" aria-hidden="true" style={{ backgroundSize: `${6000 / minutes}% 100%` }}>
        {line.before && (moves || leaves || kind === 'gone') && <span class="bar was" style={place(line.before)} />}
        {line.after && <span class="bar is" style={place(line.after)} />}
      </div>
      {both && !leaves && before.description !== after.description && (
        <details class="words small">
          <summary>{c('textDifference')}</summary>
          <p>
            <Words before={before.description} after={after.description} />
          </p>
        </details>
      )}
    </li>
  )
}
