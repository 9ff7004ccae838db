// Everything that can fail does, in short, while forty users are at work: `npm run chaos` is the long
// form. And the clock is set, forwards and back, under two servers and a worker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checker } from '../chaos/checker.ts'
import { Dice } from '../chaos/dice.ts'
import type { FaultName } from '../chaos/faults.ts'
import { play, seconds } from '../chaos/play.ts'
import { launch } from '../chaos/ship.ts'
import { Town } from '../chaos/town.ts'
import { startTestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createChat, lfg, people, say, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { noJobIsLeft } from '../support/jobs.ts'
import { randomTest } from '../support/random-runs.ts'
import { until } from '../support/until.ts'

const short: FaultName[] = [
  'serverKilled',
  'workersKilled',
  'imageProcessesKilled',
  'postgresCrashes',
  'redisCrashes',
  'redisStands',
  'redisHalfOpen',
  'connectionsDropped',
  'diskFull',
  'workerStands',
  'serverClock',
  'workerClock',
  'backupDamaged',
]

randomTest('chaos', `chaos: forty users and ${short.length} faults`, 1, async ({ seed }, t) => {
  let waiting: FaultName[] | undefined
  const { acts, wrong, posts } = await play({
    seed,
    people: 40,
    paceMs: 500,
    part: 0.1,
    quietMs: 300,
    smallDisk: false,
    standby: false,
    say: (line) => t.diagnostic(line),
    next(dice) {
      waiting ??= dice.shuffled(short)
      return waiting.pop()
    },
  })
  assert.deepEqual(wrong, [])
  t.diagnostic(`${posts} posts; longest until full service: ${seconds(Math.max(...acts.map(({ recoveryMs }) => recoveryMs)))}`)
})

test('what the checker of chaos would see', async (t) => {
  const ship = await launch(t, { smallDisk: false })
  const town = await Town.settle(ship, new Dice(1), 12, 200)
  t.after(() => town.leave())
  const checker = new Checker(town)
  town.begin()
  await until(() => [...town.log.posts.values()].filter(({ outcome }) => outcome === 'done').length > 60, 'some posts', 60_000)
  await town.rest()
  await town.served()
  await town.calm()
  assert.deepEqual(await checker.check(), [])
  checker.patienceMs = 200
  const { sql } = ship
  const sees = async (work: Promise<unknown>, ...wanted: RegExp[]) => {
    await work
    const found = await checker.check()
    for (const each of wanted)
      assert.ok(
        found.some((sentence) => each.test(sentence)),
        `${each.source} is not among ${found.join('\n')}`,
      )
  }
  const one = (table: string) => sql`select id from ${sql(table)} order by id desc limit 1`
  await sees(
    sql`update fez_post set deleted_at = now() where id = (${one('fez_post')})`,
    /was answered as post \d+ and is not there/,
    /counts \d+ posts/,
  )
  await sees(
    sql`insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at) select author_id, real_author_id, text, images, '{}', '{}', now() from microblog_post where id = (${one('microblog_post')})`,
    /is there twice/,
  )
  await sees(
    sql`insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at) select ${town.residents[0]?.account.id ?? ''}, real_author_id, 'unheard of', '{}', '{}', '{}', now() from microblog_post where id = (${one('microblog_post')})`,
    /nobody sent/,
  )
  await sees(sql`delete from hit where kind = 'microblogAlertword'`, /has not hit/)
  let item = 100_000
  // A server that has stood still for a moment reads its numbers anew, and is right again.
  await until(async () => {
    item++
    await sql`insert into hit (account_id, kind, item_id) values (${town.residents[0]?.account.id ?? ''}, 'forumMention', ${item})`
    const found = await checker.check()
    return [/nothing accounts for the hit/, /says to/].every((each) => found.some((sentence) => each.test(sentence)))
  }, 'a hit that nothing accounts for is seen, and that servers do not know of it')
  await sees(
    sql`update fez_member set left_at = now() where fez_id = ${town.around.rooms[0] as string} and account_id = ${town.residents[0]?.account.id ?? ''}`,
    /is not in room/,
    /counts \d+ members/,
  )
  await sees(
    sql`update microblog_post set images = array['00000000-0000-4000-8000-000000000000.jpg'] where id = (${one('microblog_post')})`,
    /picture .* is not there/,
  )
})

const hourMs = 60 * 60_000

test('the clock is set forwards and back: nothing is lost, told twice or out of order', async (t) => {
  const clock = new LeapingClock()
  const nodes = await startTestNodes(2, { clock, workers: 1 })
  t.after(() => nodes.stop())
  const [owner, friend] = (await people(nodes, {}, {})) as [Person, Person]
  await body(friend.one.post('/user/alertwords/add/lighthouse'))
  const startTime = new Date(clock.now() + 3 * hourMs)
  const soon = await createChat(owner.one, lfg({ title: 'Soon', startTime, initialUsers: [friend.id] }))
  const fezID = await createChat(owner.one, { initialUsers: [friend.id] })
  const chat = await friend.two.socket(`/fez/${fezID}/socket`)
  const notes = await friend.two.socket('/notification/socket')
  const posts: number[] = []
  const hits: string[] = []
  const headers = { 'Idempotency-Key': 'once' }
  const key = (await body(owner.one.post('/microblog/create', content('with a key'), { headers }), 201)).twarrtID
  for (const [index, leapMs] of [0, 2 * hourMs, -5 * hourMs, 4 * hourMs, -hourMs, 3 * hourMs - 5 * 60_000].entries()) {
    clock.set(leapMs)
    const author = owner.clients[index % 2] ?? owner.one
    posts.push(await say(author, fezID, `post ${index}`))
    hits.push(`alertwordTwarrt ${(await body(author.post('/microblog/create', content('a lighthouse')), 201)).twarrtID}`)
    assert.equal((await body(author.post('/microblog/create', content('with a key'), { headers }), 201)).twarrtID, key)
    await until(() => noJobIsLeft(nodes.sql), `all jobs are done after a leap of ${leapMs} ms`)
  }
  // Each new worker looks at once for groups that begin.
  await nodes.startWorker()
  const told = () => notes.frames.map(({ type, contentID }) => `${Object.keys(type)[0]} ${contentID}`)
  await until(() => told().includes(`joinedLFGStarting ${soon}`), 'the start is announced', 30_000)
  for (const leapMs of [-hourMs, hourMs]) {
    clock.set(leapMs)
    await nodes.startWorker()
    await until(() => noJobIsLeft(nodes.sql), `all jobs are done by another worker, after a leap of ${leapMs} ms`)
  }
  await Promise.all([chat.flushed(), notes.flushed()])
  assert.deepEqual(
    chat.frames.map(({ postID }) => postID),
    posts,
  )
  assert.deepEqual(
    told().filter((each) => each.startsWith('alertword')),
    hits,
  )
  assert.deepEqual(
    told().filter((each) => each.startsWith('joined')),
    [`joinedLFGStarting ${soon}`],
  )
})
