// A service of ours listens on a port that nobody else uses, on this machine's own address only.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range from which systems number outgoing connections: such a port stays free between
// looking and listening, and while a service that crashed comes back.
const lowest = 20_000
const highest = 30_000
const attempts = 3

/** A port that is free at this moment. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await canListen(port)) return port
  }
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

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
