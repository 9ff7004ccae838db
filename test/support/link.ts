// A network link to a service that a test can cut, freeze and mend.
import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface Link {
  /** That of the service, by way of the link. */
  readonly url: string
  /** Breaks all connections and lets no new ones through. */
  cut(): void
  /** Nothing arrives any more, in either direction, and nobody is told. */
  freeze(): void
  /** Ends a cut or a freeze. */
  mend(): void
}

/** A link that is closed after the test. */
export async function linkTo(t: Pick<TestContext, 'after'>, url: string): Promise<Link> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'frozen' = 'open'

  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy()
    const far = createConnection({ host: target.hostname, port: Number(target.port) })
    for (const [from, to] of [[near, far], [far, near]] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (state === 'frozen') from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const own = new URL(url)
  own.hostname = '127.0.0.1'
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    freeze() {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    mend() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
  }
}
