// `npm start` when something goes wrong under it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { externalServices, healthy, newPlace, processesOf, signalProcess, startProduct, stillRunning } from '../support/product.ts'

test('start when processes are killed', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place)
  await product.says('Quarterdeck is running')

  for (const names of [
    ['The server', 'The worker'],
    ['Redis', 'Postgres'],
  ]) {
    await t.test(`${names.join(' and ')} come back`, async () => {
      for (const name of names) signalProcess(place, name, 'SIGKILL')
      for (const name of names) {
        await product.says(`${name} stopped unexpectedly (signal SIGKILL`)
        await product.says(`${name} is running again.`)
      }
      await healthy(place)
    })
  }

  await t.test('nothing of a killed parent is in the way of the next start', async (t) => {
    const pids = Object.values(processesOf(place))
    product.kill('SIGKILL')
    await product.ended()
    const again = startProduct(t, place)
    await again.says('Quarterdeck is running')
    await healthy(place)
    assert.deepEqual(stillRunning(pids), [])
  })

  await t.test('everything of a killed parent ends by itself', async (t) => {
    const again = startProduct(t, place)
    await again.says('Quarterdeck is running')
    const pids = Object.values(processesOf(place))
    again.kill('SIGKILL')
    await again.ended()
    while (stillRunning(pids).length > 0) await sleep(20)
  })
})

test('start refuses a port in use', async (t) => {
  const place = await newPlace(t)
  const other = createServer().listen(place.port, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const product = startProduct(t, place, [], await externalServices(t))
  assert.equal(await product.ended(), 1)
  assert.match(product.output(), new RegExp(`^.*\\b${place.port}\\b.* in use`, 'm'))
  assert.match(product.output(), /The server did not start \(exit code 1\)\.\n$/)
})

test('start does not wait after a second Ctrl-C', async (t) => {
  const place = await newPlace(t)
  const product = startProduct(t, place, [], await externalServices(t))
  await product.says('Quarterdeck is running')
  const processes = processesOf(place)
  // Deaf to SIGTERM, so that only the hard way is left.
  signalProcess(place, 'The server', 'SIGSTOP')
  product.kill('SIGINT')
  await product.says('Stopping ...')
  const impatience = setInterval(() => product.kill('SIGINT'), 50)
  t.after(() => clearInterval(impatience))
  assert.equal(await product.ended(), 130)
  while (stillRunning(Object.values(processes)).length > 0) await sleep(10)
})
