// Settings that the operator's configuration has too: the host's word counts before it, for servers and for the doctor.
import type { Config } from '../core/base/config.ts'
import type { Settings } from './values.ts'

/** The days of the trip. */
export const tripDates = (
  { startDate, lengthInDays }: Pick<Config, 'startDate' | 'lengthInDays'>,
  { tripStartDate, tripLengthInDays }: Pick<Settings, 'tripStartDate' | 'tripLengthInDays'>,
): { startDate: string; lengthInDays: number } => ({
  startDate: tripStartDate || startDate,
  lengthInDays: tripLengthInDays || lengthInDays,
})

/** Whether a backup is made every night. */
export const makesNightlyBackups = (
  { backupDir }: Pick<Config, 'backupDir'>,
  { nightlyBackups }: Pick<Settings, 'nightlyBackups'>,
): boolean => nightlyBackups ?? backupDir !== undefined
