// People who look for news all the time, in a process of their own: the load of others must not delay their clocks.
import { setTimeout as delay } from 'node:timers/promises'
import { Connection, getRequest } from './load.ts'
import { takeOrders } from './processes.ts'

/** Each token is asked with at each of its turns. */
export interface Bystanders {
  ports: number[]
  tokens: string[]
  askEveryMs: number
}

let asking = new AbortController()
let waits: number[] = []
let asked: Promise<unknown> = Promise.resolve()

takeOrders(0, {
  ask({ ports, tokens, askEveryMs }: Bystanders) {
    asking = new AbortController()
    waits = []
    asked = Promise.all(tokens.map((token, at) => askOn(ports[at % ports.length] as number, token, askEveryMs)))
  },
  /** Forgets what was measured so far. */
  begin() {
    waits = []
  },
  /** How long each answer took, in ms. */
  async end(): Promise<number[]> {
    asking.abort()
    await asked
    return waits
  },
})

async function askOn(port: number, token: string, askEveryMs: number): Promise<void> {
  const connection = await Connection.open(port)
  const request = getRequest('/api/v3/notification/user', token)
  const { signal } = asking
  while (!signal.aborted) {
    const startedMs = performance.now()
    const { status } = await connection.ask(request)
    if (status !== 200) throw new Error(`somebody who was there before was answered ${status}`)
    waits.push(performance.now() - startedMs)
    await delay(askEveryMs)
  }
  connection.close()
}
