// The two addresses that a browser goes to by itself: the way to the provider, and the way back from there. Both lead to a page of the
// app, which says what went wrong, too.
import type { Page } from '../core/http/http.ts'
import { Reply } from '../core/http/route.ts'
import type { Node } from '../core/work/ctx.ts'
import type { RequestHead } from '../core/work/request-head.ts'
import { authorizationUrl, exchangeCode } from './provider.ts'
import { endedStateHeader, stateHeader, stateIn } from './state-cookie.ts'

/** The page of the app that goes on. */
const page = '/login/provider'
const maxTo = 300

/** Why somebody is not signed in: the provider is away, they did not want to, or what they came back with is not good. */
type Reason = 'away' | 'refused' | 'failed'

const leadsTo = (address: string, headers: Record<string, string> = {}) =>
  new Reply(303, undefined, { Location: address, 'Cache-Control': 'no-store', ...headers })

function failed(node: Node, head: RequestHead, reason: Reason, error?: unknown): Reply {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // Its cause has the answer of the provider, in which there may be tokens.
  if (error) node.log.warn({ requestId: head.requestId, reason, code, message }, 'nobody could be signed in by the provider')
  return leadsTo(`${page}?${reason}`, { 'Set-Cookie': endedStateHeader(node, head) })
}

/** A path of the app. */
const pathIn = (query: string): string => {
  const to = new URLSearchParams(query).get('to') ?? '/'
  return /^\/[^/\\]/.test(to) && to.length <= maxTo ? to : '/'
}

export const beginPage: Page = {
  path: '/oidc/begin',
  about: {
    summary:
      'Leads a browser to the provider that the operator has chosen (OpenID Connect), to sign in there. `to`: the page of the app to come back to.',
    type: 'text/html',
    redirects: 303,
  },
  async run(node, _params, head) {
    const { oidc } = node.config
    if (!oidc) return leadsTo('/login')
    try {
      const { url, request } = await authorizationUrl(node, oidc)
      return leadsTo(url, { 'Set-Cookie': stateHeader(node, head, 'request', { ...request, to: pathIn(head.query) }) })
    } catch (error) {
      return failed(node, head, 'away', error)
    }
  },
}

export const returnPage: Page = {
  path: '/oidc/return',
  about: {
    summary: 'Where the provider sends a browser back to; leads to the page of the app that signs it in.',
    type: 'text/html',
    redirects: 303,
  },
  async run(node, _params, head) {
    const { oidc } = node.config
    if (!oidc) return leadsTo('/login')
    const request = stateIn(node, head, 'request')
    if (!request) return failed(node, head, 'failed')
    if (new URLSearchParams(head.query).get('error') === 'access_denied') return failed(node, head, 'refused')
    try {
      const identity = await exchangeCode(node, oidc, head.query, request)
      return leadsTo(page, { 'Set-Cookie': stateHeader(node, head, 'return', { ...identity, to: request.to }) })
    } catch (error) {
      return failed(node, head, 'failed', error)
    }
  },
}
