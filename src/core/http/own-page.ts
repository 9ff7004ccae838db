// Browser sessions at the edge: the cookie that names one, and whether a request with it comes from a page
// of this server. Any page can make a browser send the cookie, so that the cookie alone proves nothing.
import { createHash } from 'node:crypto'
import type { Config } from '../base/config.ts'
import type { ServiceHead } from '../work/request-head.ts'

/** A session's cookie over TLS has this prefix: browsers then take it over TLS only, and from this very host. */
const hostPrefix = '__Host-'
/** Of sessions from before the name held the port: they stay good until they end. No browser has one for more than 400 days. */
const oldName = 'quarterdeck'
/** As long as browsers allow; the server decides earlier. */
const maxAgeSeconds = 400 * 24 * 60 * 60

/** The name that a phone app reads, and hands on to its web view. */
const appName = 'swiftarr_session'

/** `own`: of a browser that signed in with a page of this server. `app`: of an app that signed in for its web view. */
export type CookieKind = 'own' | 'app'

/** What tokens of programs begin with: no token of an app does. */
export const programTokenStart = 'qd_'

type Scheme = 'https:' | 'http:'

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

/** Browsers send cookies to all ports of a host: each server names its own by the port that its clients use. */
export const cookieName = ({ externalPort }: Pick<Config, 'externalPort'>): string => `quarterdeck-${externalPort}`

/** A cookie that names a session. */
interface SessionCookie {
  readonly name: string
  readonly value: string
}

/** The cookie of the request that names a session, if there is one; whether the session is there is not known yet. */
function sessionCookieIn(config: Config, head: ServiceHead): SessionCookie | undefined {
  const pairs = head.cookie.split(';').map((pair) => pair.trim())
  for (const name of usableNames(config, head)) {
    const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    if (value !== undefined && /^[\w-]{43}$/.test(value)) return { name, value }
  }
  return undefined
}

/**
 * Names under which a session may come, best first. Over TLS only those count that nobody without TLS can have set, and that
 * of apps, which names nothing but sessions that began so.
 */
function usableNames(config: Config, head: ServiceHead): string[] {
  const names = [cookieName(config), oldName]
  const bound = names.map((name) => hostPrefix + name)
  return schemeOf(config, head) === 'https:' ? [...bound, appName] : [...bound, ...names, appName]
}

/** The session that the request's cookie names: a digest, since nothing else is ever kept of it. */
export function sessionKeyIn(config: Config, head: ServiceHead): string | undefined {
  const cookie = sessionCookieIn(config, head)
  return cookie && sessionKeyOf(cookie.value, cookie.name === appName ? 'app' : 'own')
}

/** The key of the session with this cookie, or this token of a program; of another kind the same value names none. */
export const sessionKeyOf = (value: string, kind: CookieKind | 'program' = 'own'): string =>
  createHash('sha256')
    .update(kind === 'own' ? value : `${kind === 'app' ? appName : kind} ${value}`)
    .digest('base64')

/** True when a web view of an app asks, which has the app's session: the page does not know yet that somebody is signed in. */
export const hasAppSession = ({ cookie }: ServiceHead): boolean => cookie.includes(`${appName}=`)

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
export function cookieHeader(config: Config, head: ServiceHead, value: string, kind: CookieKind = 'own'): string {
  const isSecure = head.origin === '' ? schemeOf(config, head) === 'https:' : head.origin.startsWith('https:')
  const name = kind === 'app' ? appName : (isSecure ? hostPrefix : '') + cookieName(config)
  return setCookie({ name, value }, maxAgeSeconds, isSecure)
}

/** The header that takes away the cookie by which the caller was recognised. */
export function endedCookieHeader(config: Config, head: ServiceHead): string {
  const name = sessionCookieIn(config, head)?.name ?? cookieName(config)
  return setCookie({ name, value: '' }, 0, name.startsWith(hostPrefix))
}

/** Of the state of a sign-in elsewhere: the session's cookie does not come along from another site. Over TLS nobody else can have set it. */
const stateName = (config: Config, head: ServiceHead): string =>
  `${schemeOf(config, head) === 'https:' ? hostPrefix : ''}quarterdeck-state-${config.externalPort}`

/** The header that gives a browser such a state; an empty one takes it away. */
export function stateCookieHeader(config: Config, head: ServiceHead, value: string, seconds: number): string {
  const name = stateName(config, head)
  const end = name.startsWith(hostPrefix) ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${value === '' ? 0 : seconds}; HttpOnly; SameSite=Lax${end}`
}

/** The state that the browser has; empty when there is none. */
export function stateCookieIn(config: Config, head: ServiceHead): string {
  const start = `${stateName(config, head)}=`
  const pair = head.cookie.split(';').find((each) => each.trim().startsWith(start))
  return pair?.trim().slice(start.length) ?? ''
}

function setCookie({ name, value }: SessionCookie, seconds: number, isSecure: boolean): string {
  // A web view may come to a page by a link from elsewhere.
  const sameSite = name === appName ? 'Lax' : 'Strict'
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
}
