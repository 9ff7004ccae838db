// A network link to a service that a test can cut, freeze, slow down and mend.
import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

export interface Link {
  /** That of the service, by way of the link. */
  readonly url: string
  /** Breaks all connections and lets no new ones through. */
  cut(): void
  /** Nothing arrives any more, in either direction, and nobody is told. */
  freeze(): void
  /** Breaks all connections; new ones are let through. */
  drop(): void
  /** One side loses all connections, of which the other hears nothing; new ones are let through. */
  halfOpen(loser?: 'service' | 'clients'): void
  /** Everything arrives so much later, in either direction. */
  slow(ms: number): void
  /** Ends whatever was done to it. */
  mend(): void
}

const ended: Promise<void> = Promise.resolve()

/** A link that is closed after the test. */
export async function linkTo(t: Pick<TestContext, 'after'>, url: string): Promise<Link> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  /** Clients' ends of connections, with the services' ends. */
  const pairs = new Map<Socket, Socket>()
  /** Ends of connections that have no other end any more. */
  const orphans = new Set<Socket>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  let delayMs = 0

  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy()
    const far = createConnection({ host: target.hostname, port: Number(target.port) })
    pairs.set(near, far)
    near.on('close', () => pairs.delete(near))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      let last = ended
      from.on('data', (bytes) => {
        if (delayMs === 0 && last === ended) return void to.write(bytes)
        const due = performance.now() + delayMs
        const turn = last.then(async () => {
          await pause(Math.max(0, due - performance.now()))
          to.write(bytes)
          if (last === turn) last = ended
        })
        last = turn
      })
      from.on('error', () => undefined)
      from.on('close', (broken: boolean) => {
        sockets.delete(from)
        orphans.delete(from)
        if (orphans.has(to)) return
        // In an orderly end everything arrives.
        if (broken) to.destroy()
        else to.end()
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
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    halfOpen(loser = 'service') {
      for (const [near, far] of pairs) {
        orphans.add(loser === 'service' ? near : far)
        ;(loser === 'service' ? far : near).destroy()
      }
    },
    slow(ms) {
      delayMs = ms
    },
    mend() {
      state = 'open'
      delayMs = 0
      for (const socket of orphans) socket.destroy()
      for (const socket of sockets) socket.resume()
    },
  }
}

/** Several links that one thing befalls, with an address of all of them. */
export function together(links: readonly Link[], url: string): Link {
  const each = (befall: (link: Link) => void) => {
    for (const link of links) befall(link)
  }
  return {
    url,
    cut: () => each((link) => link.cut()),
    freeze: () => each((link) => link.freeze()),
    drop: () => each((link) => link.drop()),
    halfOpen: (loser) => each((link) => link.halfOpen(loser)),
    slow: (ms) => each((link) => link.slow(ms)),
    mend: () => each((link) => link.mend()),
  }
}
