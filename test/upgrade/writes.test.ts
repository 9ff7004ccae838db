// What a rehearsal writes: all of it is accepted, twice, by a server as it should be, and a table that takes nothing more is found.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { differences } from '../../src/upgrade/answers.ts'
import { writeEverything } from '../../src/upgrade/writes.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'

let nodes: TestNodes
let writers: Person[]
before(async () => {
  nodes = await startTestNodes(1)
  writers = await people(nodes, {}, { level: 'admin' })
  await apply(writers[1] as Person, [{ uid: 'knots', title: 'Knots', start: '20261201T100000', end: '20261201T110000' }])
})
after(() => nodes.stop())

const write = (turn: number) => writeEverything(nodes.urls[0] as string, writers, turn)

it('all of it is accepted, also the second time', async () => {
  for (const turn of [1, 2]) {
    const answers = await write(turn)
    // Not in a category of the team's, of course.
    const refused = [...answers].filter(([request, { status }]) => !/categories/.test(request) && (status < 200 || status > 204))
    assert.deepEqual(
      refused.map(([request, { status }]) => `${request}: ${status}`),
      [],
    )
    assert.ok(answers.size > 35)
  }
})

it('what cannot be written any more is found', async () => {
  const answers = await write(3)
  for (const [table, request] of [
    ['fez_post', /POST \/api\/v3\/fez\/\{group\}\/post/],
    ['forum_post', /POST \/api\/v3\/forum\/categories\/\{category\}\/create/],
    ['mute', /POST \/api\/v3\/users\/\{highest\}\/mute/],
    ['note', /POST \/api\/v3\/users\/\{lowest\}\/note/],
    ['event_follower', /POST \/api\/v3\/events\/\{event\}\/favorite/],
  ] as const) {
    await nodes.sql`alter table ${nodes.sql(table)} add constraint nothing_more check (false) not valid`
    const { broken } = differences(answers, await write(4))
    await nodes.sql`alter table ${nodes.sql(table)} drop constraint nothing_more`
    assert.ok(
      broken.some((each) => request.test(each.request) && /answered 20\d before, 500 now/.test(each.what)),
      `${table}: ${broken.map(({ request: asked, what }) => `${asked} ${what}`).join('; ')}`,
    )
  }
})
