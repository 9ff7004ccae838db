// Reads that take long go to a standby of Postgres, which has what was written before, or else to the primary.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import postgres from 'postgres'
import { readConfig, weakSecrets } from '../../src/core/base/config.ts'
import { body, people, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { linkToPostgres } from '../support/postgres-link.ts'
import { postgresPair, startNodesOn, type PostgresPair } from '../support/postgres-pair.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'

/** When the standby was last asked for posts by a server; undefined when it never was. */
async function lastAsked(standby: postgres.Sql): Promise<number | undefined> {
  const [row] = await standby<{ at: Date | null }[]>`
    select max(query_start) as at from pg_stat_activity where application_name = 'quarterdeck' and query like '%forum_post%'`
  return row?.at?.valueOf()
}

async function startOn(t: TestContext, pair: PostgresPair, standbyUrl = pair.other.url) {
  const nodes = await startNodesOn(t, pair, { DATABASE_URL: pair.url, DATABASE_STANDBY_URL: standbyUrl })
  const [ann, admin] = (await people(nodes, {}, { level: 'admin' })) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'Light')
  let number = 0
  return {
    admin,
    /** How many long reads of the second server were answered at a server of Postgres. */
    async answeredAt(which: 'standby' | 'primary'): Promise<number> {
      const lines = (await (await fetch(`${nodes.urls[1]}/metrics`)).text()).split('\n')
      const line = lines.find((each) => each.startsWith('postgres_long_reads_total{') && each.includes(`at="${which}"`))
      return Number(line?.split(' ').at(-1))
    },
    /** Whether the other server finds a post at once that was made a moment ago. */
    async finds(): Promise<boolean> {
      const word = `lighthouse${++number}`
      await postIn(ann.one, forumID, `the ${word}`)
      const { posts } = await body(ann.two.get(`/forum/post/search?search=${word}`))
      return posts.length === 1
    },
  }
}

test('a search finds what was posted before, at a standby, and at the primary while that is behind, away or promoted', async (t) => {
  const pair = await postgresPair(t, { synchronous: false })
  const { admin, finds, answeredAt } = await startOn(t, pair)
  const connect = () => {
    const sql = postgres(pair.other.url, { max: 1, onnotice: () => undefined })
    t.after(() => sql.end())
    return sql
  }
  const standby = connect()
  const isAsked = async (sql: postgres.Sql) => {
    const before = (await lastAsked(sql)) ?? 0
    assert.ok(await finds())
    return ((await lastAsked(sql)) ?? 0) > before
  }
  await until(() => isAsked(standby), 'the standby is asked')
  for (let round = 0; round < 20; round++) assert.ok(await finds())
  for (const path of ['/admin/rollup', '/admin/users', '/admin/audit', '/microblog?search=lighthouse', '/forum/post/search?search=light']) {
    const before = await answeredAt('standby')
    await body(admin.two.get(path))
    assert.equal(await answeredAt('standby'), before + 1, path)
  }
  const before = await answeredAt('standby')
  await body(admin.two.get('/forum/post/search?byself=true'))
  assert.equal(await answeredAt('standby'), before, 'an index knows these')

  const atStandby = await answeredAt('standby')
  assert.ok(atStandby > 10)

  await standby`select pg_wal_replay_pause()`
  const atPrimary = await answeredAt('primary')
  for (let round = 0; round < 3; round++) assert.ok(await finds(), 'it is behind')
  assert.deepEqual([await answeredAt('standby'), await answeredAt('primary')], [atStandby, atPrimary + 3])
  await standby`select pg_wal_replay_resume()`
  await until(() => isAsked(standby), 'it is asked again')

  await pair.other.crash()
  for (let round = 0; round < 3; round++) assert.ok(await finds(), 'it is away')
  await pair.other.restart()
  const again = connect()
  await until(() => isAsked(again), 'it is asked again', 30_000)

  await pair.other.signal('SIGSTOP')
  assert.ok(await finds(), 'it hangs')
  await pair.other.signal('SIGCONT')
  await until(() => isAsked(again), 'it is asked again', 30_000)
})

test('a search whose standby breaks off in the middle of it is answered by the primary', async (t) => {
  const pair = await postgresPair(t, { synchronous: false })
  const link = await linkToPostgres(t, pair.other.url)
  const { finds, answeredAt } = await startOn(t, pair, link.url)
  await until(async () => (await finds()) && (await answeredAt('standby')) > 0, 'the standby is asked')
  const before = await answeredAt('primary')
  const lost = link.loseAnswerTo('forum_post')
  assert.ok(await finds())
  await lost
  assert.equal(await answeredAt('primary'), before + 1)
})

test('once the standby is the primary nobody takes it for one that follows', async (t) => {
  const pair = await postgresPair(t, { synchronous: true })
  const { finds } = await startOn(t, pair)
  assert.ok(await finds())
  await pair.primary.crash()
  await pair.promote()
  await until(() => finds().catch(() => false), 'it is found', 30_000)
  for (let round = 0; round < 5; round++) assert.ok(await finds())
})

test('DATABASE_STANDBY_URL: one address, beside that of the primary; doctor looks whether it follows', async (t) => {
  const env = { DATABASE_URL: 'postgres://one/quarterdeck', DATABASE_STANDBY_URL: 'postgres://x:password@two/quarterdeck' }
  const config = readConfig([], env)
  assert.equal(config.databaseStandbyUrl, env.DATABASE_STANDBY_URL)
  assert.ok(weakSecrets(config).some((text) => text.includes('DATABASE_STANDBY_URL')))
  assert.equal(readConfig([], { DATABASE_URL: env.DATABASE_URL }).databaseStandbyUrl, undefined)
  for (const wrong of ['https://two', 'postgres://two,three/quarterdeck'])
    assert.throws(() => readConfig([], { ...env, DATABASE_STANDBY_URL: wrong }), /DATABASE_STANDBY_URL must be/)
  assert.throws(() => readConfig([], { DATABASE_STANDBY_URL: env.DATABASE_STANDBY_URL }), /DATABASE_STANDBY_URL needs DATABASE_URL/)

  const pair = await postgresPair(t, { synchronous: false, seeded: false })
  const says = async (url: string) => (await runTool('doctor', [], { DATABASE_URL: pair.primary.url, DATABASE_STANDBY_URL: url })).output
  assert.match(await says(pair.other.url), /✓ Standby +follows at/)
  assert.match(await says(pair.primary.url), /✗ Standby +.* follows no primary/)
})
