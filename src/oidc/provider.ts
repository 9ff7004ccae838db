// The provider of OpenID Connect that the operator has chosen: authorization code flow with PKCE.
import type { Configuration } from 'openid-client'
import type { OidcConfig } from '../core/base/config-services.ts'
import type { Node } from '../core/work/ctx.ts'

const answerWithinSeconds = 8
/** Clocks of two machines differ. */
const clockToleranceSeconds = 60
/** Each costs a request to the provider. */
const maxExchanges = 200
const scope = 'openid profile email'
/** What the specification allows. */
const maxSubject = 255
const maxName = 100

/** What has to fit the answer of the provider, so that nobody can sign a browser in as somebody else. */
export interface AuthorizationRequest {
  state: string
  nonce: string
  verifier: string
}

/** Somebody whom the provider knows. */
export interface Identity {
  issuer: string
  subject: string
  /** By which they know themselves. */
  name: string
  /** What they call themselves there; empty when it does not say. */
  username: string
}

const load = () => import('openid-client')
const known = new WeakMap<Node, Promise<Configuration>>()
let exchanges = 0

/** What the provider can do, as it says itself; asked for once, unless it cannot be reached. */
function configurationOf(node: Node, oidc: OidcConfig): Promise<Configuration> {
  const asked = known.get(node)
  if (asked) return asked
  const asking = discover(oidc)
  known.set(node, asking)
  asking.catch(() => known.delete(node))
  return asking
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  const { allowInsecureRequests, clockTolerance, discovery, enableNonRepudiationChecks, None } = await load()
  const isPlain = issuer.startsWith('http:')
  return await discovery(
    new URL(issuer),
    clientId,
    { ...(clientSecret === '' ? {} : { client_secret: clientSecret }), [clockTolerance]: clockToleranceSeconds },
    clientSecret === '' ? None() : undefined,
    { timeout: answerWithinSeconds, execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])] },
  )
}

/** The redirect URI, which the operator registers at the provider. */
export const redirectUri = ({ config }: Node): string => `${config.externalUrl}/oidc/return`

/** The address of the provider's page for signing in, and what has to fit its answer. */
export async function authorizationUrl(node: Node, oidc: OidcConfig): Promise<{ url: string; request: AuthorizationRequest }> {
  const configuration = await configurationOf(node, oidc)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await load()
  const request = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(node),
    scope,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, request }
}

/**
 * Whom the provider has sent back.
 *
 * @param query what stands behind the question mark of the address that the browser came back to.
 * @throws Error when the answer does not belong to this request, the provider does not stand by it, or too many come back at once.
 */
export async function exchangeCode(
  node: Node,
  oidc: OidcConfig,
  query: string,
  { state, nonce, verifier }: AuthorizationRequest,
): Promise<Identity> {
  if (exchanges >= maxExchanges) throw new Error('too many come back from the provider at once')
  exchanges++
  try {
    const configuration = await configurationOf(node, oidc)
    const { authorizationCodeGrant, fetchUserInfo } = await load()
    const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri(node)}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims || claims.sub.length > maxSubject) throw new Error('the provider says not who it is')
    // Many say only there what people are called.
    const asksMore = !nameIn(claims) && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = asksMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
    return { issuer: claims.iss, subject: claims.sub, name: (nameIn(more) ?? claims.sub).slice(0, maxName), username: usernameIn(more) }
  } finally {
    exchanges--
  }
}

type Claims = Readonly<Record<string, unknown>>

const textIn = (claims: Claims, ...names: string[]): string | undefined => {
  const found = names.map((name) => claims[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim() : undefined
}

const nameIn = (claims: Claims) => textIn(claims, 'email', 'preferred_username', 'name', 'nickname')

/** What stands before the @ of an address is a name, too. */
const usernameIn = (claims: Claims): string => textIn(claims, 'preferred_username', 'nickname', 'email')?.split('@')[0] ?? ''
