// Notices of starts by the real timers of a worker: at the lead time and at most five seconds after it, never before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { apply } from '../support/schedule.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const leadSeconds = 120
const latestMs = 5000
const minuteMs = 60_000

let nodes: TestNodes
before(async () => {
  // Without the corrections of a clock that follows the database's.
  nodes = await startTestNodes(2, { clock: new LeapingClock(), workers: 1 })
  await nodes.sql`delete from time_zone_change`
  await onlySettings(nodes, {
    upcomingEventNotificationSetting: 'current',
    upcomingLFGNotificationSetting: 'current',
    upcomingEventNotificationSeconds: leadSeconds,
  })
})
after(() => nodes.stop())

test('groups, events of the schedule and of oneself are announced at the lead time, on every node', async () => {
  const [owner, friend, admin] = (await people(nodes, {}, {}, { level: 'admin' })) as [Person, Person, Person]
  const sockets = await Promise.all(friend.clients.map((client) => client.socket('/notification/socket')))
  const heard = sockets.map(({ ws }) => {
    const times = new Map<string, number>()
    ws.on('message', (frame) => {
      const { type, contentID } = JSON.parse(String(frame)) as { type: object; contentID: string }
      if (Object.keys(type)[0]?.endsWith('Starting')) times.set(contentID, Date.now())
    })
    return times
  })
  // The first are found when their moment is nearly there, the others in good time.
  const begins = [1, 5].map((seconds) => (Math.ceil(Date.now() / 1000) + seconds + leadSeconds) * 1000)
  const times = (startMs: number) => ({ startTime: new Date(startMs).toISOString(), endTime: new Date(startMs + minuteMs).toISOString() })
  const due = new Map<string, { leadMs: number; madeMs: number }>()
  const note = (id: string, startMs: number) => due.set(id, { leadMs: startMs - leadSeconds * 1000, madeMs: Date.now() })
  const [, laterMs] = begins as [number, number]
  await apply(admin, [{ uid: 'whist', title: 'Whist', start: times(laterMs).startTime, end: times(laterMs).endTime }])
  const { eventID } = await body(admin.one.get('/events/whist'))
  await body(friend.one.post(`/events/${eventID}/favorite`), 201)
  note(eventID, laterMs)
  for (const startMs of begins) {
    const ids = [
      await createChat(owner.one, { ...times(startMs), initialUsers: [friend.id] }),
      await createChat(owner.one, { ...times(startMs), fezType: 'privateEvent', location: 'Cabin', initialUsers: [friend.id] }),
      await createChat(friend.one, { ...times(startMs), fezType: 'personalEvent' }),
    ]
    // On a slow machine the moment may be over when the last of them is made.
    for (const id of ids) note(id, startMs)
  }
  await until(() => heard.every(({ size }) => size === due.size), 'everything is announced on both nodes')
  for (const each of heard)
    for (const [id, { leadMs, madeMs }] of due) {
      const toldMs = each.get(id) ?? 0
      assert.ok(toldMs >= leadMs, `${leadMs - toldMs} ms early`)
      const lateMs = toldMs - Math.max(leadMs, madeMs)
      assert.ok(lateMs <= latestMs, `${lateMs} ms late`)
    }
})
