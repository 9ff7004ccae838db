// Where in the trip we are.
import { dayOf } from '../events/query.ts'
import { useSettings } from '../settings/query.ts'

const dayMs = 24 * 60 * 60_000

/** Which day of the trip it is, 0 for embarkation day; undefined before and after. */
export function useTrip(): number | undefined {
  const { data } = useSettings()
  if (!data) return undefined
  const midnightOf = (date: string | Date) => Date.parse(`${dayOf(date)}T00:00Z`)
  // Noon of the first day: on the day before by no clock.
  const first = midnightOf(new Date(Date.parse(data.cruiseStartDate) + dayMs / 2))
  const day = Math.round((midnightOf(new Date()) - first) / dayMs)
  return day >= 0 && day < data.cruiseLengthInDays ? day : undefined
}
