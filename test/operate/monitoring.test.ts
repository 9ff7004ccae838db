// The rules for Prometheus name what there is.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

const folder = 'src/operate/monitoring'
const names = /\b(?:http|nodejs|process|outbox|sockets?|jobs?)_[a-z0-9_]+\b/g

test('every figure that an alert looks at is one of /metrics', async () => {
  const { body } = await nodes.client().get<string>('//metrics')
  const there = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const wanted = new Set(readFileSync(`${folder}/alerts.yml`, 'utf8').match(names))
  assert.ok(wanted.size >= 8, [...wanted].join())
  assert.deepEqual(
    [...wanted].filter((name) => !there.has(name) && !there.has(name.replace(/_bucket$/, ''))),
    [],
  )
})

test('every alert says what to do, and how grave it is', () => {
  const alerts = readFileSync(`${folder}/alerts.yml`, 'utf8').split('- alert: ').slice(1)
  for (const alert of alerts)
    for (const part of ['severity: ', 'summary: ', 'description: ']) assert.ok(alert.includes(part), `${part}${alert}`)
})
