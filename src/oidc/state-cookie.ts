// The state of a sign-in by the provider, which the browser carries: first the authorization request, then whom the provider has sent
// back. It is sealed, in a cookie, so that any server can go on with it.
import { sealState, unsealState } from '../auth/seal.ts'
import { stateCookieHeader, stateCookieIn } from '../core/http/own-page.ts'
import type { Node } from '../core/work/ctx.ts'
import type { ServiceHead } from '../core/work/request-head.ts'
import type { AuthorizationRequest, Identity } from './provider.ts'

/** On the way: people look for their password there, or make an account first. */
const awayMs = 30 * 60_000
/** Back: long enough to choose a name, and to write a recovery key down. */
const backMs = 15 * 60_000

interface Kinds {
  request: AuthorizationRequest
  return: Identity
}

/** With the page of the app that somebody came from. */
type State<K extends keyof Kinds> = Kinds[K] & { to: string }

/** The header that gives it to the browser. */
export function stateHeader<K extends keyof Kinds>(node: Node, head: ServiceHead, kind: K, content: State<K>): string {
  const ms = kind === 'request' ? awayMs : backMs
  return stateCookieHeader(node.config, head, sealState(node, 'oidc', kind, content, ms), ms / 1000)
}

/** The header that takes it away. */
export const endedStateHeader = ({ config }: Node, head: ServiceHead): string => stateCookieHeader(config, head, '', 0)

/** What the browser has brought; undefined when that is nothing, something else, or too old. */
export function stateIn<K extends keyof Kinds>(node: Node, head: ServiceHead, kind: K): State<K> | undefined {
  const state = stateCookieIn(node.config, head)
  return state === '' ? undefined : unsealState<State<K>>(node, 'oidc', kind, state)
}
