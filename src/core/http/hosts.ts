// Under which host names the server answers.
//
// A site elsewhere can let its own name point to this machine (DNS rebinding). To a browser on this network its pages then
// are pages of that site, which read what they like from here: whatever needs no session, as the cookie belongs to other
// names. ALLOWED_HOSTS ends that. Without it every name is good, since nobody knows what a network calls this machine, and
// a phone that cannot get in is worse. Addresses are good in any case: no site can point one elsewhere.
import { isIP } from 'node:net'
import type { Config } from '../base/config.ts'
import { hostUnknown } from '../base/errors.ts'
import type { RequestHead } from '../work/request-head.ts'

/** The name or address in a Host header, without its port. */
export const hostnameIn = (host: string): string => host.replace(/:\d+$/, '').replace(/^\[|\]$|\.$/g, '')

/** @throws AppError 421 for a request to a host name that the operator has not listed. */
export function requireAllowedHost({ allowedHosts }: Config, { host }: RequestHead): void {
  if (allowedHosts === undefined) return
  const name = hostnameIn(host)
  if (!allowedHosts.has(name) && name !== 'localhost' && isIP(name) === 0) throw hostUnknown()
}
