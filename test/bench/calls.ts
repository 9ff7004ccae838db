// Fifty calls at once, each with two phones that speak 16 kHz PCM in frames of 20 ms: how long a frame
// is under way from phone to phone, with both on one node and with the two on different nodes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { WebSocket } from 'ws'
import { createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'

const callCount = 50
const framesPerSecond = 50
const seconds = 10
/** Not measured: connections and compilers warm up. */
const warmUpFrames = 50
const samplesPerFrame = 16_000 / framesPerSecond

/** One side of a call. */
interface Phone {
  socket: WebSocket
  sent: number
  received: number
  started: boolean
}

export async function calls({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, callCount * 2)
  const couples = Array.from({ length: callCount }, (_, index) => [residents[index * 2], residents[index * 2 + 1]] as [Resident, Resident])
  for (const [caller, callee] of couples)
    await sql`insert into favorite (account_id, favorite_id, created_at) values (${callee.id}, ${caller.id}, now())`
  await sql.end()
  const nodes = (await Promise.all([startMeasured('product-server.js', env), startMeasured('product-server.js', env)])) as [
    Measured,
    Measured,
  ]
  const [first, second] = nodes
  const notices = await Promise.all(couples.map(([, callee]) => open(first, '/notification/socket', callee)))
  for (const [name, callersNode, calleesNode] of [
    ['one node', first, first],
    ['two nodes', first, second],
  ] as const) {
    const latencies: number[] = []
    const phones = (
      await Promise.all(couples.map(([caller, callee]) => connect(caller, callersNode, callee, calleesNode, latencies)))
    ).flat()
    const before = await Promise.all(nodes.map((node) => node.usage()))
    await speak(phones)
    const after = await Promise.all(nodes.map((node) => node.usage()))
    for (const phone of phones) assert.equal(phone.received, seconds * framesPerSecond, 'a frame was lost')
    for (const { socket } of phones) socket.close()
    await Promise.all(phones.map(({ socket }) => (socket.readyState === WebSocket.CLOSED ? undefined : once(socket, 'close'))))
    const sorted = latencies.toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1)
    const busy = after.map(({ cpuSeconds }, index) => (((cpuSeconds - (before[index]?.cpuSeconds ?? 0)) / seconds) * 100).toFixed(0))
    process.stdout.write(
      `  ${callCount} calls on ${name}, ${callCount * 2 * framesPerSecond} frames/s: nothing lost, in order; under way median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1 - 1e-9)} ms; processor ${busy.join('% and ')}%\n`,
    )
  }
  for (const notice of notices) notice.terminate()
  await Promise.all(nodes.map((node) => node.stop()))
  return []
}

function dial({ port }: Measured, path: string, { token }: Resident): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}/api/v3${path}`, { headers: { authorization: `Bearer ${token}` } })
}

async function open(node: Measured, path: string, resident: Resident): Promise<WebSocket> {
  const socket = dial(node, path, resident)
  await once(socket, 'open')
  return socket
}

async function connect(
  caller: Resident,
  callersNode: Measured,
  callee: Resident,
  calleesNode: Measured,
  latencies: number[],
): Promise<Phone[]> {
  const callID = randomUUID()
  const calling = listen(dial(callersNode, `/phone/socket/initiate/${callID}/to/${callee.id}`, caller), latencies)
  await once(calling.socket, 'open')
  // The start may come together with the answer to the upgrade.
  const answering = listen(dial(calleesNode, `/phone/socket/answer/${callID}`, callee), latencies)
  for (const phone of [calling, answering]) while (!phone.started) await once(phone.socket, 'message')
  return [calling, answering]
}

function listen(socket: WebSocket, latencies: number[]): Phone {
  const phone: Phone = { socket, sent: 0, received: 0, started: false }
  socket.on('message', (data: Buffer) => {
    if (!phone.started) {
      phone.started = true
      return
    }
    assert.equal(data.readUInt32LE(12), phone.received, 'out of order')
    if (phone.received++ >= warmUpFrames) latencies.push(performance.now() - data.readDoubleLE(4))
  })
  return phone
}

/** Every phone sends its frames in its own time, spread over the length of a frame. */
async function speak(phones: readonly Phone[]): Promise<void> {
  const frameMs = 1000 / framesPerSecond
  const startMs = performance.now()
  const total = seconds * framesPerSecond
  while (phones.some(({ sent }) => sent < total)) {
    const nowMs = performance.now()
    for (const [index, phone] of phones.entries()) {
      while (phone.sent < total && startMs + (phone.sent + index / phones.length) * frameMs <= nowMs) {
        const frame = Buffer.alloc(4 + 2 * samplesPerFrame)
        frame.writeUInt32LE(samplesPerFrame)
        frame.writeDoubleLE(performance.now(), 4)
        frame.writeUInt32LE(phone.sent++, 12)
        phone.socket.send(frame)
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const deadline = performance.now() + 5000
  while (phones.some(({ received }) => received < total) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
