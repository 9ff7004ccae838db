// Stands in for a pooler of connections where none is installed: what PgBouncer refuses from its clients, and says of a Postgres
// that it has lost. Each client has one connection to Postgres all the time.
import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { fatal, isReadyAfter, message } from './postgres-messages.ts'

export interface Pooler {
  /** That of the database, by way of the pooler. */
  readonly url: string
  /** Loses Postgres on all connections, and says so; new ones are let through. */
  lose(): void
}

/** What clients may set when they connect, in lower case. */
const taken = new Set(['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings'])

/** A pooler before the database at `url`, closed after the test. `forgets`: no prepared statement outlives its transaction. */
export async function poolerTo(t: Pick<TestContext, 'after'>, url: string, { forgets = false } = {}): Promise<Pooler> {
  const target = new URL(url)
  const pairs = new Map<Socket, Socket>()
  const server = createServer((client) => {
    client.on('error', () => undefined)
    client.once('data', (startup: Buffer) => {
      const refused = parametersIn(startup).find((name) => !taken.has(name))
      if (refused !== undefined) return void client.end(fatal(connectionFailed, `unsupported startup parameter: ${refused}`))
      const postgres = createConnection({ host: target.hostname, port: Number(target.port) })
      postgres.on('error', () => undefined)
      pairs.set(client, postgres)
      postgres.write(startup)
      if (forgets) passForgetting(client, postgres)
      else client.pipe(postgres).pipe(client)
      client.on('close', () => {
        pairs.delete(client)
        postgres.destroy()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const lose = () => {
    for (const [client, postgres] of pairs) {
      postgres.unpipe(client)
      client.end(fatal(connectionFailed, 'server conn crashed?'))
      postgres.destroy()
    }
  }
  t.after(() => {
    for (const client of pairs.keys()) client.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href, lose }
}

const deallocateAll = message('Q', 'deallocate all\0')
/** The class of errors that poolers use. */
const connectionFailed = '08P01'

/** Before each transaction of the client, all that was prepared on its connection to Postgres is dropped. */
function passForgetting(client: Socket, postgres: Socket): void {
  let isIdle = false
  let held: Buffer[] | undefined
  client.on('data', (bytes: Buffer) => {
    if (held) return void held.push(bytes)
    if (!isIdle) return void postgres.write(bytes)
    held = [bytes]
    postgres.write(deallocateAll)
  })
  postgres.on('data', (bytes: Buffer) => {
    const isReady = isReadyAfter(bytes)
    if (!held) {
      isIdle = isReady
      return void client.write(bytes)
    }
    if (!isReady) return
    isIdle = false
    for (const each of held) postgres.write(each)
    held = undefined
  })
}

/** Names of the parameters in a StartupMessage: its length, the version of the protocol, then names and values that end in zeros. */
const parametersIn = (startup: Buffer): string[] =>
  startup
    .subarray(8)
    .toString()
    .split('\0')
    .filter((text, index) => index % 2 === 0 && text !== '')
    .map((name) => name.toLowerCase())
