// Admission: credentials, access level, feature switch and role, in the order the API promises.
// Shared by requests and socket upgrades. Only that a caller is below `verified` is said later, when
// nothing is wrong with the request itself.
import type { Node } from '../work/ctx.ts'
import { featureDisabled, forbidden, unauthorized, AppError } from '../base/errors.ts'
import type { RequestHead } from '../work/request-head.ts'
import { isFromOwnPage, isFromOwnScript, mayRead, programTokenStart, sessionKeyIn, sessionKeyOf } from './own-page.ts'
import type { Access, Gate, ServiceFeature } from './route.ts'
import { accessLevels, atLeast, type UserAccessLevel, type UserRoleType, type Viewer } from '../base/viewer.ts'

/** Looks credentials up. The auth feature provides it. */
export interface Authenticator {
  /** The word for a level, as clients see it. */
  levelName(node: Node, level: UserAccessLevel): string
  /** The account of a token: at once when it is hot. Banned accounts are unknown. */
  bearer(node: Node, token: string): Viewer | undefined | Promise<Viewer | undefined>
  /** The account of a browser session, by its key. Banned accounts are unknown. */
  session(node: Node, key: string): Viewer | undefined | Promise<Viewer | undefined>
  /** The account of a program's token, by the key of its session; says in `head` whether it only reads. @throws AppError 403 for one that only reads, unless it does. */
  program(node: Node, head: RequestHead, reads: boolean): Viewer | undefined | Promise<Viewer | undefined>
  /** @throws AppError 401 for wrong credentials, 403 for a banned account, 429 after too many failures. */
  basic(node: Node, username: string, password: string, address: string): Promise<Viewer>
  /** Whether this is the name of an account that the operator's own programs may use. */
  isService(username: string): boolean
  /** Whether a feature is switched off for all apps. */
  disabled(node: Node, features: readonly ServiceFeature[]): boolean
  /** Whether the server is closed to this caller, or to callers without a name, where the gate lets nobody else through. */
  closedTo(node: Node, viewer: Viewer | undefined, gate: Gate | undefined): boolean
  /** Whether this caller, not being verified yet, may only call what is open to such callers. */
  closedToUnverified(node: Node, viewer: Viewer): boolean
}

declare module '../work/ctx.ts' {
  interface Node {
    readonly authenticator: Authenticator
  }
}

export interface Admission {
  access: Access
  role?: UserRoleType
  orRole?: UserRoleType
  gate?: Gate
  openToUnverified?: boolean
  features?: readonly ServiceFeature[]
  /** Nothing but a GET: everything else with a cookie has to come from a page of this server. */
  reads?: boolean
}

const longestToken = 200
const levels = new Set<string>(accessLevels)
/** These need an account, of whatever level. */
const forAccounts: ReadonlySet<Access> = new Set<Access>(['token', 'either', 'basic'])

/**
 * The caller, or undefined on open routes. Answers at once whenever no lookup is needed.
 *
 * @throws AppError 401, 403, 429 or 451; a promise rejects with the same.
 */
export function admit(
  node: Node,
  admission: Admission,
  head: RequestHead,
  address: string,
): Viewer | undefined | Promise<Viewer | undefined> {
  const found = identify(node, admission, head, address)
  if (found instanceof Promise) return found.then((viewer) => requireAdmission(node, admission, (head.caller = viewer)))
  return requireAdmission(node, admission, (head.caller = found))
}

function identify(
  node: Node,
  { access, reads = false }: Admission,
  head: RequestHead,
  address: string,
): Viewer | undefined | Promise<Viewer | undefined> {
  if (access === 'none') return undefined
  const { authorization } = head
  if (authorization === '' && head.cookie !== '')
    return access === 'basic' || access === 'service' ? undefined : bySession(node, head, reads)
  const token = bearerTokenIn(authorization)
  if (token !== undefined && access !== 'basic' && access !== 'service') {
    if (token.startsWith(programTokenStart)) return byProgram(node, head, token, reads)
    return token.length <= longestToken ? node.authenticator.bearer(node, token) : undefined
  }
  const basic = /^basic +(\S+)$/i.exec(authorization)?.[1]
  if (basic === undefined || (access !== 'basic' && access !== 'either' && access !== 'service')) return undefined
  const credentials = Buffer.from(basic, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 0) throw unauthorized()
  const username = credentials.slice(0, colon)
  if (access === 'service' && !node.authenticator.isService(username)) return undefined
  return node.authenticator.basic(node, username, credentials.slice(colon + 1), address)
}

function byProgram(node: Node, head: RequestHead, token: string, reads: boolean): Viewer | undefined | Promise<Viewer | undefined> {
  if (token.length > longestToken) return undefined
  head.sessionKey = sessionKeyOf(token, 'program')
  head.isProgram = true
  return node.authenticator.program(node, head, reads)
}

function bySession(node: Node, head: RequestHead, reads: boolean): Viewer | undefined | Promise<Viewer | undefined> {
  const key = sessionKeyIn(node.config, head)
  if (key === undefined) return undefined
  if (!(reads ? mayRead : isFromOwnPage)(node.config, head))
    throw forbidden('origin_foreign', 'This request does not come from a page of this server.')
  head.sessionKey = key
  head.onlyReads = head.method === 'get' && !isFromOwnScript(node.config, head)
  const found = node.authenticator.session(node, key)
  return found instanceof Promise ? found.then((viewer) => expectedBy(head, viewer)) : expectedBy(head, found)
}

/** All tabs of a browser share its cookie: what a page asks for one account must not happen in the name of the next. */
function expectedBy({ sessionUser }: RequestHead, viewer: Viewer | undefined): Viewer | undefined {
  if (viewer && sessionUser !== '' && sessionUser.toLowerCase() !== viewer.id.toLowerCase())
    throw unauthorized('session_of_another', 'Somebody else is signed in with this browser by now.')
  return viewer
}

function bearerTokenIn(authorization: string): string | undefined {
  // As all apps write it.
  if (authorization.startsWith('Bearer ') && !authorization.includes(' ', 7)) return authorization.slice(7)
  return /^bearer +(\S+)$/i.exec(authorization)?.[1]
}

/** The caller, who is known already; refusals as those of `admit`. */
export function requireAdmission(
  node: Node,
  { access, role, orRole, gate, openToUnverified, features }: Admission,
  viewer: Viewer | undefined,
): Viewer | undefined {
  if (!viewer && access === 'service') throw unauthorized('unauthenticated', 'Service account authentication is required.')
  if (!viewer && access !== 'none' && access !== 'flex') throw unauthorized()
  if (access !== 'none' && access !== 'service' && node.authenticator.closedTo(node, viewer, gate)) {
    const reason = 'This server is closed at the moment.'
    throw viewer ? forbidden('server_closed', reason) : unauthorized('server_closed', reason)
  }
  if (viewer && !openToUnverified && forAccounts.has(access) && node.authenticator.closedToUnverified(node, viewer))
    throw forbidden(
      'verification_needed',
      'Only people who have entered their registration code can read this. Enter yours to verify your account.',
    )
  if (access !== 'verified') requireLevel(node, { access, orRole }, viewer)
  const exempt = viewer && atLeast(viewer.level, 'tho')
  if (features && !exempt && node.authenticator.disabled(node, features)) throw featureDisabled()
  if (viewer && role && !viewer.roles.has(role)) throw new AppError(400, 'role_missing', `This needs the role ${role}.`)
  return viewer
}

/**
 * 403 below the level that a route demands. To be called with `verified` once the request has been decoded; all other
 * levels `admit` has looked at.
 */
export function requireLevel(node: Node, { access, orRole }: Pick<Admission, 'access' | 'orRole'>, viewer: Viewer | undefined): void {
  if (orRole !== undefined && viewer?.roles.has(orRole)) return
  if (!viewer || !levels.has(access) || atLeast(viewer.level, access as UserAccessLevel)) return
  if (viewer.withheldLevel && atLeast(viewer.withheldLevel, access as UserAccessLevel))
    throw forbidden(
      'second_factor_required',
      'On this server members of the team need a second factor. Set one up in the browser, on the page of your account.',
    )
  throw forbidden(
    'level_too_low',
    `This needs the access level ${node.authenticator.levelName(node, access as UserAccessLevel)} or higher.`,
  )
}
