// Phones in a process of their own: notification sockets that count what they receive.
import { openAll } from './fan-out.ts'
import { FrameReader } from './load.ts'
import { takeOrders } from './processes.ts'

/** Sockets of each token at one server. */
export interface Listening {
  port: number
  tokens: string[]
  socketsEach: number
  from?: string
}

const readers: FrameReader[] = []
let received = 0
let wanted = { frames: 0, done: () => {} }

takeOrders(0, {
  async listen({ port, tokens, socketsEach, from }: Listening) {
    const each = tokens.flatMap((token) => Array.from({ length: socketsEach }, () => token))
    readers.push(...(await openAll(each, (token) => FrameReader.open(port, '/api/v3/notification/socket', token, count, from))))
  },
  /** Waits until all sockets together have had so many frames since they were opened. */
  frames: (frames: number) =>
    new Promise<void>((resolve) => {
      wanted = { frames, done: resolve }
      check()
    }),
})

function count(): void {
  received++
  check()
}

function check(): void {
  if (wanted.frames > 0 && received >= wanted.frames) wanted.done()
}
