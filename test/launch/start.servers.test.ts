// `npm start` with several servers on one port.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { serversFor, sharesOf } from '../../src/core/base/memory.ts'
import { healthy, newPlace, processesOf, signalProcess, startProduct, stillRunning, type Place } from '../support/product.ts'
import { until } from '../support/until.ts'

const names = ['server1', 'server2', 'server3']

/**
 * Over a connection of its own, which the kernel gives to any of the servers. One that is given to a server which ends at that moment is
 * reset, and made anew, as browsers do. A port that is closed is a fault.
 */
async function get(place: Place, path: string, token?: string): Promise<{ status: number; text: string }> {
  for (;;) {
    try {
      const answer = await getOnce(place, path, token)
      // As is what a server refuses that has begun to stop.
      if (answer.status !== 503 || !answer.text.includes('"restarting"')) return answer
    } catch (error) {
      if (!['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
}

async function getOnce(place: Place, path: string, token?: string): Promise<{ status: number; text: string }> {
  const dispatcher = new Agent()
  try {
    const answer = await request(`http://127.0.0.1:${place.port}${path}`, {
      dispatcher,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    return { status: answer.statusCode, text: await answer.body.text() }
  } finally {
    await dispatcher.close()
  }
}

/** That the server which is met knows the token. */
async function known(place: Place, token: string): Promise<void> {
  const { status, text } = await get(place, '/api/v3/user/whoami', token)
  assert.equal(status, 200, text)
}

/** Values of one metric, by the process. */
async function metric(place: Place, name: string): Promise<Map<string, number>> {
  const { text } = await get(place, '/metrics')
  assert.equal(text.match(new RegExp(`^# HELP ${name} `, 'gm'))?.length, 1, 'described once')
  const found = new Map<string, number>()
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${name}{([^}]*)} (\\S+)$`, 'gm'))) {
    const [, source = ''] = /source="(\w+)"/.exec(labels) ?? []
    found.set(source, (found.get(source) ?? 0) + Number(value))
  }
  return found
}

test('three servers share one port, one log and one set of metrics; one that dies is not missed, and comes back', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { SERVERS: '3' })
  await product.says('Quarterdeck is running')
  await healthy(place)
  assert.deepEqual(Object.keys(processesOf(place)).sort(), ['Postgres', 'Redis', 'Server 1', 'Server 2', 'Server 3', 'The worker'])

  const login = await request(`http://127.0.0.1:${place.port}/api/v3/auth/login`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('james:password').toString('base64')}` },
  })
  const { token } = (await login.body.json()) as { token: string }
  for (let count = 0; count < 60; count++) await known(place, token)
  assert.deepEqual([...(await metric(place, 'process_start_time_seconds')).keys()].sort(), [...names, 'worker'])
  const answered = await metric(place, 'http_requests_total')
  assert.deepEqual([...answered.keys()].sort(), names)
  assert.ok([...answered.values()].reduce((sum, count) => sum + count) >= 60, JSON.stringify([...answered]))

  for (const name of ['Server 2', 'Server 1']) {
    const before = processesOf(place)
    signalProcess(place, name, 'SIGKILL')
    await product.says(new RegExp(`${name} stopped unexpectedly`))
    for (let count = 0; count < 20; count++) await known(place, token)
    await product.says(`${name} is running again.`)
    assert.notEqual(processesOf(place)[name], before[name])
  }
  await until(async () => (await metric(place, 'process_start_time_seconds')).size === 4, 'all of them answer')

  const before = processesOf(place)
  product.kill('SIGUSR2')
  const said = () =>
    product
      .output()
      .split('Starting the servers again')
      .at(-1)
      ?.match(/is running again/g)?.length ?? 0
  await product.says('Starting the servers again')
  while (said() < 3) await known(place, token)
  for (const name of ['Server 1', 'Server 2', 'Server 3']) assert.notEqual(processesOf(place)[name], before[name])
  assert.equal(processesOf(place)['The worker'], before['The worker'])
  const pids = Object.values(processesOf(place))
  assert.equal(await product.stop(), 0)
  assert.deepEqual(stillRunning(pids), [])
})

test('several servers choose one free port, and refuse one that another program has', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, ['--port', '0'], { SERVERS: '2' })
  await product.says('Quarterdeck is running')
  const ports = [...product.output().matchAll(/listens on port (\d+)/g)].map(([, port]) => Number(port))
  assert.equal(ports.length, 2)
  const [port] = ports as [number]
  assert.deepEqual([...new Set(ports)], [port])
  await healthy({ ...place, port })
  assert.equal(await product.stop(), 0)

  const other = createServer().listen(place.port, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const refused = startProduct(t, place, [], { SERVERS: '2' })
  assert.equal(await refused.ended(), 1)
  assert.match(refused.output(), new RegExp(`The port ${place.port} on 127.0.0.1 is in use`))
})

test('a machine has a server for each four cores and 4 GB, four at most; together they hold no more than half of its memory', () => {
  const machines = [
    [1, 1024],
    [2, 8192],
    [7, 65_536],
    [8, 8192],
    [8, 4096],
    [16, 65_536],
    [64, 262_144],
  ] as const
  assert.deepEqual(
    machines.map(([cores, memoryMb]) => serversFor(cores, memoryMb)),
    [1, 1, 1, 2, 1, 4, 4],
  )
  for (const servers of [1, 2, 4, 16]) assert.ok(servers * sharesOf(16_384, servers).serverHeapMb <= 8192, `${servers} servers`)
  assert.equal(sharesOf(16_384, 16).workerHeapMb, sharesOf(16_384).workerHeapMb)
})
