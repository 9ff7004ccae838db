// A machine that gives a process few open files, and more connections than that.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { newPlace, startProduct } from '../support/product.ts'
import { until } from '../support/until.ts'

// Node opens the files of all modules nearly at once when it starts: they are a little over 300.
const maxFiles = 400
const request = 'GET /api/v3/client/health HTTP/1.1\r\nHost: x\r\n\r\n'

/** A connection that need not come about. */
function dial(t: TestContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())
  return socket
}

/** The status of an answer over an open connection. */
async function ask(socket: Socket): Promise<string> {
  socket.write(request)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  return bytes.toString().slice(9, 12)
}

/** What becomes of a new connection. */
async function tryAnew(t: TestContext, port: number): Promise<string> {
  const socket = dial(t, port)
  const outcome = await new Promise<string>((resolve) => {
    socket.on('error', ({ message }) => resolve(message.split(' ')[1] ?? ''))
    socket.on('close', () => resolve('closed'))
    socket.on('connect', () => void ask(socket).then(resolve, () => undefined))
  })
  socket.destroy()
  return outcome
}

test('more connections than files: those that are there are served, new ones are refused until there is room again, each time', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], { LOG_LEVEL: 'warning' }, maxFiles)
  await until(async () => (await tryAnew(t, place.port)) === '200', 'the product serves', 60_000)
  const kept = dial(t, place.port)
  assert.equal(await ask(kept), '200')
  /** A connection that nothing comes over would be closed after a while. */
  const meets = async (outcome: string) => (await ask(kept)) === '200' && (await tryAnew(t, place.port)) === outcome
  for (const time of ['once', 'once more']) {
    const others = Array.from({ length: 2 * maxFiles }, () => dial(t, place.port))
    await until(() => meets('ECONNREFUSED'), `new ones are refused ${time}`)
    for (const socket of others) socket.destroy()
    await until(() => meets('200'), `there is room ${time}`)
  }
  await product.says('no new connections are taken')
  assert.doesNotMatch(product.output(), /uncaught/)
})
