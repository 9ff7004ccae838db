// From the outbox through BullMQ to one effect, whatever breaks on the way.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, beforeEach, test, type TestContext } from 'node:test'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import type { WriterKind } from '../../src/core/work/writers.ts'
import { Ctx, type Node, type Tx } from '../../src/core/work/ctx.ts'
import {
  startJobRunner,
  type JobHandlers,
  type JobPreparations,
  type JobRunner,
  type JobsTogether,
  type Sweep,
} from '../../src/core/work/job-runner.ts'
import { JobRunCounter } from '../../src/core/work/job-runs.ts'
import { insertedJob, markDue, maxFailures, queueName } from '../../src/core/outbox/jobs.ts'
import { queuePrefix } from '../../src/core/bus/redis-keys.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { empty } from '../support/db.ts'
import { FakeClock, LeapingClock } from '../support/fake-clock.ts'
import { ownRedis, type OwnService } from '../support/services.ts'
import { until } from '../support/until.ts'

const clock = new LeapingClock()
let nodes: TestNodes
let redis: OwnService
let node: Node
let redisPrefix: string
const cleanups: (() => unknown)[] = []

before(async () => {
  // FLUSHALL must not hurt other tests.
  redis = await ownRedis({ after: (end) => void cleanups.push(end as () => unknown) })
  nodes = await startTestNodes(1, { clock, redisUrl: redis.url })
  node = (nodes.apps[0] as TestNodes['apps'][number]).node
  await nodes.sql`create table effect (label text not null, requested_by text)`
})
after(async () => {
  await nodes.stop()
  for (const end of cleanups) await end()
})
beforeEach(async () => {
  redisPrefix = `t${randomBytes(6).toString('hex')}`
  await empty(nodes.sql, 'effect', 'outbox')
})

/** A runner that is stopped after the test. */
async function start(
  t: TestContext,
  perform: (tx: Tx<undefined>, payload: { fezID: string }, prepared: never) => Promise<void>,
  options: { clock?: Node['clock']; sweeps?: Sweep[]; together?: JobsTogether; prepare?: JobPreparations; onSilence?: () => void } = {},
): Promise<JobRunner> {
  const runs = new JobRunCounter(node)
  const runner = await startJobRunner(options.clock ? { ...node, clock: options.clock } : node, {
    redisUrl: redis.url,
    redisPrefix,
    handlers: { 'fez-starting': perform } as Partial<JobHandlers> as JobHandlers,
    together: options.together ?? {},
    prepare: options.prepare ?? {},
    sweeps: options.sweeps ?? [],
    runs,
    onSilence: options.onSilence ?? (() => assert.fail('the runner thinks that nothing is delivered')),
  })
  t.after(async () => {
    await runner.stop()
    await runs.stop()
  })
  return runner
}

/** The payload's fezID is only a label here. */
function enqueue(label: string, runAt?: Date): Promise<unknown> {
  const ctx = new Ctx(node, undefined, { requestId: 'a-request', log: node.log })
  return ctx.transaction(async (tx) => tx.enqueue('fez-starting', { fezID: label, startTime: '' }, runAt))
}

/** What a job does here: one row. */
async function leaveTrace(tx: Tx<undefined>, { fezID }: { fezID: string }): Promise<void> {
  await tx.sql`insert into effect (label) values (${fezID})`
}

const effects = async () => (await nodes.sql<{ label: string }[]>`select label from effect order by label`).map(({ label }) => label)
const waiting = async () => (await nodes.sql<{ count: number }[]>`select count(*)::int as count from outbox`)[0]?.count
const allDone = () => until(async () => (await waiting()) === 0, 'the outbox is empty')
const names = (count: number) => Array.from({ length: count }, (_, index) => `job ${String(index).padStart(3, '0')}`)

/** A gate that holds everybody up until it is opened. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('a committed job is done once and leaves the outbox; one of a failed transaction is never done', async (t) => {
  await start(t, leaveTrace)
  const ctx = new Ctx(node, undefined, { requestId: '', log: node.log })
  await assert.rejects(
    ctx.transaction(async (tx) => {
      tx.enqueue('fez-starting', { fezID: 'never', startTime: '' })
      await tx.sql`select 1 / 0`
    }),
  )
  await enqueue('once')
  await allDone()
  assert.deepEqual(await effects(), ['once'])
})

test('what a transaction writes is not there without its job', async () => {
  await nodes.sql`alter table outbox add constraint refused check (job <> 'fez-starting')`
  try {
    await assert.rejects(
      new Ctx(node, undefined, { requestId: '', log: node.log }).transaction(async (tx) => {
        await leaveTrace(tx, { fezID: 'without its job' })
        tx.enqueue('fez-starting', { fezID: 'refused', startTime: '' })
      }),
      /refused/,
    )
  } finally {
    await nodes.sql`alter table outbox drop constraint refused`
  }
  assert.deepEqual(await effects(), [])
})

test('a job that is for the rows of a table is written only while it has any, whatever is written with it', async () => {
  const both = () =>
    new Ctx(node, undefined, { requestId: '', log: node.log }).transaction(async (tx) => {
      tx.enqueue('webhook-event', { kind: 'fez.created', at: new Date(), data: { fezID: randomUUID(), fezType: 'gaming' } })
      tx.enqueue('fez-starting', { fezID: 'always', startTime: '' })
    })
  const written = async () => (await nodes.sql<{ job: string }[]>`delete from outbox returning job`).map(({ job }) => job).sort()
  await both()
  assert.deepEqual(await written(), ['fez-starting'])
  await nodes.sql`
    insert into webhook_endpoint (id, name, url, secret, kinds, created_at)
    values (gen_random_uuid(), 'listener', 'https://listener.example/', '\\x00', '{}', now())`
  await both()
  assert.deepEqual(await written(), ['fez-starting', 'webhook-event'])
  await nodes.sql`delete from webhook_endpoint`
})

test('a statement that comes after its transaction has been committed is refused', async () => {
  let late: (() => Promise<unknown>) | undefined
  await new Ctx(node, undefined, { requestId: '', log: node.log }).transaction(async (tx) => {
    late = () => leaveTrace(tx, { fezID: 'late' })
    await leaveTrace(tx, { fezID: 'in time' })
  })
  await assert.rejects(async () => await late?.(), /behind the end/)
  assert.deepEqual(await effects(), ['in time'])
})

test('a committed job wakes the relay: nobody waits for a timer', async (t) => {
  // No timer ever comes on this clock.
  const still = new FakeClock(Date.now() + 3_600_000)
  await start(t, leaveTrace, { clock: still })
  await enqueue('woken')
  await allDone()
  assert.deepEqual(await effects(), ['woken'])
  const ownJob: WriterKind<string, null, undefined> = {
    name: 'own job',
    writesJob: () => true,
    keyOf: (key) => key,
    affected: () => undefined,
    isOneStatement: () => true,
    async write(sql, writes) {
      const [{ tx }] = writes as [(typeof writes)[number]]
      await sql`${insertedJob(sql, 'fez-starting', tx.ctx.requestId, sql`jsonb_build_object('fezID', 'written by a statement', 'startTime', '')`)}`
      return writes.map(() => ({ answer: null }))
    },
  }
  await new Ctx(node, undefined, { requestId: 'writes it itself', log: node.log }).write(ownJob, '')
  await allDone()
  assert.deepEqual(await effects(), ['woken', 'written by a statement'])
})

test('a job that is delivered many times has its effect once', async (t) => {
  const { opened, open } = gate()
  let running = 0
  await start(t, async (tx, payload) => {
    running++
    await opened
    await leaveTrace(tx, payload)
  })
  await enqueue('once')
  await until(() => running === 1, 'the job runs')
  const [row] = await nodes.sql<{ id: number }[]>`select id from outbox`
  const queue = newQueue(t)
  await queue.addBulk(Array.from({ length: 30 }, () => ({ name: queueName, data: { id: Number(row?.id) } })))
  await until(async () => (await queue.getWaitingCount()) === 0, 'the repetitions are taken')
  assert.equal(running, 1)
  open()
  await allDone()
  await queue.add(queueName, { id: Number(row?.id) })
  await enqueue('another')
  await allDone()
  assert.deepEqual(await effects(), ['another', 'once'])
  assert.equal(running, 2)
})

test('a worker that dies in the middle of a job: nothing of it stays, another does it', async (t) => {
  let attempts = 0
  await start(t, async (tx, payload) => {
    attempts++
    await leaveTrace(tx, payload)
    // The connection is cut as if the process had been killed.
    if (attempts === 1) await tx.sql`select pg_terminate_backend(pg_backend_pid())`
  })
  await enqueue('once')
  await until(() => attempts === 1, 'the job runs')
  await until(async () => (await waiting()) === 1, 'its row is still there')
  assert.deepEqual(await effects(), [])
  await start(t, leaveTrace)
  clock.leap(40_000)
  await allDone()
  assert.deepEqual(await effects(), ['once'])
})

test('Redis forgets everything: the jobs are done all the same, once each', async (t) => {
  const { opened, open } = gate()
  let running = 0
  await start(t, async (tx, payload) => {
    running++
    await opened
    await leaveTrace(tx, payload)
  })
  for (const name of names(20)) await enqueue(name)
  await until(
    async () => running === 8 && (await nodes.sql`select 1 from outbox where relayed_at is null`).length === 0,
    'some run, the others wait in Redis',
  )
  const commands = new Redis(redis.url)
  await commands.flushall()
  commands.disconnect()
  open()
  await until(async () => (await waiting()) === 12, 'those that ran have ended')
  await until(async () => {
    clock.leap(31_000)
    return (await waiting()) === 0
  }, 'the others are swept back in')
  assert.deepEqual(await effects(), names(20))
})

test('Redis away: nothing is marked as handed out, and everything goes out when it is back', async (t) => {
  await start(t, leaveTrace)
  await redis.crash()
  for (const name of names(5)) await enqueue(name)
  await redis.restart()
  await until(
    async () => {
      clock.leap(5_000)
      return (await waiting()) === 0
    },
    'all are done',
    30_000,
  )
  assert.deepEqual(await effects(), names(5))
})

test('Redis full: nothing counts as handed out, and everything goes out when there is room', async (t) => {
  await start(t, leaveTrace)
  const commands = new Redis(redis.url)
  t.after(() => commands.disconnect())
  await commands.config('SET', 'maxmemory', '1')
  try {
    for (const name of names(5)) await enqueue(name)
    await until(async () => /errorstat_OOM/.test(await commands.info('errorstats')), 'Redis has refused something')
    await until(
      async () => (await nodes.sql`select from outbox where relayed_at is null and attempt = 0`).length === 5,
      'all count as not handed out',
    )
  } finally {
    await commands.config('SET', 'maxmemory', '0')
  }
  await allDone()
  assert.deepEqual(await effects(), names(5))
})

test('a job that fails is tried again, but not for ever; others go on', async (t) => {
  let attempts = 0
  await start(t, async (tx, payload) => {
    if (payload.fezID !== 'bad') return await leaveTrace(tx, payload)
    attempts++
    await leaveTrace(tx, payload)
    throw new Error('on purpose')
  })
  await enqueue('bad')
  await until(() => attempts === 1, 'the first attempt')
  clock.leap(31_000)
  await until(() => attempts === 2, 'the second attempt')
  const failures = async () => (await nodes.sql<{ failures: number }[]>`select failures from outbox`)[0]?.failures
  await until(async () => (await failures()) === 2, 'the second failure is counted')
  await nodes.sql`update outbox set failures = ${maxFailures - 1}`
  clock.leap(31_000)
  await until(() => attempts === 3, 'the last attempt')
  await until(async () => (await failures()) === maxFailures, 'the last failure is counted')
  for (const name of ['x', 'y']) {
    clock.leap(31_000)
    await enqueue(name)
    await until(async () => (await waiting()) === 1, 'only the bad one is left')
  }
  assert.equal(attempts, 3)
  assert.deepEqual(await effects(), ['x', 'y'])
})

test('what jobs come to is counted, with how long the longest took', async (t) => {
  await nodes.sql`delete from job_run`
  await start(t, async (tx, payload) => {
    if (payload.fezID === 'bad') throw new Error('on purpose')
    if (payload.fezID === 'slow') await tx.sql`select pg_sleep(0.2)`
  })
  for (const label of ['good', 'slow', 'bad']) await enqueue(label)
  const runs = async () =>
    (
      await nodes.sql<{ done: number; failed: number; ms: number; longestMs: number }[]>`
    select sum(done)::int as done, sum(failed)::int as failed, sum(ms)::int as ms, max(longest_ms) as longest_ms
    from job_run where job = 'fez-starting'`
    )[0]
  await until(async () => (await runs())?.done === 2 && ((await runs())?.failed ?? 0) >= 1, 'they are counted')
  const { ms = 0, longestMs = 0 } = (await runs()) ?? {}
  assert.ok(longestMs >= 200 && ms >= longestMs && longestMs < 5000, `${ms} ${longestMs}`)
  await nodes.sql`delete from outbox`
})

test('jobs that are done together: each once, those that wait in one transaction', async (t) => {
  const labels = names(120)
  for (const label of labels) await enqueue(label)
  let merged = 0
  await start(t, leaveTrace, {
    together: {
      'fez-starting': (payloads) => {
        merged = Math.max(merged, payloads.length)
        return payloads
      },
    },
  })
  await allDone()
  assert.deepEqual(await effects(), labels)
  assert.equal(merged, 50)
})

test('jobs that are done together: one that fails is tried again by itself, and keeps none of the others', async (t) => {
  const labels = names(10)
  for (const label of labels) await enqueue(label)
  const perform = async (tx: Tx<undefined>, payload: { fezID: string }) => {
    await leaveTrace(tx, payload)
    if (payload.fezID === 'job 004') throw new Error('on purpose')
  }
  await start(t, perform, { together: { 'fez-starting': (payloads) => payloads } })
  await until(async () => (await waiting()) === 1, 'the others are done')
  const others = labels.filter((label) => label !== 'job 004')
  assert.deepEqual(await effects(), others)
  await until(async () => {
    const [row] = await nodes.sql<{ failures: number; label: string }[]>`select failures, payload->>'fezID' as label from outbox`
    return row?.failures === 1 && row.label === 'job 004'
  }, 'its failure is counted')
  assert.deepEqual(await effects(), others)
})

test('what is prepared holds no connection, is handed over, and is tried again when it fails', async (t) => {
  const clock = new LeapingClock()
  const under = gate()
  let attempts = 0
  await start(t, async (tx, _payload, prepared: string) => leaveTrace(tx, { fezID: prepared }), {
    clock,
    prepare: {
      'fez-starting': async (_ctx, { fezID }) => {
        attempts++
        if (attempts === 1) throw new Error('on purpose')
        await under.opened
        return `${fezID} from elsewhere`
      },
    },
  })
  await enqueue('a photo')
  await until(() => attempts === 1, 'the first attempt')
  const failures = async () => (await nodes.sql<{ failures: number }[]>`select failures from outbox`)[0]?.failures
  await until(async () => (await failures()) === 1, 'the failure is counted')
  clock.leap(31_000)
  await until(() => attempts === 2, 'the second attempt')
  // It is handed out again meanwhile, as its row is not locked: whoever prepares it goes on alone.
  const relayed = async () => (await nodes.sql<{ attempt: number }[]>`select attempt from outbox`)[0]?.attempt
  clock.leap(31_000)
  await until(async () => (await relayed()) === 3, 'it is handed out again')
  const [held] = await nodes.sql<[{ number: number }]>`
    select count(*)::int as number from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
  assert.deepEqual([held.number, attempts], [0, 2])
  under.open()
  await allDone()
  // What was handed out again may be prepared once more before the first has committed; it has its effect once.
  assert.deepEqual(await effects(), ['a photo from elsewhere'])
})

test('a kind that is paused waits, others do not; it goes on afterwards', async (t) => {
  const [account] = await nodes.sql<[{ id: string }]>`select id from account limit 1`
  await nodes.sql`insert into paused_job (job, paused_by, paused_at) values ('fez-starting', ${account.id}, now())`
  t.after(() => nodes.sql`delete from paused_job`)
  await start(t, leaveTrace)
  await enqueue('waits')
  await nodes.sql`insert into outbox (job, payload) values ('ban-ending', '{}')`
  const handedOut = async (job: string) =>
    (await nodes.sql<[{ attempt: number }]>`select attempt from outbox where job = ${job}`)[0].attempt
  await until(async () => (await handedOut('ban-ending')) > 0, 'the other kind is handed out')
  assert.equal(await handedOut('fez-starting'), 0)
  await nodes.sql`delete from outbox where job = 'ban-ending'`
  await nodes.sql`delete from paused_job`
  await allDone()
  assert.deepEqual(await effects(), ['waits'])
})

test('a job that was handed out and is still there is taken for lost, each time after a longer wait', async () => {
  const lostAfterMs = 5000
  const handedOut = [
    { attempt: 1, seconds: 4, isLost: false },
    { attempt: 1, seconds: 6, isLost: true },
    { attempt: 2, seconds: 9, isLost: false },
    { attempt: 2, seconds: 11, isLost: true },
    { attempt: 6, seconds: 29, isLost: false },
    { attempt: 6, seconds: 31, isLost: true },
    { attempt: 20, seconds: 31, isLost: true },
  ]
  const now = new Date(clock.now())
  for (const { attempt, seconds } of handedOut)
    await nodes.sql`
      insert into outbox (job, payload, attempt, relayed_at)
      values ('fez-starting', ${nodes.sql.json({ attempt, seconds })}, ${attempt}, ${new Date(now.getTime() - seconds * 1000)})`
  const due = await markDue(nodes.sql, now, lostAfterMs, 100)
  const found = await nodes.sql<{ payload: { attempt: number; seconds: number } }[]>`
    select payload from outbox where id = any (${due.map(({ id }) => id)}) order by id`
  assert.deepEqual(
    found.map(({ payload }) => payload),
    handedOut.filter(({ isLost }) => isLost).map(({ attempt, seconds }) => ({ attempt, seconds })),
  )
})

test('a job waits for its time', async (t) => {
  await start(t, leaveTrace)
  await enqueue('later', new Date(clock.now() + 3_600_000))
  await enqueue('now')
  await until(async () => (await waiting()) === 1, 'one is done')
  clock.leap(3_000_000)
  await enqueue('in between')
  await until(async () => (await waiting()) === 1, 'another is done')
  assert.deepEqual(await effects(), ['in between', 'now'])
  clock.leap(600_000)
  await allDone()
  assert.deepEqual(await effects(), ['in between', 'later', 'now'])
})

test('the clock is set back: what waits and what has failed is done all the same, what has a time waits for it', async (t) => {
  await enqueue('waits')
  clock.set(-3_600_000)
  let attempts = 0
  await start(t, async (tx, payload) => {
    if (payload.fezID === 'fails once' && attempts++ === 0) throw new Error('on purpose')
    await leaveTrace(tx, payload)
  })
  await enqueue('fails once')
  await until(() => attempts === 1, 'it has failed')
  await enqueue('later', new Date(clock.now() + 60_000))
  clock.set(-3_600_000)
  await until(async () => (await waiting()) === 1, 'all but one are done')
  assert.deepEqual(await effects(), ['fails once', 'waits'])
})

test('several runners at once: every job once', async (t) => {
  const took = new Set<number>()
  const { opened, open } = gate()
  for (const index of [0, 1, 2]) {
    await start(t, async (tx, payload) => {
      took.add(index)
      // The first does not do all of them before another has looked.
      if (took.size > 1) open()
      await opened
      await leaveTrace(tx, payload)
    })
  }
  await Promise.all(names(300).map((name) => enqueue(name)))
  await allDone()
  assert.deepEqual(await effects(), names(300))
})

test('stop: finishes what is under way', async (t) => {
  const { opened, open } = gate()
  let running = 0
  const runner = await start(t, async (tx, payload) => {
    running++
    await opened
    await leaveTrace(tx, payload)
  })
  await enqueue('under way')
  await until(() => running === 1, 'the job runs')
  const stopping = runner.stop()
  await enqueue('too late')
  open()
  await stopping
  assert.deepEqual(await effects(), ['under way'])
})

test('silence: noticed when nobody takes jobs, and not when another worker takes the heartbeats', async (t) => {
  const silent = { first: 0, second: 0 }
  const clocks = [new FakeClock(), new FakeClock()] as const
  await start(t, leaveTrace, {
    clock: clocks[0],
    onSilence: () => {
      silent.first++
    },
  })
  const queue = newQueue(t)
  const taken = async () => (await queue.getJobCountByTypes('wait', 'active')) === 0
  await start(t, leaveTrace, {
    clock: clocks[1],
    onSilence: () => {
      silent.second++
    },
  })
  for (let round = 0; round < 30; round++) {
    for (const each of clocks) each.advance(10_000)
    await until(taken, 'the heartbeats are taken')
  }
  assert.deepEqual(silent, { first: 0, second: 0 })
  await queue.pause()
  await until(async () => {
    clocks[0].advance(10_000)
    return silent.first > 0
  }, 'the silence is noticed')
  assert.equal(silent.second, 0)
  await queue.resume()
})

test('sweeps: run again and again, one at a time, and a failure ends nothing', async (t) => {
  const fake = new FakeClock()
  const { opened, open } = gate()
  let runs = 0
  await start(t, leaveTrace, {
    clock: fake,
    sweeps: [
      {
        name: 'test',
        everyMs: 1000,
        run: async () => {
          runs++
          if (runs === 1) await opened
          if (runs === 2) throw new Error('on purpose')
        },
      },
    ],
  })
  await until(() => runs === 1, 'the first run')
  fake.advance(5000)
  assert.equal(runs, 1)
  open()
  await until(() => {
    fake.advance(1000)
    return runs >= 3
  }, 'a run after the failure')
})

test('of a job that fails, only the kind of its error is kept, in Postgres and in Redis', async (t) => {
  const marker = 'words-of-somebody'
  // What it reads is in the words of Postgres about it.
  await start(t, async (tx, { fezID }) => void (await tx.sql`select ${fezID}::text::int`))
  await enqueue(marker)
  const lastError = async () => (await nodes.sql<{ lastError: string | null }[]>`select last_error from outbox`)[0]?.lastError
  await until(async () => Boolean(await lastError()), 'the job has failed')
  assert.match((await lastError()) ?? '', /^PostgresError 22P02\b/)
  const queue = newQueue(t)
  await until(async () => (await queue.getFailed()).length > 0, 'the queue knows of it')
  for (const { failedReason, stacktrace } of await queue.getFailed()) {
    assert.match(failedReason, /^PostgresError 22P02\b/)
    assert.ok(!JSON.stringify([failedReason, stacktrace]).includes(marker))
  }
  assert.ok(!((await lastError()) ?? '').includes(marker))
})

function newQueue(t: TestContext): Queue {
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null })
  const queue = new Queue(queueName, { connection, prefix: queuePrefix(redisPrefix) })
  t.after(async () => {
    await queue.close()
    connection.disconnect()
  })
  return queue
}
