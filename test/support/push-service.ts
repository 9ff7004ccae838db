// A push service that keeps what it is sent, and devices that can read it (RFC 8291).
import { createDecipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import webPush from 'web-push'

export interface Pushed {
  path: string
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

export interface PushService {
  readonly origin: string
  readonly pushed: Pushed[]
  /** With what it answers, by the path of the device; else 201. */
  readonly statuses: Map<string, number>
  close(): void
}

export async function startPushService(): Promise<PushService> {
  const pushed: Pushed[] = []
  const statuses = new Map<string, number>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = request.url ?? ''
      pushed.push({ path, headers: request.headers, body: Buffer.concat(pieces) })
      // A redirection leads to another device of the same service.
      response.writeHead(statuses.get(path) ?? 201, { location: '/device/elsewhere' }).end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pushed, statuses, close: () => void server.close() }
}

/** Settings of a server that may push to this service. */
export function pushEnv({ origin }: PushService): Record<string, string> {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey, PUSH_SUBJECT: 'mailto:host@example.com', PUSH_HOSTS: origin }
}

/** A browser's subscription. */
export class PushDevice {
  readonly path = `/device/${randomBytes(6).toString('hex')}`
  readonly #keys: ECDH = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly #service: PushService

  constructor(service: PushService) {
    this.#service = service
    this.#keys.generateKeys()
  }

  /** As it is sent to the server. */
  subscription(types: readonly string[], more: object = {}): object {
    const [p256dh, auth] = [this.#keys.getPublicKey('base64url'), this.#auth.toString('base64url')]
    return { endpoint: this.#service.origin + this.path, p256dh, auth, types, ...more }
  }

  /** What it has got, in order. */
  get notices(): { type: string; contentID: string; info?: string }[] {
    return this.#service.pushed.filter(({ path }) => path === this.path).map(({ body }) => JSON.parse(this.#read(body)) as never)
  }

  #read(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + (body[20] ?? 0))
    const sealed = body.subarray(21 + sender.length)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync('sha256', this.#keys.computeSecret(sender), this.#auth, info, 32))
    const derived = (label: string, length: number) => Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`${label}\0`), length))
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derived('Content-Encoding: aes128gcm', 16),
      derived('Content-Encoding: nonce', 12),
    ).setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return plain.subarray(0, plain.lastIndexOf(2)).toString()
  }
}
