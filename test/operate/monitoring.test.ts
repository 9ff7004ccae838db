// The rules for Prometheus and the dashboard of Grafana name what there is.
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

for (const file of ['alerts.yml', 'dashboard.json'])
  test(`every figure that ${file} looks at is one of /metrics`, async () => {
    const { body } = await nodes.client().get<string>('//metrics')
    const there = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const wanted = new Set(readFileSync(`${folder}/${file}`, 'utf8').match(names))
    assert.ok(wanted.size >= 8, [...wanted].join())
    assert.deepEqual(
      [...wanted].filter((name) => !there.has(name) && !there.has(name.replace(/_(bucket|sum)$/, ''))),
      [],
    )
  })

test('every alert says what to do, and how grave it is', () => {
  const alerts = readFileSync(`${folder}/alerts.yml`, 'utf8').split('- alert: ').slice(1)
  for (const alert of alerts)
    for (const part of ['severity: ', 'summary: ', 'description: ']) assert.ok(alert.includes(part), `${part}${alert}`)
})

test('every panel of the dashboard says what it shows, and stands in a place of its own', () => {
  interface Panel {
    id: number
    title: string
    description: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets: { expr: string }[]
  }
  const { panels } = JSON.parse(readFileSync(`${folder}/dashboard.json`, 'utf8')) as { panels: Panel[] }
  const taken = new Set<string>()
  for (const { title, description, gridPos, targets } of panels) {
    assert.ok(title && description && targets.length > 0, title)
    for (const { expr } of targets) assert.match(expr, /job="quarterdeck", instance=~"\$instance"/, title)
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!taken.has(`${x} ${y}`), title)
        taken.add(`${x} ${y}`)
      }
  }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
})
