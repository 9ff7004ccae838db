// How the operator's settings are read, one by one.

/** Wrong values from the operator. `message` is a whole sentence for each, on a line of its own, that names the input. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The value under the first of these names that is set. */
export type Lookup = (...names: string[]) => string | undefined

/** @throws ConfigError when it is no whole number within the bounds. */
export function integerIn(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return number
}

/** @throws ConfigError when it is neither true nor false. */
export function flag(name: string, value: string): boolean {
  if (/^(true|1)$/i.test(value)) return true
  if (/^(false|0)$/i.test(value)) return false
  throw new ConfigError(`${name} must be true or false, not "${value}".`)
}

/** Without slashes at its end. @throws ConfigError when it is no http or https URL. */
export function webUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ConfigError(`${name} must be an http or https URL, not "${value}".`)
  return value.replace(/(?<!\/)\/+$/, '')
}

/** A list in one setting: with commas, blanks or both between its parts. */
export const listed = (value = ''): string[] => value.split(/[\s,]+/).filter(Boolean)

/** In lower case. @throws ConfigError that names the first which is none, `*` aside. */
export function origins(name: string, values: readonly string[]): string[] {
  const wrong = values.find((value) => value !== '*' && !isOrigin(value.toLowerCase()))
  if (wrong !== undefined) throw new ConfigError(`${name} must list origins such as https://tools.example, or be *. "${wrong}" is none.`)
  return values.map((value) => value.toLowerCase())
}

/** As browsers write it in `Origin`: without a path, and without the usual port of its scheme. */
function isOrigin(value: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(value) || !URL.canParse(value)) return false
  // Pages that apps bring along have schemes of their own, of whose addresses URL makes no origin.
  return new URL(value).origin === value || !/^https?:/.test(value)
}

/** True for a host that only this machine can reach. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
