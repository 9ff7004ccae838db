// A service of ours listens on a port that nobody else uses, on this machine's own address only.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

const attempts = 3

/** A port that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts something on `port`, or on free ports until one was not taken in between. */
export async function onPort<T>(port: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  if (port !== undefined) return start(port)
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (attempt === attempts || !/address already in use/i.test((error as Error).message)) throw error
    }
  }
}
