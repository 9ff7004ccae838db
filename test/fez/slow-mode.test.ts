// Slow mode of forums, chats and the microblog: one post of a person in so many seconds, on whichever node. Two nodes.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createChat, createSeamail, people, refused, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let moderator: Person
const clock = new LeapingClock()
before(async () => {
  nodes = await startTestNodes(2, { clock, env: { WRITES_PER_MINUTE: '0' } })
  ;[moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
})
after(() => nodes.stop())

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person

/** A place where somebody has begun, and how people post there. */
interface Place {
  slow: (seconds: number) => Promise<unknown>
  post: (who: Person, node: 'one' | 'two', headers?: Record<string, string>) => Promise<Answer>
  /** What an app reads of it. */
  shown: (who: Person) => Promise<number | undefined>
  count: () => Promise<number>
}
const text = content('Hello')

const places: Record<string, (members: readonly Person[]) => Promise<Place>> = {
  async forum([owner]) {
    const { forumID } = await startForum((owner as Person).one, 'A forum')
    return {
      slow: (seconds) => body(moderator.two.post(`/mod/forum/${forumID}/slowmode`, { seconds })),
      post: (who, node, headers) => who[node].post(`/forum/${forumID}/create`, text, headers && { headers }),
      shown: async (who) => (await body(who.two.get(`/forum/${forumID}`))).slowModeSeconds,
      count: async () => (await body(moderator.one.get(`/forum/${forumID}`))).paginator.total,
    }
  },
  async chat([owner, ...others]) {
    const fezID = await createChat((owner as Person).one)
    for (const { one } of others) await body(one.post(`/fez/${fezID}/join`), 201)
    return {
      slow: (seconds) => body(moderator.two.post(`/mod/fez/${fezID}/slowmode`, { seconds })),
      post: (who, node, headers) => who[node].post(`/fez/${fezID}/post`, text, headers && { headers }),
      shown: async (who) => (await body(who.two.get(`/fez/${fezID}`))).slowModeSeconds,
      count: async () => (await body((owner as Person).one.get(`/fez/${fezID}`))).members.postCount,
    }
  },
  async microblog() {
    return {
      slow: (seconds) => body(moderator.two.post('/mod/microblog/slowmode', { seconds })),
      post: (who, node, headers) => who[node].post('/microblog/create', text, headers && { headers }),
      shown: async (who) => (await body(who.two.get('/microblog/slowmode'))).seconds || undefined,
      count: async () => (await nodes.sql<[{ n: number }]>`select count(*)::int as n from microblog_post`)[0].n,
    }
  },
}

describe('slow mode: open pages', () => {
  it('browsers on every node are told where it was switched on or off; apps, which know no such notice, are not', async () => {
    const owner = await someone()
    const { username, one, two } = owner
    const login = await one.post('/auth/login', undefined, {
      basic: [username, testPassword],
      headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const browser = await nodes.client().socket('/notification/socket', { cookie, origin: nodes.urls[0] as string })
    const app = await two.socket('/notification/socket')
    const { forumID } = await startForum(one, 'A forum')
    const fezID = await createChat(one)
    for (const [path, place] of [
      [`/mod/forum/${forumID}/slowmode`, `forum ${forumID}`],
      [`/mod/fez/${fezID}/slowmode`, `fez ${fezID}`],
      ['/mod/microblog/slowmode', 'microblog'],
    ] as const)
      for (const [seconds, isNews] of [
        [20, true],
        [20, false],
        [0, true],
      ] as const) {
        const before = browser.frames.length
        await body(moderator.two.post(path, { seconds }))
        await browser.flushed()
        const frames = browser.frames.slice(before)
        assert.deepEqual(frames, isNews ? [{ type: { slowModeChanged: {} }, info: '', contentID: place }] : [], `${place} ${seconds}`)
      }
    await app.flushed()
    assert.deepEqual(app.frames, [])
    for (const socket of [browser, app]) socket.terminate()
  })
})

for (const [name, begin] of Object.entries(places))
  describe(`slow mode: ${name}`, () => {
    it('lets one post through in so many seconds, and says how long to wait', async () => {
      const [writer, other] = [await someone(), await someone()]
      const place = await begin([writer, other])
      assert.equal(await place.shown(writer), undefined)
      await place.slow(30)
      assert.equal(await place.shown(writer), 30)
      assert.equal((await place.post(writer, 'one')).status < 300, true)
      clock.leap(10_000)
      for (const node of ['one', 'two'] as const) {
        const { status, headers, body: answer } = await place.post(writer, node)
        assert.deepEqual([status, answer.code], [429, 'slow_mode'])
        const wait = Number(headers['retry-after'])
        assert.ok(wait > 10 && wait <= 20, `${wait} seconds`)
        assert.match(answer.reason, new RegExp(`again in ${wait} seconds`))
      }
      assert.ok((await place.post(other, 'two')).status < 300, 'others do not wait for them')
      clock.leap(20_000)
      assert.ok((await place.post(writer, 'two')).status < 300, 'the time has come')
      await place.slow(0)
      for (const _ of [1, 2]) assert.ok((await place.post(writer, 'one')).status < 300, 'without slow mode')
      assert.equal(await place.shown(writer), undefined)
    })

    it('holds nobody up for longer because the clock was set back', async () => {
      const writer = await someone()
      const place = await begin([writer])
      await place.slow(30)
      assert.ok((await place.post(writer, 'one')).status < 300)
      clock.set(-3_600_000)
      try {
        assert.ok((await place.post(writer, 'two')).status < 300)
        assert.equal((await place.post(writer, 'one')).status, 429)
      } finally {
        clock.set(3_600_000)
        await place.slow(0)
      }
    })

    it('counts all accounts of a person together, and never moderators', async () => {
      const writer = await someone()
      const second = await someone({ subAccountOf: writer })
      const place = await begin([writer, second, moderator])
      await place.slow(60)
      assert.ok((await place.post(writer, 'one')).status < 300)
      assert.equal((await place.post(second, 'two')).status, 429)
      for (const _ of [1, 2]) assert.ok((await place.post(moderator, 'one')).status < 300)
      await place.slow(0)
    })

    it('lets one of many at the same time through, on both nodes', async () => {
      const writer = await someone()
      const place = await begin([writer])
      await place.slow(60)
      const before = await place.count()
      // The first time they have no row yet, later they have one.
      for (const round of [1, 2, 3]) {
        const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => place.post(writer, index % 2 ? 'one' : 'two')))
        assert.deepEqual(answers.map(({ status }) => (status < 300 ? 'ok' : String(status))).toSorted(), [
          ...Array.from({ length: 11 }, () => '429'),
          'ok',
        ])
        await until(async () => (await place.count()) >= before + round, 'the post is known')
        assert.equal(await place.count(), before + round)
        clock.leap(61_000)
      }
      await place.slow(0)
    })

    it('answers a repetition as the first time, and a refused key can be used again', async () => {
      const writer = await someone()
      const place = await begin([writer])
      await place.slow(30)
      const [first, later] = [{ 'idempotency-key': 'first' }, { 'idempotency-key': 'later' }]
      assert.ok((await place.post(writer, 'one', first)).status < 300)
      assert.ok((await place.post(writer, 'two', first)).status < 300)
      assert.equal((await place.post(writer, 'two', later)).status, 429)
      clock.leap(31_000)
      assert.ok((await place.post(writer, 'one', later)).status < 300)
      await place.slow(0)
    })

    it('is set by moderators alone, within limits', async () => {
      const writer = await someone()
      const place = await begin([writer])
      await assert.rejects(place.slow(-1))
      await assert.rejects(place.slow(3601))
    })
  })

describe('slow mode', () => {
  it('is refused for private chats, and to people who do not moderate', async () => {
    const [owner, other] = [await someone(), await someone()]
    const seamail = await createSeamail(owner.one, [other])
    const answer = await moderator.one.post(`/mod/fez/${seamail}/slowmode`, { seconds: 30 })
    assert.deepEqual([answer.status, answer.body.code], [400, 'slow_mode_not_allowed'])
    for (const path of [`/mod/fez/${seamail}/slowmode`, '/mod/microblog/slowmode'])
      await refused(owner.one.post(path, { seconds: 30 }), 403)
  })

  it('does not count a post that is refused for another reason', async () => {
    const writer = await someone()
    const { forumID } = await startForum(writer.one, 'A forum')
    await body(moderator.one.post(`/mod/forum/${forumID}/slowmode`, { seconds: 600 }))
    await body(moderator.one.post(`/mod/forum/${forumID}/setstate/locked`))
    await refused(writer.one.post(`/forum/${forumID}/create`, text), 403)
    await body(moderator.one.post(`/mod/forum/${forumID}/setstate/normal`))
    await body(writer.two.post(`/forum/${forumID}/create`, text), 201)
  })
})
