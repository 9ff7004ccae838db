// Whether devices have made and signed what they were asked to (WebAuthn Level 3, by @simplewebauthn/server).
import type { PasskeyCreateData, PasskeyLoginData } from './schemas.ts'

/** A public key, and how often it has signed. */
export interface Verified {
  publicKey: Buffer
  counter: number
  /** The host name of the page. */
  host: string
}

/** Few people have passkeys: what checks them is read when the first one comes. */
const load = () => import('@simplewebauthn/server')

/** The parts of a credential that browsers add and nobody here reads. */
const unread = { type: 'public-key', clientExtensionResults: {} } as const

/** A passkey that was made for this challenge; undefined when it was not. */
export async function verifyMade({ id, response }: PasskeyCreateData['credential'], challenge: string): Promise<Verified | undefined> {
  const origin = originIn(response.clientDataJSON)
  if (!origin) return undefined
  const { verifyRegistrationResponse } = await load()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId: id, response, ...unread },
    expectedChallenge: challenge,
    expectedOrigin: origin.origin,
    expectedRPID: origin.hostname,
    // Of the device: who holds it has shown who they are.
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (registrationInfo?.credential.id !== id) return undefined
  const { publicKey, counter } = registrationInfo.credential
  return { publicKey: Buffer.from(publicKey), counter, host: origin.hostname }
}

/** What the counter of a known passkey is after it has signed this challenge; undefined when it has not. */
export async function verifySigned(
  { id, response }: PasskeyLoginData['credential'],
  challenge: string,
  { publicKey, counter, host }: Verified,
): Promise<number | undefined> {
  const origin = originIn(response.clientDataJSON)
  if (origin?.hostname !== host) return undefined
  const { verifyAuthenticationResponse } = await load()
  const { userHandle, ...signed } = response
  const result = await verifyAuthenticationResponse({
    response: { id, rawId: id, response: { ...signed, ...(userHandle !== undefined && { userHandle }) }, ...unread },
    expectedChallenge: challenge,
    expectedOrigin: origin.origin,
    expectedRPID: host,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}

/**
 * The page that a browser says it was on. It may say any: a passkey signs for the host name that it was made for alone, and browsers
 * let no page of another host ask for that.
 */
function originIn(clientDataJSON: string): URL | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { origin: string }
    const url = new URL(origin)
    return url.origin === origin && (url.protocol === 'https:' || url.hostname === 'localhost') ? url : undefined
  } catch {
    return undefined
  }
}
