// Browser sessions at the edge: the cookie that names one, and whether a request with it comes from a page
// of this server. Any page can make a browser send the cookie, so that the cookie alone proves nothing.
import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import type { ServiceHead } from './head.ts'

// With this prefix browsers take the cookie over TLS only, and from this very host.
const names = { 'https:': '__Host-quarterdeck', 'http:': 'quarterdeck' } as const
/** As long as browsers allow; the server decides earlier. */
const maxAgeSeconds = 400 * 24 * 60 * 60

type Scheme = keyof typeof names

/** The scheme with which the client reached this server, as far as it can be known. */
function schemeOf({ tls, trustProxy, externalUrl }: Config, { host, forwardedProto }: ServiceHead): Scheme {
  if (tls) return 'https:'
  if (trustProxy && forwardedProto !== '') return forwardedProto.split(',').at(-1)?.trim() === 'https' ? 'https:' : 'http:'
  return externalUrl.toLowerCase() === `https://${host}` ? 'https:' : 'http:'
}

/** Whether an Origin header names this server: as the operator gives its address, or as the client called it. */
function isOwnOrigin(config: Config, head: ServiceHead): boolean {
  return head.origin === new URL(config.externalUrl).origin || head.origin === `${schemeOf(config, head)}//${head.host}`
}

/** The session that the request's cookie names: a digest, since nothing else is ever kept of it. */
export function sessionKeyIn(config: Config, head: ServiceHead): string | undefined {
  // Over TLS only the cookie counts that nobody without TLS can have set.
  const usable = schemeOf(config, head) === 'https:' ? [names['https:']] : [names['https:'], names['http:']]
  const pairs = head.cookie.split(';').map((pair) => pair.trim())
  for (const name of usable) {
    const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    if (value !== undefined && /^[\w-]{43}$/.test(value)) return sessionKeyOf(value)
  }
  return undefined
}

/** The key of the session with this cookie. */
export const sessionKeyOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64')

/** True for a request that a page of this server made: what changes something, and opens sockets, has to be one. */
export function isFromOwnPage(config: Config, head: ServiceHead): boolean {
  return isOwnOrigin(config, head) && (head.fetchSite === '' || head.fetchSite === 'same-origin')
}

/** False for a reading request that another site made. */
export function mayRead(config: Config, head: ServiceHead): boolean {
  return (head.origin === '' || isOwnOrigin(config, head)) && ['', 'none', 'same-origin'].includes(head.fetchSite)
}

/**
 * True for a reading request that a script of this server's own pages made: a picture or a link in what somebody wrote
 * cannot send the header, and browsers say of which kind it is.
 */
export function isFromOwnScript(config: Config, head: ServiceHead): boolean {
  const saysSo = head.session !== '' || (head.fetchSite === 'same-origin' && head.fetchDest === 'empty')
  return mayRead(config, head) && (saysSo || head.origin !== '')
}

/** The header that gives the browser its session. */
export function cookieHeader(config: Config, head: ServiceHead, cookie: string): string {
  const isSecure = head.origin === '' ? schemeOf(config, head) === 'https:' : head.origin.startsWith('https:')
  return setCookie(isSecure ? 'https:' : 'http:', cookie, maxAgeSeconds)
}

/** The header that takes it away. */
export const endedCookieHeader = (config: Config, head: ServiceHead): string => setCookie(schemeOf(config, head), '', 0)

function setCookie(scheme: Scheme, value: string, seconds: number): string {
  return `${names[scheme]}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${scheme === 'https:' ? '; Secure' : ''}`
}
