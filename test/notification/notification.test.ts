// GET /notification/user over two nodes: what it holds for whom, what it costs, and when it is new.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import type { Node } from '../../src/core/work/ctx.ts'
import { notificationFrame } from '../../src/notices/frames.ts'
import { UserChannel, userKind } from '../../src/users/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { block, body, createChat, createSeamail, mute, people, refused, say, settingsChanged, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

const clock = new LeapingClock()
const hourMs = 60 * 60_000

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())

const poll = (client: Client, etag?: string) =>
  client.get('/notification/user', etag === undefined ? {} : { headers: { 'if-none-match': etag } })
const data = (client: Client) => body(poll(client))
const tagOf = async (client: Client) => String((await poll(client)).headers['etag'])
const zeros = {
  newAnnouncementCount: 0,
  twarrtMentionCount: 0,
  newTwarrtMentionCount: 0,
  forumMentionCount: 0,
  newForumMentionCount: 0,
  addedToSeamailCount: 0,
  addedToLFGCount: 0,
  addedToPrivateEventCount: 0,
  addedToSeamailIDs: [],
  addedToLFGIDs: [],
  addedToPrivateEventIDs: [],
  newSeamailMessageCount: 0,
  newFezMessageCount: 0,
  newPrivateEventMessageCount: 0,
  microKaraokeFinishedSongCount: 0,
  alertWords: [],
}

test('GET /notification/user and /global: everything there is for a caller who is not logged in, a user, a moderator and the service team', async () => {
  const [user, moderator, team] = (await people(nodes, {}, { level: 'moderator' }, { level: 'serviceteam' })) as [Person, Person, Person]
  const noReports = {
    openReportCount: 0,
    newModeratorSeamailMessageCount: 0,
    newTTSeamailMessageCount: 0,
    newModeratorForumMentionCount: 0,
    newTTForumMentionCount: 0,
  }
  for (const path of ['/notification/user', '/notification/global']) {
    for (const node of [0, 1]) {
      const of = async (client: Client | undefined) => {
        const { serverTime, serverTimeOffset, serverTimeZone, serverTimeZoneID, ...rest } = await body((client as Client).get(path))
        assert.match(serverTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        assert.ok(Math.abs(Date.parse(serverTime) - clock.now()) < 10_000)
        assert.deepEqual(
          [serverTimeZoneID, [-18000, -14400].includes(serverTimeOffset), ['EST', 'EDT'].includes(serverTimeZone)],
          ['America/New_York', true, true],
        )
        return rest
      }
      const forAll = { disabledFeatures: [], activeAnnouncementIDs: [], ...zeros }
      assert.deepEqual(await of(nodes.client(undefined, node)), forAll)
      assert.deepEqual(await of(nodes.client('A'.repeat(24), node)), forAll)
      assert.deepEqual(await of(user.clients[node]), forAll)
      for (const { clients } of [moderator, team]) assert.deepEqual(await of(clients[node]), { ...forAll, moderatorData: noReports })
    }
  }
})

test('GET /notification/user of a hot user asks Postgres nothing, whoever it is', async () => {
  const everyone = await people(nodes, {}, { level: 'moderator' }, { level: 'serviceteam' }, { level: 'admin' })
  for (const { one } of everyone) await data(one)
  const statements = await countStatements(nodes.apps[0] as App, async () => {
    for (const { one } of everyone) for (let i = 0; i < 5; i++) await data(one)
    await data(nodes.client())
  })
  assert.equal(statements, 0)
})

test('GET /notification/user: 304 while nothing but the time has changed, on every node', async () => {
  const [user, other] = (await people(nodes, {}, {})) as [Person, Person]
  const etag = await tagOf(user.one)
  assert.match(etag, /^W\/"[\w-]+"$/)
  assert.notEqual(await tagOf(other.one), '')
  const first = await data(user.two)
  clock.leap(90_000)
  for (const client of user.clients) {
    const same = await poll(client, `"x", ${etag}`)
    assert.deepEqual([same.status, same.body, same.headers['etag']], [304, undefined, etag])
    const full = await poll(client, '"x"')
    assert.deepEqual([full.status, full.headers['etag'], full.headers['cache-control']], [200, etag, 'no-store'])
    assert.ok(Date.parse(full.body.serverTime) >= Date.parse(first.serverTime) + 90_000)
    assert.deepEqual({ ...full.body, serverTime: first.serverTime }, first)
  }
})

test('GET /notification/user: every change of the answer is a new ETag, the same on both nodes', async () => {
  const [user, friend, foe, team] = (await people(nodes, {}, {}, {}, { level: 'serviceteam' })) as [Person, Person, Person, Person]
  let before = await tagOf(user.one)
  const changes = async (what: string, change: () => Promise<unknown>, seen = true) => {
    await change()
    // Posts are told to the other node without waiting for it.
    await until(async () => (await tagOf(user.one)) === (await tagOf(user.two)), `${what}: both nodes alike`)
    const now = await tagOf(user.two)
    assert.equal(now !== before, seen, what)
    assert.equal((await poll(user.one, before)).status, seen ? 200 : 304, what)
    assert.equal((await poll(user.two, now)).status, 304, what)
    before = now
  }
  let fezID = ''
  await changes('added to a chat', async () => {
    fezID = await createChat(friend.one, { initialUsers: [user.id, foe.id] })
  })
  await changes('looked at it', () => body(user.two.get(`/fez/${fezID}`)))
  await changes('a post', async () => {
    const socket = await user.two.socket('/notification/socket')
    await say(friend.one, fezID, 'x')
    await socket.count(1)
    socket.terminate()
  })
  await changes('muted the chat', () => body(user.one.post(`/fez/${fezID}/mute`), 201))
  await changes('unmuted it', () => body(user.two.delete(`/fez/${fezID}/mute`), 204))
  await changes('muted its author', () => mute(user, friend))
  await changes('nothing for him: a hidden post', () => say(friend.two, fezID, 'y'), false)
  await changes('nothing for him: a block without a post', () => block(foe, user), false)
  await changes('left', () => body(user.one.post(`/fez/${fezID}/unjoin`)), false)
  await changes('an appointment', () => createChat(user.one, { startTime: new Date(clock.now() + 2 * hourMs).toISOString() }))
  await changes('it is over', async () => {
    clock.leap(3 * hourMs)
  })
  await changes('an announcement', () =>
    body(
      team.one.post('/notification/announcement/create', { text: 'x', displayUntil: new Date(clock.now() + hourMs).toISOString() }),
      201,
    ),
  )
  await changes('read', () => body(user.two.get('/notification/announcements')))
  await changes('expired', async () => {
    clock.leap(2 * hourMs)
  })
  await changes('a feature switched off', () => disable(nodes, 'karaoke'))
  await changes('and on again', () => disable(nodes))
  await changes('another zone', async () => {
    await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${new Date(clock.now() - 1000)}, 'GST', 'Etc/GMT-4')`
    await settingsChanged(nodes)
  })
  assert.deepEqual(((answer) => [answer.serverTimeOffset, answer.serverTimeZone, answer.serverTimeZoneID])(await data(user.one)), [
    14_400,
    'GST',
    'Etc/GMT-4',
  ])
  await nodes.sql`delete from time_zone_change where abbreviation = 'GST'`
  await changes('the old zone', () => settingsChanged(nodes))
  await changes('promoted', async () => {
    const [account] =
      await nodes.sql`update account set level = 'moderator', rev = rev + 1 where id = ${user.id} returning id, person_id, username, level, display_name, user_image, preferred_pronoun, rev`
    await nodes.apps[0]?.node.channels.publishConfirmed('user', user.id, { type: 'changed', account: { ...account } })
  })
  await changes('mail for the moderators', () => createSeamail(friend.one, [], { initialUsers: ['00000000-0000-4000-8000-000000000003'] }))
  await changes('a report', () => body(friend.one.post(`/users/${foe.id}/report`, { message: 'x' }), 201))
})

test('moderatorData.openReportCount: reports on chats, posts and users, until somebody looks after them', async () => {
  const [moderator, owner, reporter] = (await people(nodes, { level: 'moderator' }, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one)
  const postID = await say(owner.one, fezID, 'x')
  const counts = () => Promise.all(moderator.clients.map(async (client) => (await data(client)).moderatorData.openReportCount))
  const [start] = (await counts()) as [number]
  const both = (count: number) => until(async () => (await counts()).every((open) => open === start + count), `${count} more open reports`)
  for (const [index, path] of [`/fez/${fezID}/report`, `/fez/post/${postID}/report`, `/users/${owner.id}/report`].entries()) {
    const client = reporter.clients[index % 2] as Client
    await body(client.post(path, { message: 'x' }), 201)
    await both(index + 1)
    await refused(client.post(path, { message: 'again' }), 409)
    await both(index + 1)
  }
  const changed = () => nodes.apps[1]?.node.channels.publishConfirmed('reports', 'all', { type: 'changed' })
  await nodes.sql`update report set handled_by = ${moderator.id} where reported_id = ${fezID}`
  await changed()
  assert.deepEqual(await counts(), [start + 2, start + 2])
  await nodes.sql`update report set is_closed = true where author_id = ${reporter.id}`
  await changed()
  assert.deepEqual(await counts(), [start, start])
})

test("a user's channel watches the chats that he is in, and none once it is closed, also while it is being read", async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const first = await createChat(owner.one, { initialUsers: [member.id] })
  const second = await createChat(owner.one, { initialUsers: [member.id] })
  const watched = new Set<string>()
  let [onRead, onHeard] = [() => {}, () => {}]
  const { node } = nodes.apps[0] as App
  const own = Object.create(node, {
    channels: {
      value: {
        watch: (_kind: string, id: string) => watched.add(id),
        unwatch: (_kind: string, id: string) => watched.delete(id),
        whenHeard: async () => onHeard(),
      },
    },
    db: {
      value: Object.create(node.db, {
        sql: {
          get() {
            onRead()
            return node.db.sql
          },
        },
      }),
    },
  }) as Node
  const channel = new UserChannel(own, member.id)
  await channel.ready()
  assert.deepEqual([...watched].toSorted(), [first, second].toSorted())
  await body(member.one.post(`/fez/${first}/unjoin`))
  await channel.reload()
  assert.deepEqual([...watched], [second])
  channel.close()
  assert.equal(watched.size, 0)
  const another = new UserChannel(own, member.id)
  onRead = () => another.close()
  await another.ready()
  assert.equal(watched.size, 0)
  const third = new UserChannel(own, member.id)
  onRead = () => {}
  onHeard = () => third.close()
  await third.ready()
  assert.equal(watched.size, 0)
})

test('a channel that is read again while notices come is another one for answers in memory', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  await body(user.one.get('/user/whoami'))
  const channel = (nodes.apps[0] as App).node.channels.of(userKind).peek(user.id) as UserChannel
  const socket = await user.one.socket('/notification/socket')
  const before = channel.ownRevision
  const lock = await hold(nodes.database.url, 'lock table muteword in access exclusive mode')
  const changed = channel.receive({ type: 'relationsChanged' })
  const notices = ['one', 'two', 'three']
  for (const noticeID of notices)
    await Promise.race([channel.receive({ type: 'noticed', noticeID, notice: notificationFrame('announcement', noticeID, '') }), 0])
  await lock.awaited()
  await lock.release()
  await changed
  await socket.until(({ info }) => info === 'three')
  assert.deepEqual(
    socket.frames.map(({ info }) => info),
    notices,
    'each is sent once',
  )
  assert.ok(channel.ownRevision > before, `${channel.ownRevision} after ${before}`)
})
