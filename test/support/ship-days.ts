// Days by the clock of the port where the trip begins: the product counts days by it, not by UTC.
import { DateTime } from 'luxon'

const now = () => DateTime.now().setZone('America/New_York')
const begun = now()

/** The date so many days from the one on which the test file began. */
export const shipDay = (offset: number): string => begun.plus({ days: offset }).toISODate() as string

/** When the present day ends, in milliseconds. */
export const endOfShipDay = (): number => now().endOf('day').toMillis()
