// A real provider of OpenID Connect, at which whoever comes is signed in as the test says.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface IdentityProvider {
  readonly issuer: string
  /** Settings of a server that trusts it. */
  readonly env: Readonly<Record<string, string>>
  /** Who comes from now on; undefined: somebody who does not want to. */
  person: ProviderPerson | undefined
  /** False: whatever is asked of it fails. */
  isUp: boolean
  /** It signs with another key than the one that it shows, as somebody would who only pretends to be it. */
  isForged: boolean
  close(): Promise<void>
}

export interface ProviderPerson {
  sub: string
  email?: string
  preferred_username?: string
}

const clientId = 'quarterdeck'
const clientSecret = 'only the two of them know it'
const scopes = 'openid profile email'
const usage = { use: 'sig', alg: 'RS256', kid: 'one of two' }

/** `address`: of the server that people are sent back to. */
export async function startIdentityProvider(address: string): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [own, foreign] = [0, 1].map(() => ({
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    ...usage,
  }))
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${address}/oidc/return`] }],
    claims: { openid: ['sub'], email: ['email'], profile: ['preferred_username'] },
    cookies: { keys: [randomUUID()] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [own] },
    // Nobody is asked whether they agree.
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(scopes)
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  })
  const serve = provider.callback()
  const { kty, n, e } = foreign as { kty: string; n: string; e: string }
  const foreignKeys = JSON.stringify({ keys: [{ kty, n, e, ...usage }] })
  const result: IdentityProvider = {
    issuer,
    env: {
      SWIFTARR_EXTERNAL_URL: address,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Lantern College',
    },
    person: undefined,
    isUp: true,
    isForged: false,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!result.isUp) return response.writeHead(500).end()
    if (result.isForged && request.url === '/jwks') return response.writeHead(200, { 'content-type': 'application/json' }).end(foreignKeys)
    if (!request.url?.startsWith('/interaction/')) return await serve(request, response)
    const { person } = result
    if (person) people.set(person.sub, person)
    const outcome = person ? { login: { accountId: person.sub, remember: false } } : { error: 'access_denied' }
    return await provider.interactionFinished(request, response, outcome)
  }
  server.on('request', (request, response) => void answer(request, response).catch(() => response.writeHead(500).end()))
  return result
}
