// Redis behind Sentinels: nodes and workers find the primary, and the next one when it hangs or dies. Addresses of several servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/core/base/config.ts'
import { redisHostsOf, redisPasswordOf } from '../../src/core/base/redis-url.ts'
import { startTestNodes } from '../support/app.ts'
import { whatGoesOn } from '../support/goes-on.ts'
import { startSentinel } from '../support/sentinel.ts'
import { ownRedis } from '../support/services.ts'

const passwords = { primary: 'of-the-primary', sentinel: 'of:the@sentinel' }
const portOf = ({ url }: { url: string }) => Number(new URL(url).port)

test('when another Redis becomes the primary all go there: posts and jobs reach everybody, also after the first one hangs', async (t) => {
  const [first, second] = [await ownRedis(t, { password: passwords.primary }), await ownRedis(t, { password: passwords.primary })]
  const sentinel = await startSentinel(t, portOf(first), passwords)
  const nodes = await startTestNodes(2, { redisUrl: sentinel.url, workers: 1 })
  t.after(() => nodes.stop())
  const goesOn = await whatGoesOn(nodes)
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

const read = (url: string) => readConfig([], { REDIS_URL: url, DATABASE_URL: 'postgres://localhost/x' }).redisUrl

test('an address of Sentinels or of a Cluster is read, its hosts are said without its passwords', () => {
  for (const [url, hosts, password] of [
    [
      'rediss-sentinel://me:p%40ss@one.example,two.example:5000,[::1]:6/main?sentinelPassword=s%3A',
      'one.example:26379, two.example:5000, [::1]:6',
      'p@ss',
    ],
    ['redis-cluster://:p%40ss@one.example,[::1]:7001', 'one.example:6379, [::1]:7001', 'p@ss'],
    ['rediss-cluster://one.example', 'one.example:6379', ''],
    ['redis://:secret@here.example:7/0', 'here.example:7', 'secret'],
  ] as const) {
    assert.equal(read(url), url)
    assert.equal(redisHostsOf(url), hosts)
    assert.equal(redisPasswordOf(url), password)
  }
})

test('what is no address of a Redis is refused', () => {
  for (const wrong of [
    'redis-sentinel://one.example',
    'redis-sentinel:///main',
    'redis-sentinel://one,,two/main',
    'sentinel://one/main',
    'redis-cluster://',
    'redis-cluster://one,,two',
    'redis-cluster://one/0',
  ])
    assert.throws(() => read(wrong), /REDIS_URL must be a URL/)
})
