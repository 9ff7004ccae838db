// What the servers of others have in common that are measured beside the product.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onPort } from '../../src/embedded/free-port.ts'
import { follow, poll, stopWhenWeAreGone, untilUp } from '../../src/supervisor/running.ts'
import { posted, postIdIn, text, type Chat, type Posted } from './busy-chats.ts'
import { openAll } from './fan-out.ts'
import { dial, FrameReader, postRequest } from './load.ts'
import { onServerCore } from './processes.ts'

/** A server that has started. */
export interface Server {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** The sockets of all members of some chats at one server. */
export interface Members {
  /** Sends posts in turn into the chats, `atOnce` under way, until all have come to all. `took` gets how long each answer took, in ms. */
  posted(atOnce: number, count: number, took: number[]): Promise<Posted>
  close(): void
}

/** A program with what it needs to run. */
export interface Program {
  command: string
  args: string[]
  env?: Record<string, string>
}

const upWithinMs = 60_000
const stopWithinMs = 10_000

/** Where a program is; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  // Where servers are is not on everybody's PATH.
  const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`
  const found = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8', env: { PATH } }).stdout.trim()
  return found === '' ? undefined : found
}

/** Starts a program on the core of the servers, with a folder and a port of its own, and waits until it takes connections. */
export async function startProgram(name: string, prepare: (directory: string, port: number) => Promise<Program>): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-peer-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    return await onPort(undefined, async (port) => {
      const program = await prepare(directory, port)
      const [command, args] = onServerCore(program.command, program.args)
      const child = spawn(command, args, {
        cwd: directory,
        detached: true, // a Ctrl-C in the terminal reaches only the parent
        stdio: ['ignore', 'ignore', 'pipe'],
        // Nothing of the developer's own settings.
        env: { PATH: process.env['PATH'], HOME: directory, ...program.env },
      })
      const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: stopWithinMs })
      stopWhenWeAreGone(running)
      await untilUp(running, { name, withinMs: upWithinMs, up: (over) => poll(() => takesConnections(port), over) })
      return {
        pid: running.pid,
        port,
        async stop() {
          await running.stop()
          await remove()
        },
      }
    })
  } catch (error) {
    await remove()
    throw error
  }
}

async function takesConnections(port: number): Promise<boolean> {
  try {
    const socket = await dial(port)
    socket.destroy()
    return true
  } catch {
    return false
  }
}

/**
 * Checks what comes to the sockets of one chat; each has a check of its own. These servers do not number posts, so what
 * is sent first may come second: all sockets have to get the same posts in the same order, each once.
 */
export function inSameOrder(): () => (id: number) => void {
  const order: number[] = []
  const known = new Set<number>()
  return () => {
    let count = 0
    return (id) => {
      if (count === order.length && !known.has(id)) {
        known.add(id)
        order.push(id)
      }
      if (order[count] !== id) throw new Error('a post is missing, or came twice, or out of order')
      count++
    }
  }
}

/** At a server that publishes what is posted to the path of a chat to the WebSockets at the same path: frames as the product's. */
export async function joinOverHttp(server: Server, chats: readonly Chat[]): Promise<Members> {
  const readers: FrameReader[][] = []
  for (const { id, members } of chats) {
    const nextCheck = inSameOrder()
    readers.push(
      await openAll(members, ({ token }) => {
        const check = nextCheck()
        return FrameReader.open(server.port, `/chats/${id}`, token, (data, from) => check(postIdIn(data, from)))
      }),
    )
  }
  const timestamp = new Date()
  let postID = 0
  return {
    posted: (atOnce, count, took) =>
      posted(server, readers, chats, atOnce, count, took, ({ id }, { id: userID, username, token }) =>
        postRequest(`/chats/${id}`, { postID: ++postID, author: { userID, username }, text, timestamp }, token),
      ),
    close() {
      for (const reader of readers.flat()) reader.close()
    },
  }
}
