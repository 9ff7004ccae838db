// The program of the client's documents that takes webhooks, as it stands there.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { ownPort } from '../support/port.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-receiver-'))
before(async () => {
  nodes = await startTestNodes(1, { workers: 1, env: { OUTSIDE_HOSTS: '127.0.0.1' } })
})
after(async () => {
  await nodes.stop()
  rmSync(folder, { recursive: true })
})

test('the receiver of the documents takes what is signed, and nothing else', async (t) => {
  const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
  const port = await ownPort()
  const url = `http://127.0.0.1:${port}/`
  const { endpoint, secret } = await body(
    admin.one.post('/admin/webhooks/create', { name: 'Board', url, kinds: ['announcement.created'] }),
    201,
  )
  const [, code = ''] = /## Webhooks.*?```js\n(.*?)```/s.exec(readFileSync(join(projectRoot, 'src', 'sdk', 'README.md'), 'utf8')) ?? []
  writeFileSync(join(folder, 'receiver.mjs'), code)
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { WEBHOOK_KEY: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => receiver.kill())
  let said = ''
  receiver.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  await until(() => said === 'ready\n', 'it listens', 20_000)
  const displayUntil = new Date(Date.now() + 60_000).toISOString()
  await body(admin.one.post('/notification/announcement/create', { text: 'Lifeboat drill at four', displayUntil }), 201)
  await until(() => said === 'ready\nLifeboat drill at four\n', 'it says what was announced', 20_000)
  const { deliveries } = await body(admin.one.get(`/admin/webhooks/${endpoint.endpointID}/deliveries`))
  await until(
    async () => (await body(admin.one.get(`/admin/webhooks/${endpoint.endpointID}/deliveries`))).deliveries[0].status === 204,
    'it was taken',
  )
  assert.equal(deliveries.length, 1)
  assert.equal((await fetch(url, { method: 'POST', body: deliveries[0].body })).status, 400)
})
