// A link to Postgres that understands what goes over it: a test can lose the answer to one statement.
import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { fatal, isReadyAfter } from './postgres-messages.ts'

export interface PostgresLink {
  /** That of Postgres, by way of the link. */
  readonly url: string
  /**
   * Lets the next statement that has this text through, and its transaction, and ends the connection in place of Postgres's
   * last answer: with `farewell` as a server does that is being shut down. Resolves then.
   */
  loseAnswerTo(text: string, options?: { farewell?: boolean }): Promise<void>
}

interface Loss {
  text: string
  farewell: boolean
  lost: () => void
}

/** What a server says that is being shut down, as it says it. */
const shutDown = fatal('57P01', 'terminating connection due to administrator command')

/** A link that is closed when the tests end. */
export async function linkToPostgres(t: Pick<TestContext, 'after'>, url: string): Promise<PostgresLink> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let awaited: Loss | undefined
  const server = createServer((near) => {
    const far = createConnection({ host: target.hostname, port: Number(target.port) })
    let losing: Loss | undefined
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      if (awaited && bytes.includes(awaited.text)) {
        losing = awaited
        awaited = undefined
      }
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!losing || !isReadyAfter(bytes)) return void near.write(bytes)
      if (losing.farewell) near.end(shutDown)
      else near.resetAndDestroy()
      losing.lost()
    })
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
    loseAnswerTo: (text, { farewell = false } = {}) =>
      new Promise((lost) => {
        awaited = { text, farewell, lost }
      }),
  }
}
