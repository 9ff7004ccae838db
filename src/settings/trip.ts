// Ship time. Starts and ends are stored as floating times: the instant at which a clock in the port's
// zone shows the wanted wall clock. Three conversions keep the wall clock and swap the zone.
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon'

export interface ZoneChange {
  activeDate: Date
  abbreviation: string
  zoneId: string
}

/** The zone of one instant. */
export interface ZoneInForce {
  id: string
  abbreviation: string
  offsetSeconds: number
}

/** Whether a zone is known: one of a place, or a fixed offset such as UTC-3:30. */
export function isZone(zoneId: string): boolean {
  const fixed = FixedOffsetZone.parseSpecifier(zoneId)
  return fixed ? Math.abs(fixed.offset(0)) <= 14 * 60 : IANAZone.isValidZone(zoneId)
}

/** When and where the trip is, and in which zone its clocks are. */
export class Trip {
  readonly portZone: string
  readonly startDate: string
  readonly lengthInDays: number
  /** In order of time. */
  readonly changes: readonly ZoneChange[]
  /** Changes whose zone does not exist. Asking luxon makes a formatter each time: too expensive for each value. */
  readonly #unknown: ReadonlySet<ZoneChange>

  /** `changes` in order of time; those with an unknown zone count as no change. */
  constructor(options: { portZone: string; startDate: string; lengthInDays: number; changes: readonly ZoneChange[] }) {
    this.portZone = options.portZone
    this.startDate = options.startDate
    this.lengthInDays = options.lengthInDays
    this.changes = options.changes
    this.#unknown = new Set(options.changes.filter(({ zoneId }) => !isZone(zoneId)))
  }

  /** Floating time to the instant it stands for: for every time that is sent. */
  portToDisplay(stored: Date): Date {
    return rezone(stored, this.portZone, this.#recordAt(stored)?.zoneId)
  }

  /** An instant to floating time, read in the zone in force then: to compare "now" with stored times. */
  displayToPort(instant: Date): Date {
    return rezone(instant, this.#recordAt(instant)?.zoneId, this.portZone)
  }

  /** A time given by a client, read in the zone in force now: "5 pm Thursday" stays 5 pm on Thursday's clock. */
  clientToPort(given: Date, now: Date): Date {
    return rezone(given, this.#recordAt(now)?.zoneId, this.portZone)
  }

  /** Label of the zone in force at an instant. */
  zoneAt(instant: Date): ZoneInForce {
    const record = this.#recordAt(instant)
    const label = labelOf(record?.zoneId ?? this.portZone, instant)
    // Zones without a customary abbreviation give an offset such as GMT+3: the table's own word is better.
    return record && /^(GMT|UTC)[+-]/.test(label.abbreviation) ? { ...label, abbreviation: record.abbreviation } : label
  }

  /** Label of the port's own zone at an instant. */
  portZoneAt(instant: Date): ZoneInForce {
    return labelOf(this.portZone, instant)
  }

  /** Midnight of embarkation day in the port's zone. */
  get start(): Date {
    return DateTime.fromISO(this.startDate, { zone: this.portZone }).toJSDate()
  }

  /** `day` 03:00 of the trip to 03:00 of the next, or from midnight, as floating times. */
  dayWindow(day: number, fromHour: 0 | 3): { from: Date; to: Date } {
    const midnight = DateTime.fromISO(this.startDate, { zone: this.portZone }).plus({ days: day })
    return { from: midnight.set({ hour: fromHour }).toJSDate(), to: midnight.plus({ days: 1 }).set({ hour: 3 }).toJSDate() }
  }

  /**
   * The number of a day by its English name, of which three letters count; `2sat` and `2sun` are a week later. Unknown
   * names are embarkation day.
   */
  dayNamed(name: string): number {
    const [, week, letters] = /^([12]?)(su|mo|tu|we|th|fr|sa)/i.exec(name) ?? []
    const weekday = letters === undefined ? undefined : ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'].indexOf(letters.toLowerCase()) + 1
    if (weekday === undefined || (week !== '' && weekday < 6)) return 0
    return ((weekday - DateTime.fromISO(this.startDate).weekday + 7) % 7) + (week === '2' ? 7 : 0)
  }

  /** The number of the day in the port's zone that an instant lies in. */
  dayOf(instant: Date): number {
    const start = DateTime.fromISO(this.startDate, { zone: this.portZone })
    return Math.round(DateTime.fromJSDate(instant, { zone: this.portZone }).startOf('day').diff(start, 'days').days)
  }

  /**
   * The moment that "upcoming" is counted from. `cruiseWeek`: outside the trip, the day of the trip's
   * week with the same weekday at the same time of day. Whole seconds.
   */
  referenceTime(now: Date, setting: 'disabled' | 'cruiseWeek' | 'current'): Date {
    const current = new Date(Math.floor(now.getTime() / 1000) * 1000)
    if (setting !== 'cruiseWeek') return current
    const start = DateTime.fromISO(this.startDate, { zone: this.portZone })
    const at = DateTime.fromJSDate(current, { zone: this.portZone })
    if (at >= start && at <= start.plus({ days: this.lengthInDays })) return current
    const days = (at.weekday - start.weekday + 7) % 7
    return start.plus({ days }).set({ hour: at.hour, minute: at.minute, second: at.second }).toJSDate()
  }

  #recordAt(instant: Date): ZoneChange | undefined {
    const record = this.changes.findLast(({ activeDate }) => activeDate <= instant)
    return record && !this.#unknown.has(record) ? record : undefined
  }
}

function rezone(instant: Date, from: string | undefined, to: string | undefined): Date {
  if (from === undefined || to === undefined || from === to) return instant
  return DateTime.fromJSDate(instant, { zone: from }).setZone(to, { keepLocalTime: true }).toJSDate()
}

/** Names of zones by their offset: to look one up takes longer than everything else about an event. */
const abbreviations = new Map<string, string>()

function labelOf(zoneId: string, instant: Date): ZoneInForce {
  const at = DateTime.fromJSDate(instant, { zone: zoneId })
  const key = `${zoneId} ${at.offset}`
  let abbreviation = abbreviations.get(key)
  if (abbreviation === undefined) {
    abbreviation = at.setLocale('en-US').offsetNameShort ?? ''
    abbreviations.set(key, abbreviation)
  }
  return { id: zoneId, abbreviation, offsetSeconds: at.offset * 60 }
}
