// What the browser does with passkeys (WebAuthn): whether it can here, makes one, signs with one.
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type { PasskeyChallengeData, PasskeyCreateData, PasskeyLoginData, PasskeyOptionsData } from '../../sdk/client.ts'
import { t } from '../texts.ts'
import './texts.ts'

/** Passkeys belong to names: there are none for numbers, such as 192.168.0.5 or [fe80::1]. */
const hasName = !/^[\d.]+$|:/.test(location.hostname)

/** True where this browser can use passkeys on this page. */
export const canUsePasskeys = isSecureContext && hasName && browserSupportsWebAuthn()

/** Five minutes, as the server has it. */
const timeout = 300_000
/** ES256, EdDSA and RS256, by their numbers in COSE. */
const algorithms = [-7, -8, -257]

/** Lets the device make a passkey. @throws Error in words for its owner */
export async function make(
  { challenge, userHandle, known }: PasskeyOptionsData,
  username: string,
): Promise<PasskeyCreateData['credential']> {
  try {
    const { id, response } = await startRegistration({
      optionsJSON: {
        challenge,
        rp: { name: 'Quarterdeck' },
        user: { id: userHandle, name: username, displayName: username },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
        excludeCredentials: known.map((each) => ({ id: each, type: 'public-key' })),
        // It is found without a user name, and whoever holds the device is asked who they are.
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout,
      },
    })
    return { id, response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject } }
  } catch (error) {
    const isThere = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new Error(t(isThere ? 'passkey.exists' : 'passkey.notMade'), { cause: error })
  }
}

/** Lets somebody choose a passkey, and the device sign with it. @throws Error in words for its owner */
export async function sign({ challenge }: PasskeyChallengeData): Promise<PasskeyLoginData['credential']> {
  try {
    const { id, response } = await startAuthentication({ optionsJSON: { challenge, userVerification: 'required', timeout } })
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    return { id, response: { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) } }
  } catch (error) {
    throw new Error(t('passkey.cancelled'), { cause: error })
  }
}
