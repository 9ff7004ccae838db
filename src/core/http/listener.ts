// The port of a node, with or without TLS.
import { createServer, type AddressInfo } from 'node:net'
import uws from 'uWebSockets.js'
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'
import { ConfigError, type Config } from '../base/config.ts'
import type { Node } from '../work/ctx.ts'
import { readCertificate } from './certificate.ts'

const lookEveryMs = 5000
/**
 * Of TLS 1.2: what encrypts and authenticates in one step, with a key for each connection. That leaves out all that chain
 * blocks (CBC), where padding has told attackers what is inside. TLS 1.3 has nothing else, and older versions are not spoken.
 */
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20'

/** A port that takes connections. */
export interface Listener {
  readonly port: number
  /** Fingerprint of the certificate that new connections get. */
  readonly fingerprint: string | undefined
  /**
   * New connections get the certificate as it is in its files now; those that are open keep theirs. @throws
   * ConfigError, and changes nothing.
   */
  renew(): Promise<void>
  /** Refuses new connections; those that are open go on. Returns false when it does so already. */
  pause(): boolean
  /** Takes connections again; resolves with false when it does so already, or cannot yet. */
  resume(): Promise<boolean>
  close(): void
}

/** Opens the port; `mount` gives an app something to answer with. @throws ConfigError when that is not possible. */
export async function openListener(
  { hostname, port: wanted, tls, serverNumber, portIsOurs }: Config,
  mount: (app: TemplatedApp) => void,
): Promise<Listener> {
  const make = () => {
    const fingerprint = tls && readCertificate(tls).fingerprint
    const app = tls ? uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile, ssl_ciphers: ciphers }) : uws.App()
    mount(app)
    return { app, fingerprint }
  }
  let current = make()
  // A certificate is replaced by opening the port a second time, which it has to allow from the start.
  const sharing = tls !== undefined || serverNumber !== undefined
  const free = sharing && !portIsOurs ? await freePort(hostname, wanted) : wanted
  const open = free !== undefined && (await listen(current.app, hostname, free, sharing))
  if (!open) throw new ConfigError(`The port ${wanted} on ${hostname} is in use or cannot be bound. Stop the other program or set PORT.`)
  let listening: us_listen_socket | undefined = open
  let isOpening = false
  let isClosed = false
  const stopListening = () => {
    if (listening) uws.us_listen_socket_close(listening)
    listening = undefined
  }
  const port = uws.us_socket_local_port(open)
  return {
    port,
    get fingerprint() {
      return current.fingerprint
    },
    async renew() {
      const next = make()
      const reopened = await listen(next.app, hostname, port, sharing)
      if (!reopened) throw new ConfigError(`The port ${port} could not be opened again with the new certificate.`)
      stopListening()
      listening = reopened
      current = next
    },
    pause() {
      if (!listening) return false
      stopListening()
      return true
    },
    async resume() {
      if (listening || isOpening || isClosed) return false
      isOpening = true
      const reopened = await listen(current.app, hostname, port, sharing)
      isOpening = false
      if (!reopened) return false
      stopListening()
      listening = reopened
      if (isClosed) stopListening()
      return true
    },
    close() {
      isClosed = true
      stopListening()
    },
  }
}

/** Looks now and then whether the files of the certificate have changed. The returned function ends that. */
export function watchCertificate(node: Node, listener: Listener): () => void {
  const { tls } = node.config
  if (!tls) return () => undefined
  let complaint = ''
  const look = async () => {
    try {
      if (readCertificate(tls).fingerprint !== listener.fingerprint) {
        await listener.renew()
        node.log.notice({ certificate: listener.fingerprint }, 'new certificate')
      }
      complaint = ''
    } catch (error) {
      // Once per fault; while the files are being replaced they may not belong together.
      if ((error as Error).message !== complaint) node.log.error({ err: error }, 'the new certificate cannot be used')
      complaint = (error as Error).message
    }
  }
  return node.clock.every(lookEveryMs, () => void look())
}

/** The port, or a free one for 0, if nobody listens there. */
function freePort(hostname: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(undefined))
    probe.listen({ host: hostname, port, exclusive: true }, () => {
      const { port: found } = probe.address() as AddressInfo
      probe.close(() => resolve(found))
    })
  })
}

/** On a port that is shared, the kernel gives each connection to one of the servers. */
function listen(app: TemplatedApp, hostname: string, port: number, sharing: boolean): Promise<us_listen_socket | false> {
  const exclusive = 1
  // The type declarations lack the form with a host and options.
  const bind = app.listen.bind(app) as unknown as (
    host: string,
    port: number,
    options: number,
    done: (socket: us_listen_socket | false) => void,
  ) => void
  return new Promise((resolve) => bind(hostname, port, sharing ? 0 : exclusive, resolve))
}
