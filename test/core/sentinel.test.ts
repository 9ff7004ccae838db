// Redis behind Sentinels: nodes and workers find the primary, and the next one when it hangs or dies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/core/base/config.ts'
import { redisHostsOf } from '../../src/core/base/redis-url.ts'
import { startTestNodes } from '../support/app.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { startSentinel } from '../support/sentinel.ts'
import { ownRedis } from '../support/services.ts'
import { until } from '../support/until.ts'

const passwords = { primary: 'of-the-primary', sentinel: 'of:the@sentinel' }
const portOf = ({ url }: { url: string }) => Number(new URL(url).port)

test('when another Redis becomes the primary all go there: posts and jobs reach everybody, also after the first one hangs', async (t) => {
  const [first, second] = [await ownRedis(t, { password: passwords.primary }), await ownRedis(t, { password: passwords.primary })]
  const sentinel = await startSentinel(t, portOf(first), passwords)
  const nodes = await startTestNodes(2, { redisUrl: sentinel.url, workers: 1 })
  t.after(() => nodes.stop())
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createSeamail(ann.one, [bob])
  const socket = await bob.two.socket(`/fez/${chat}/socket`)
  await body(bob.two.post('/user/alertwords/add/lighthouse'))
  const notices = await bob.two.socket('/notification/socket')
  const { forumID } = await startForum(ann.one, 'Light')
  const isReady = async () => {
    const states = await Promise.all(
      nodes.urls.map(async (url) => ((await (await fetch(`${url}/health/ready`)).json()) as { status: string }).status),
    )
    return states.every((state) => state === 'ready')
  }
  let told = 0
  const goesOn = async (text: string) => {
    await until(isReady, 'both are ready', 30_000)
    await say(ann.one, chat, text)
    await socket.count(++told)
    const heard = notices.frames.length
    await postIn(ann.one, forumID, `the lighthouse: ${text}`)
    await until(() => notices.frames.length > heard, 'the job was done, and told', 60_000)
  }
  await goesOn('at first')

  first.signal('SIGSTOP')
  sentinel.elect(portOf(second))
  await goesOn('the first one hangs')

  first.signal('SIGCONT')
  await goesOn('the first one is back, and is not asked any more')
  await second.crash()
  sentinel.elect(portOf(first))
  await goesOn('the second one is gone')
})

test('an address of Sentinels is read, its hosts are said without its passwords, and what is none is refused', () => {
  const read = (url: string) => readConfig([], { REDIS_URL: url, DATABASE_URL: 'postgres://localhost/x' }).redisUrl
  const good = 'rediss-sentinel://me:p%40ss@one.example,two.example:5000,[::1]:6/main?sentinelPassword=s%3A'
  assert.equal(read(good), good)
  assert.equal(redisHostsOf(good), 'one.example:26379, two.example:5000, [::1]:6')
  assert.equal(redisHostsOf('redis://:secret@here.example:7/0'), 'here.example:7')
  for (const wrong of ['redis-sentinel://one.example', 'redis-sentinel:///main', 'redis-sentinel://one,,two/main', 'sentinel://one/main'])
    assert.throws(() => read(wrong), /^ConfigError: REDIS_URL must be a URL|REDIS_URL must be a URL/)
})
