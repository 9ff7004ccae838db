// A device with passkeys, as WebAuthn Level 3 describes one: makes a key, and signs with it.
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'

/** What goes wrong, on purpose. */
export interface Quirks {
  /** Another page than the one that the key is for. */
  origin?: string
  /** Nobody was asked who they are. */
  unverified?: boolean
  /** How often it has signed; it counts by itself when absent. */
  counter?: number
  /** In place of the one that it keeps. */
  userHandle?: string
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')
const flags = { present: 1, verified: 4, hasKey: 64 }

/** A head of CBOR (RFC 8949), and what follows it. */
function cbor(type: number, length: number, ...content: Buffer[]): Buffer {
  const head =
    length < 24
      ? Buffer.from([(type << 5) | length])
      : length < 256
        ? Buffer.from([(type << 5) | 24, length])
        : Buffer.from([(type << 5) | 25, length >> 8, length & 255])
  return Buffer.concat([head, ...content])
}
const int = (n: number) => (n < 0 ? cbor(1, -1 - n) : cbor(0, n))
const bytes = (content: Buffer) => cbor(2, content.length, content)
const text = (content: string) => cbor(3, content.length, Buffer.from(content))
const map = (...pairs: [Buffer, Buffer][]) => cbor(5, pairs.length, ...pairs.flat())

export class Passkey {
  readonly id = base64url(randomBytes(16))
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #userHandle = ''
  #counter = 0

  constructor(origin = 'https://ship.example') {
    this.#origin = origin
  }

  /** The credential that a page sends, made for a user. */
  made({ challenge, userHandle }: { challenge: string; userHandle: string }, quirks: Quirks = {}) {
    this.#userHandle = userHandle
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' })
    const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'))
    // ES256 on P-256, as COSE has it (RFC 9053).
    const cose = map([int(1), int(2)], [int(3), int(-7)], [int(-1), int(1)], [int(-2), coordinate(x)], [int(-3), coordinate(y)])
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const data = Buffer.concat([this.#data(flags.hasKey, quirks), Buffer.alloc(16), length, id, cose])
    const attestation = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(data)])
    const clientData = this.#clientData('webauthn.create', challenge, quirks)
    return { id: this.id, response: { clientDataJSON: base64url(clientData), attestationObject: base64url(attestation) } }
  }

  /** What it signs for a page that signs somebody in. */
  signed(challenge: string, quirks: Quirks = {}) {
    this.#counter++
    const data = this.#data(0, quirks)
    const clientData = this.#clientData('webauthn.get', challenge, quirks)
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(this.#key.privateKey)
    const { userHandle = this.#userHandle } = quirks
    return {
      id: this.id,
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle,
      },
    }
  }

  #data(more: number, { unverified = false, counter = this.#counter }: Quirks): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flag = flags.present | (unverified ? 0 : flags.verified) | more
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.from([flag]), count])
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Quirks): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
}
