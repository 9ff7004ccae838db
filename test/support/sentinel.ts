// A stand-in for a Redis Sentinel: it says which of several servers is the primary.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Sentinel {
  /** The address for REDIS_URL. */
  readonly url: string
  /** Another server is the primary from now on. */
  elect(port: number): void
}

const name = 'quarterdeck'

/** Servers of one password on this machine, with one Sentinel of its own password. */
export async function startSentinel(
  t: Pick<TestContext, 'after'>,
  first: number,
  passwords: { primary: string; sentinel: string },
): Promise<Sentinel> {
  let primary = first
  const answerTo = (command: string, [what = '']: string[]): string => {
    if (command === 'info') return bulk('redis_version:7.0.0\r\nloading:0\r\n')
    if (command === 'sentinel') return what === 'get-master-addr-by-name' ? array(['127.0.0.1', String(primary)]) : '*0\r\n'
    return '+OK\r\n'
  }
  const port = await answerAsRedis(t, () => {
    let isKnown = false
    return (command, args) => {
      if (command === 'auth') isKnown = args.at(-1) === passwords.sentinel
      return isKnown ? answerTo(command, args) : '-NOAUTH Authentication required.\r\n'
    }
  })
  return {
    // The first one is not there: whoever asks goes on to the next.
    url: `redis-sentinel://:${passwords.primary}@127.0.0.1:1,127.0.0.1:${port}/${name}?sentinelPassword=${passwords.sentinel}`,
    elect(elected) {
      primary = elected
    },
  }
}

/** What answers the commands of one connection; commands are in lower case. */
type Answers = (command: string, args: string[]) => string

/** Listens to the protocol of Redis until the test is over; resolves with the port. */
export async function answerAsRedis(t: Pick<TestContext, 'after'>, connected: () => Answers): Promise<number> {
  const server = createServer((socket) => {
    let received = ''
    const answer = connected()
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received += bytes.toString()
      for (let read = commandIn(received); read; read = commandIn(received)) {
        received = received.slice(read.length)
        const [command = '', ...args] = read.words
        if (command.toLowerCase() === 'hello') socket.write("-ERR unknown command 'hello'\r\n")
        else socket.write(answer(command.toLowerCase(), args))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
const array = (texts: readonly string[]): string => `*${texts.length}\r\n${texts.map(bulk).join('')}`

/** The first command of some bytes, once it is whole. */
export function commandIn(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (!head) return undefined
  const words: string[] = []
  let at = head[0].length
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (!size) return undefined
    const from = at + size[0].length
    const to = from + Number(size[1])
    if (text.length < to + 2) return undefined
    words.push(text.slice(from, to))
    at = to + 2
  }
  return { words, length: at }
}
