// Who may come in: credentials, access level, feature switch and role, in the order the API promises.
// Shared by requests and socket upgrades. Only that a caller is below `verified` is said later, when
// nothing is wrong with the request itself.
import type { Node } from '../ctx.ts'
import { featureDisabled, forbidden, unauthorized, AppError } from '../errors.ts'
import type { Access, ServiceFeature } from './route.ts'
import { accessLevels, atLeast, type UserAccessLevel, type UserRoleType, type Viewer } from '../viewer.ts'

/** Looks credentials up. The auth feature provides it. */
export interface Authenticator {
  /** The account of a token: at once when it is hot. Banned accounts are unknown. */
  bearer(node: Node, token: string): Viewer | undefined | Promise<Viewer | undefined>
  /** @throws AppError 401 for wrong credentials, 403 for a banned account, 429 after too many failures. */
  basic(node: Node, username: string, password: string, address: string): Promise<Viewer>
  /** Whether a feature is switched off for all apps. */
  disabled(node: Node, features: readonly ServiceFeature[]): boolean
}

export interface Admission {
  access: Access
  role?: UserRoleType
  features?: readonly ServiceFeature[]
}

const levels = new Set<string>(accessLevels)
/** Who may call for the operator's own programs; built in, so that nobody else can have these names. */
const serviceAccounts = new Set(['admin', 'prometheus', 'tho'])

/**
 * The caller, or undefined on open routes. Answers at once whenever no lookup is needed.
 *
 * @throws AppError 401, 403, 429 or 451; a promise rejects with the same.
 */
export function admit(
  node: Node,
  admission: Admission,
  authorization: string,
  address: string,
): Viewer | undefined | Promise<Viewer | undefined> {
  const found = identify(node, admission.access, authorization, address)
  if (found instanceof Promise) return found.then((viewer) => check(node, admission, viewer))
  return check(node, admission, found)
}

function identify(node: Node, access: Access, authorization: string, address: string): Viewer | undefined | Promise<Viewer | undefined> {
  if (access === 'none') return undefined
  const token = bearerTokenIn(authorization)
  if (token !== undefined && access !== 'basic' && access !== 'service')
    return token.length <= 200 ? node.authenticator.bearer(node, token) : undefined
  const basic = /^basic +(\S+)$/i.exec(authorization)?.[1]
  if (basic === undefined || (access !== 'basic' && access !== 'either' && access !== 'service')) return undefined
  const credentials = Buffer.from(basic, 'base64').toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 0) throw unauthorized()
  const username = credentials.slice(0, colon)
  if (access === 'service' && !serviceAccounts.has(username.toLowerCase())) return undefined
  return node.authenticator.basic(node, username, credentials.slice(colon + 1), address)
}

function bearerTokenIn(authorization: string): string | undefined {
  // As all apps write it.
  if (authorization.startsWith('Bearer ') && !authorization.includes(' ', 7)) return authorization.slice(7)
  return /^bearer +(\S+)$/i.exec(authorization)?.[1]
}

function check(node: Node, { access, role, features }: Admission, viewer: Viewer | undefined): Viewer | undefined {
  if (!viewer && access === 'service') throw unauthorized('Service account authentication is required.')
  if (!viewer && access !== 'none' && access !== 'flex') throw unauthorized()
  if (viewer && access !== 'verified') requireLevel(access, viewer)
  const exempt = viewer && atLeast(viewer.level, 'tho')
  if (features && !exempt && node.authenticator.disabled(node, features)) throw featureDisabled()
  if (viewer && role && !viewer.roles.has(role)) throw new AppError(400, `This needs the role ${role}.`)
  return viewer
}

/** 403 below the level that a route demands. To be called with `verified` once the request has been decoded; all other levels `admit` has looked at. */
export function requireLevel(access: Access, viewer: Viewer | undefined): void {
  if (viewer && levels.has(access) && !atLeast(viewer.level, access as UserAccessLevel))
    throw forbidden(`This needs the access level ${access} or higher.`)
}
