// Lengths of time in words.
import { locale } from '../texts.ts'

/** "30 seconds", "5 minutes" or "one hour". */
export function duration(seconds: number): string {
  const [value, unit] =
    seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(value as number)
}
