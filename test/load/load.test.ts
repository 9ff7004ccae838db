// The load test that operators run: people come on board, do what people do, and one sentence says how it went.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'
import type { Step } from '../../src/load/crowd.ts'
import { verdictOf } from '../../src/load/verdict.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, type Person } from '../support/fez.ts'
import { linkTo } from '../support/link.ts'

let nodes: TestNodes
let admin: Person
let heidi: Person
let tokens: { admin: string; heidi: string }
before(async () => {
  nodes = await startTestNodes(1, { workers: 1 })
  ;[admin, heidi] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
  const tokenOf = async (who: Person) =>
    (await body(who.one.post('/auth/tokens', { name: 'Load', scope: 'all', days: 1 }), 201)).token as string
  tokens = { admin: await tokenOf(admin), heidi: await tokenOf(heidi) }
})
after(() => nodes.stop())

/** Runs it against this address. */
function run(url: string, args: readonly string[], token = tokens.admin): Promise<{ code: number; output: string; error: string }> {
  const program = join(projectRoot, 'dist', 'src', 'commands', 'load.js')
  const env = { PATH: process.env['PATH'], QUARTERDECK_SERVER: url, QUARTERDECK_TOKEN: token }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env }, (_, output, error) =>
      resolve({ code: child.exitCode ?? -1, output, error }),
    )
  })
}
const countOf = async (name: string) => (await nodes.sql<{ n: number }[]>`select count(*)::int as n from ${nodes.sql(name)}`)[0]?.n ?? NaN

test('more and more people live there for a while, and the last line says what they found', async () => {
  const { code, output, error } = await run(nodes.urls[0] as string, ['--users', '120', '--minutes', '0.25'])
  assert.equal(code, 0, output + error)
  const lines = output.trim().split('\n')
  assert.deepEqual(
    lines.flatMap((line) => /^ *(\d+) +\d+ +\d+ ms /.exec(line)?.[1] ?? []),
    ['24', '48', '72', '96', '120'],
  )
  const answers = '99 of 100 answers within \\d+ ms and messages with everybody within \\d+ ms'
  assert.match(lines.at(-1) ?? '', new RegExp(`^${nodes.urls[0]} carries 120 people, with ${answers}; no limit was reached`))
  assert.equal((await nodes.sql`select from account where username like 'load-%' and level = 'verified'`).length, 120)
  for (const table of ['fez_post', 'microblog_post', 'forum']) assert.ok((await countOf(table)) > 0, table)
})

test('a way that is too slow is no fault of the server; programs get every figure', async (t) => {
  const link = await linkTo(t, nodes.urls[0] as string)
  link.slow(300)
  const { code, output } = await run(link.url, ['--users', '50', '--minutes', '0.1', '--json'])
  const { verdict, meetsTargets, steps } = JSON.parse(output) as { verdict: string; meetsTargets: boolean; steps: Step[] }
  assert.equal(code, 1)
  assert.equal(meetsTargets, false)
  assert.deepEqual(
    steps.map((step) => step.people),
    [10],
    'nobody asks for more than was too much',
  )
  assert.ok((steps[0]?.p50 ?? 0) >= 600, verdict)
  assert.match(verdict, /does not carry 10 people; 1 of 100 answers takes longer than \d+ ms, and the first limit is the way between/)
})

test('where people live it is refused before anything is made, unless that is said', async () => {
  const codes = await countOf('registration_code')
  const strangers = await people(nodes, ...Array.from({ length: 55 }, () => ({})))
  const refused = await run(nodes.urls[0] as string, ['--users', '10', '--minutes', '0'])
  assert.equal(refused.code, 2)
  assert.match(refused.error, /^\d+ people live there\. .*--although-people-are-here/)
  assert.equal(await countOf('registration_code'), codes)
  const done = await run(nodes.urls[0] as string, ['--users', '10', '--minutes', '0', '--although-people-are-here'])
  assert.equal(done.code, 0, done.error)
  assert.equal(await countOf('registration_code'), codes + 10)
  assert.equal(strangers.length, 55)
})

test('it takes the token of an admin, and numbers', async () => {
  const { code, error } = await run(nodes.urls[0] as string, ['--users', '10'], tokens.heidi)
  assert.equal(code, 1)
  assert.match(error, /access level/)
  for (const args of [
    ['--users', '9'],
    ['--users', 'many'],
    ['--minutes', '-1'],
    ['--hours', '1'],
  ])
    assert.equal((await run(nodes.urls[0] as string, args)).code, 2, args.join(' '))
  assert.match((await run('http://127.0.0.1:1', [])).error, /^http:\/\/127\.0\.0\.1:1 does not answer: /)
})

const good: Step = {
  people: 1000,
  requestsPerSecond: 140,
  p50: 3,
  p99: 40,
  messageP99: 60,
  lost: 0,
  failed: {},
  failedPart: 0,
  ownLoad: 0.2,
  server: { servers: 2, cpu: 30, lag: 4, p99: 35 },
}
const more: Step = { ...good, people: 2000 }

test('the sentence names what people would notice, and what to change first', () => {
  const said = (...steps: Step[]) => verdictOf('ship', steps).replace(/^ship carries 1,000 people, .*?; with 2,000 people, /, '')
  assert.equal(
    verdictOf('ship', [good, more]),
    'ship carries 2,000 people, with 99 of 100 answers within 40 ms and messages with everybody within 60 ms; no limit was reached, so it may carry more.',
  )
  const slow = { ...more, p99: 900 }
  assert.match(
    said(good, { ...slow, server: { ...more.server, cpu: 97 } }),
    /^1 of 100 answers takes longer than 900 ms, .* processors of its 2 servers \(the busiest one at 97 %\)/,
  )
  assert.match(said(good, { ...slow, server: { ...more.server, lag: 80 } }), /processors/)
  assert.match(said(good, { ...slow, server: { ...more.server, p99: 800 } }), /Postgres/)
  assert.match(said(good, slow), /the way between/)
  assert.match(said(good, { ...slow, ownLoad: 0.95 }), /this machine/)
  assert.match(said(good, { ...more, messageP99: 1500 }), /^1 of 100 messages takes longer than 1500 ms/)
  assert.match(said(good, { ...more, lost: 3 }), /^3 messages did not arrive/)
  assert.match(
    said(good, { ...more, failedPart: 0.02, failed: { 0: 5, 429: 7 } }),
    /^2\.0 % of requests failed \(5 without an answer, 7 with 429\), .* what the server allows/,
  )
  assert.match(verdictOf('ship', [slow]), /^ship does not carry 2,000 people; 1 of 100 answers/)
})
