// Posts that wait are written together: each keeps its own refusal, order, key and answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { advisoryLock } from '../../src/core/db/advisory-lock.ts'
import { Batcher, type Outcome } from '../../src/core/db/batcher.ts'
import type { Sql } from '../../src/core/db/db.ts'
import type { IdempotencyKey } from '../../src/core/db/idempotency.ts'
import type { WriterKind } from '../../src/core/work/writers.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, createChat, people, refused, say, type Person } from '../support/fez.ts'
import { categories, content, postIn, startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { hold } from '../support/locks.ts'
import { write } from '../support/microblog.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
/** How many writes have come to the first server so far. */
let arrived = 0
before(async () => {
  nodes = await startTestNodes(2)
  const { writers } = (nodes.apps[0] as TestNodes['apps'][number]).node
  const { write: original } = writers
  writers.write = (...args: Parameters<typeof original>) => {
    arrived++
    return original.apply(writers, args) as never
  }
})
after(() => nodes.stop())

const waitsForLock = async () =>
  (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0

/** Lets posts gather behind the first one while that waits for what `lock` holds. */
async function whileHeld(
  lock: (sql: Sql) => Promise<unknown>,
  first: () => Promise<Answer>,
  others: readonly (() => Promise<Answer>)[],
  meanwhile: (sql: Sql) => Promise<unknown> = () => Promise.resolve(),
): Promise<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = []
  await nodes.apps[1]?.node.db.transaction(async (sql) => {
    await lock(sql)
    answers.push(first())
    await until(waitsForLock, 'the first post waits')
    const before = arrived
    answers.push(...others.map((other) => other()))
    await until(() => arrived === before + others.length, 'the others have come')
    await meanwhile(sql)
  })
  return answers
}

const heldMicroblog = (sql: Sql) => sql`select pg_advisory_xact_lock(${advisoryLock('microblog writers')})`

test('one refusal among posts of the microblog that are written together leaves the others', async () => {
  const [writer, other] = (await people(nodes, {}, {})) as [Person, Person]
  const question = await write(writer.one, 'A question')
  const gone = await write(writer.one, 'Gone')
  await body(writer.one.delete(`/microblog/${gone}`), 204)
  const [first, second, refusal, reply, another, ...keyed] = (await whileHeld(
    heldMicroblog,
    () => writer.one.post('/microblog/create', content('first')),
    [
      () => other.one.post('/microblog/create', content('second')),
      () => other.one.post(`/microblog/${gone}/reply`, content('refused')),
      () => other.one.post(`/microblog/${question}/reply`, content(`an answer to @${writer.username} #together`)),
      () => writer.one.post(`/microblog/${question}/reply`, content('another answer')),
      ...[0, 1].map(() => () => other.one.post('/microblog/create', content('with a key'), { headers: { 'Idempotency-Key': 'together' } })),
    ],
  )) as [Promise<Answer>, Promise<Answer>, Promise<Answer>, Promise<Answer>, Promise<Answer>]
  await body(first, 201)
  await refused(refusal, 400)
  const posts = await Promise.all([second, reply, another, ...keyed].map((answer) => body(answer, 201)))
  assert.deepEqual(
    posts.map(({ replyGroupID }) => replyGroupID),
    [undefined, question, question, undefined, undefined],
  )
  assert.deepEqual(posts[3], posts[4])
  const ids = posts.map(({ twarrtID }) => twarrtID as number)
  const rows = await nodes.sql<{ id: number; text: string }[]>`select id, text from microblog_post where id > ${gone} order by id`
  assert.deepEqual(
    rows.map(({ text }) => text).toSorted(),
    ['another answer', `an answer to @${writer.username} #together`, 'first', 'second', 'with a key'].toSorted(),
  )
  const transactions = await nodes.sql`select distinct xmin::text from microblog_post where id = any (${ids}) and id <> ${ids[3] as number}`
  assert.equal(transactions.length, 1, 'what waited was written by one transaction')
  const { twarrtMentionCount } = await body(writer.two.get('/notification/user'))
  assert.equal(twarrtMentionCount, 1)
})

test('posts in one chat that wait are one event; one of somebody removed meanwhile is refused', async () => {
  const [owner, member, removed] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one)
  for (const person of [member, removed]) await body(person.one.post(`/fez/${fezID}/join`), 201)
  const socket = await owner.two.socket(`/fez/${fezID}/socket`)
  const events: unknown[][] = []
  nodes.apps[1]?.node.channels.watch('fez', fezID, {
    reload: () => Promise.resolve(),
    observe: (_kind, _id, event) => void events.push((event as { posts: unknown[] }).posts ?? []),
  })
  const post = (person: Person, text: string) => person.one.post(`/fez/${fezID}/post`, content(text))
  const held = (sql: Sql) => sql`select from fez where id = ${fezID} for update`
  const answers = await whileHeld(held, () => post(owner, 'first'), [
    () => post(member, 'second'),
    () => post(owner, 'third'),
    () => post(member, 'fourth'),
  ])
  const ids = (await Promise.all(answers.map((answer) => body(answer, 201)))).map(({ postID }) => postID as number)
  await until(() => socket.frames.length >= 4, 'the socket gets all four')
  assert.deepEqual(
    socket.frames.map(({ postID }) => postID),
    ids.toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    events.map(({ length }) => length),
    [1, 3],
  )

  const [late, fifth] = (await whileHeld(
    held,
    () => post(removed, 'too late'),
    [() => post(member, 'fifth')],
    async (sql) => {
      await sql`update fez_member set left_at = now() where fez_id = ${fezID} and account_id = ${removed.id}`
      await sql`update fez set seq = seq + 1, member_count = member_count - 1 where id = ${fezID}`
    },
  )) as [Promise<Answer>, Promise<Answer>]
  await refused(late, 403)
  await body(fifth, 201)
})

test('a batch whose connection breaks is written as a whole or not at all, and the next one is', async () => {
  const [writer] = (await people(nodes, {})) as [Person]
  const { forumID } = await startForum(writer.one, 'Broken connection')
  const post = (text: string) => writer.one.post(`/forum/${forumID}/create`, content(text))
  const [lost, ...answers] = (await whileHeld(
    // What a new post refers to is locked: all posts of this server wait behind the first.
    (sql) => sql`select from account where id = ${writer.id} for update`,
    () => post('lost'),
    [() => post('second'), () => post('third')],
    () => nodes.sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )) as [Promise<Answer>, ...Promise<Answer>[]]
  await body(lost, 503)
  for (const answer of answers) await body(answer, 201)
  const rows = await nodes.sql<{ text: string }[]>`select text from forum_post where forum_id = ${forumID} order by id`
  const [first, ...others] = rows.map(({ text }) => text)
  // Sent at the same moment, on two connections: either may be the first to arrive.
  assert.deepEqual([first, ...others.toSorted()], ['first', 'second', 'third'])
})

test('many write at once on two servers, in chats, forums and the microblog: nothing is lost, and ids are in order', async () => {
  const crowd = (await people(nodes, ...Array.from({ length: 8 }, () => ({})))) as [Person, ...Person[]]
  const fezID = await createChat(crowd[0].one)
  for (const person of crowd.slice(1)) await body(person.one.post(`/fez/${fezID}/join`), 201)
  const { forumID } = await startForum(crowd[0].one, 'Many at once')
  const rounds = 6
  const wrote = await Promise.all(
    crowd.map(async ({ one, two }, index) => {
      const ids: [number, number, number][] = []
      for (let round = 0; round < rounds; round++) {
        const client = (index + round) % 2 === 0 ? one : two
        const text = `${index}.${round}`
        ids.push(await Promise.all([say(client, fezID, text), postIn(client, forumID, text), write(client, text)]))
      }
      return ids
    }),
  )
  for (const at of [0, 1, 2]) {
    assert.equal(new Set(wrote.flat().map((ids) => ids[at])).size, crowd.length * rounds)
    for (const own of wrote)
      assert.deepEqual(
        own.map((ids) => ids[at]),
        own.map((ids) => ids[at] as number).toSorted((a, b) => a - b),
      )
  }
  const [chat] = await nodes.sql<
    [{ seq: number; postEvents: number; postCount: number }]
  >`select seq, post_events, post_count from fez where id = ${fezID}`
  assert.deepEqual(
    { ...chat },
    { seq: crowd.length + crowd.length * rounds, postEvents: crowd.length * rounds, postCount: crowd.length * rounds },
  )
  const [forum] = await nodes.sql<
    [{ postCount: number; lastPostId: number }]
  >`select post_count, last_post_id from forum where id = ${forumID}`
  assert.deepEqual({ ...forum }, { postCount: 1 + crowd.length * rounds, lastPostId: Math.max(...wrote.flat().map(([, id]) => id)) })
  for (const person of crowd.slice(0, 2)) {
    for (const client of person.clients) {
      const { members } = await body(client.get(`/fez/${fezID}?start=0&limit=50`))
      assert.deepEqual(
        members.posts.map(({ postID }: { postID: number }) => postID),
        wrote
          .flat()
          .map(([id]) => id)
          .toSorted((a, b) => a - b),
      )
    }
  }
})

test('Batcher: a batch is announced and answered, and then goes the next, with what those who were answered write at once', async () => {
  const steps: string[] = []
  const ends: (() => void)[] = []
  const batcher = new Batcher<string, string>({
    keyOf: (item) => item,
    run: (items) => {
      steps.push(`begin ${items.join()}`)
      return new Promise((resolve) => ends.push(() => resolve(items.map((answer) => ({ answer })))))
    },
    ended: (outcomes) => void steps.push(`end of ${outcomes.length}`),
  })
  const add = (item: string) => batcher.add(item).then((answer) => steps.push(`answer ${answer}`))
  const answers = ['a', 'b', 'c'].map(add)
  ends[0]?.()
  await answers[0]
  // What is read in the next turn of the loop.
  await turn()
  answers.push(add('d'))
  await until(() => ends.length === 2, 'the next batch begins')
  assert.deepEqual(steps, ['begin a', 'end of 1', 'answer a', 'begin b,c,d'])
  ends[1]?.()
  await Promise.all(answers)
  assert.deepEqual(steps.slice(4), ['end of 3', 'answer b', 'answer c', 'answer d'])
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('Batcher: what comes alone goes alone, what waits goes together, and a busy key holds up nobody else', async () => {
  const runs: { items: string[]; wait: boolean; end: (outcomes: Outcome<string>[]) => void }[] = []
  const batcher = new Batcher<string, string>({
    keyOf: (item) => item.slice(0, 1),
    run: (items, wait) => new Promise((end) => runs.push({ items: [...items], wait, end })),
  })
  const run = (at: number) => runs[at] as (typeof runs)[number]
  const outcomes = ['a1', 'a2', 'b1', 'c1'].map((item) => batcher.add(item).catch(String))
  assert.deepEqual(run(0).items, ['a1'])
  run(0).end([{ answer: 'one' }])
  await until(() => runs.length === 2, 'the next batch begins')
  assert.deepEqual(run(1).items, ['a2', 'b1', 'c1'])
  run(1).end(['busy', { refusal: 'no' }, { answer: 'three' }])
  await turn()
  assert.deepEqual([run(2).items, run(2).wait], [['a2'], true])
  const later = ['a3', 'b2'].map((item) => batcher.add(item))
  await until(() => runs.length === 4, 'the next batch begins')
  assert.deepEqual([run(3).items, run(3).wait], [['b2'], false])
  run(3).end([{ answer: 'b' }])
  run(2).end([{ answer: 'two' }])
  await until(() => runs.length === 5, 'the next batch begins')
  assert.deepEqual(run(4).items, ['a3'])
  run(4).end([{ answer: 'a' }])
  assert.deepEqual(await Promise.all([...outcomes, ...later]), ['one', 'two', 'no', 'three', 'a', 'b'])
})

test('Batcher: several items of one busy key go again in the order in which they came', async () => {
  const runs: { items: string[]; end: (outcomes: Outcome<string>[]) => void }[] = []
  const batcher = new Batcher<string, string>({
    keyOf: (item) => item.slice(0, 1),
    run: (items) => new Promise((end) => runs.push({ items: [...items], end })),
  })
  const outcomes = ['b0', 'a1', 'b1', 'a2', 'a3'].map((item) => batcher.add(item))
  runs[0]?.end([{ answer: 'b0' }])
  await until(() => runs.length === 2, 'the next batch begins')
  runs[1]?.end(['busy', { answer: 'b1' }, 'busy', 'busy'])
  await until(() => runs.length === 3, 'those of the busy key go again')
  assert.deepEqual(runs[2]?.items, ['a1', 'a2', 'a3'])
  runs[2]?.end([{ answer: 'a1' }, { answer: 'a2' }, { answer: 'a3' }])
  assert.deepEqual(await Promise.all(outcomes), ['b0', 'a1', 'b1', 'a2', 'a3'])
})

/** Writes words into a table of the test. The first holds up those that come after it, so that they are written together. */
async function wordWriter(name: string, more: Partial<WriterKind<string, { text: string }, undefined>> = {}) {
  const table = `word_${name}`
  await nodes.sql.unsafe(`create table ${table} (text text not null check (text not like 'bad%'))`)
  const { node } = nodes.apps[0] as App
  const kind: WriterKind<string, { text: string }, undefined> = {
    name,
    keyOf: (text) => text,
    affected: () => undefined,
    isOneStatement: () => false,
    writesJob: () => false,
    async write(sql, writes) {
      const texts = writes.map(({ item }) => item)
      await sql`insert into ${sql(table)} select unnest(${texts}::text[])`
      return texts.map((text) => ({ answer: { text } }))
    },
    ...more,
  }
  const ctx = (idempotencyKey?: IdempotencyKey) =>
    new Ctx(node, undefined, { requestId: 'test', log: node.log, ...(idempotencyKey && { idempotencyKey }) })
  return {
    /** Resolves with what became of each, and what is there. */
    async write(items: readonly { text: string; key?: IdempotencyKey }[]) {
      const outcomes = await Promise.all(
        items.map(({ text, key }) =>
          node.writers.write(kind, ctx(key), text).then(
            (answer) => answer.text,
            (error: unknown) => (error as Error).name,
          ),
        ),
      )
      const rows = await nodes.sql<{ text: string }[]>`select text from ${nodes.sql(table)} order by ctid`
      return { outcomes, rows: rows.map(({ text }) => text) }
    },
  }
}

for (const others of [['good'], ['good', 'better']])
  test(`one of ${others.length + 1} that are written together is refused by Postgres: the others are written`, async () => {
    const writer = await wordWriter(`refused_${others.length}`)
    const { outcomes, rows } = await writer.write(['first', 'bad', ...others].map((text) => ({ text })))
    assert.deepEqual(outcomes, ['first', 'PostgresError', ...others])
    assert.deepEqual(rows, ['first', ...others])
  })

test('requests that were answered before, among others that are written together: each gets its own answer', async () => {
  const [writer] = (await people(nodes, {})) as [Person]
  const key = (name: string): IdempotencyKey => ({ accountId: writer.id, key: name, route: 'words', digest: name })
  const words = await wordWriter('answered')
  await words.write([{ text: 'old', key: key('old') }])
  const together = ['new', 'old', 'newer', 'newest'].map((text) => ({ text, key: key(text) }))
  const { outcomes, rows } = await words.write([{ text: 'first' }, ...together])
  assert.deepEqual(outcomes, ['first', 'new', 'old', 'newer', 'newest'])
  assert.deepEqual(rows, ['old', 'first', 'new', 'newer', 'newest'])
})

test('a failure of the program after its statement: those that are written by then are not written again', async () => {
  const words = await wordWriter('failed', {
    isOneStatement: () => true,
    async write(sql, writes) {
      const texts = writes.map(({ item }) => item)
      await sql`insert into word_failed select unnest(${texts}::text[])`
      if (texts.length > 1) throw new TypeError('a fault of the program')
      return texts.map((text) => ({ answer: { text } }))
    },
  })
  const { outcomes, rows } = await words.write(['first', 'second', 'third'].map((text) => ({ text })))
  assert.deepEqual(outcomes, ['first', 'TypeError', 'TypeError'])
  assert.deepEqual(rows, ['first', 'second', 'third'])
})

test('a failure of the program while it commits: those that are written by then are not written again', async () => {
  const words = await wordWriter('unfinished', {
    async write(sql, writes) {
      const texts = writes.map(({ item }) => item)
      await sql`insert into word_unfinished select unnest(${texts}::text[])`
      // No JSON has room for it: the job cannot be sent, and the commit is on its way.
      if (texts.length > 1) writes[0]?.tx.enqueue('fez-starting', { fezID: 1n } as never)
      return texts.map((text) => ({ answer: { text } }))
    },
  })
  const { outcomes, rows } = await words.write(['first', 'second', 'third'].map((text) => ({ text })))
  assert.deepEqual(outcomes, ['first', 'TypeError', 'TypeError'])
  assert.deepEqual(rows, ['first', 'second', 'third'])
})

test('somebody who is quarantined while the picture of their post is waited for does not post it', async () => {
  const [moderator, owner] = (await people(nodes, { level: 'moderator' }, {})) as [Person, Person]
  const fezID = await createChat(owner.one)
  const { forumID } = await startForum(owner.one, 'A forum')
  const places: Record<string, (who: Person, post: object) => Promise<Answer>> = {
    microblog: (who, post) => who.one.post('/microblog/create', post),
    chat: (who, post) => who.one.post(`/fez/${fezID}/post`, post),
    forum: (who, post) => who.one.post(`/forum/${forumID}/create`, post),
    'new forum': (who, firstPost) => who.one.post(`/forum/categories/${categories.general}/create`, { title: 'Another forum', firstPost }),
  }
  for (const [place, post] of Object.entries(places)) {
    const [writer] = (await people(nodes, {})) as [Person]
    await body(writer.one.post(`/fez/${fezID}/join`), 201)
    const filename = storedImage(nodes)
    const lock = await hold(nodes.database.url, `select pg_advisory_xact_lock(hashtextextended('${filename}', 0))`)
    const answer = post(writer, content('late', { images: [{ filename }] }))
    await lock.awaited()
    await body(moderator.two.post(`/mod/user/${writer.id}/tempquarantine/1`))
    await lock.release()
    assert.equal((await answer).status, 403, place)
  }
})

test('somebody who is quarantined while other posts of the microblog are written does not post', async () => {
  const [moderator, writer, other] = (await people(nodes, { level: 'moderator' }, {}, {})) as [Person, Person, Person]
  const [first, second, late] = (await whileHeld(
    heldMicroblog,
    () => other.one.post('/microblog/create', content('first')),
    [() => other.one.post('/microblog/create', content('second')), () => writer.one.post('/microblog/create', content('late'))],
    () => body(moderator.two.post(`/mod/user/${writer.id}/tempquarantine/1`)),
  )) as [Promise<Answer>, Promise<Answer>, Promise<Answer>]
  for (const answer of [first, second]) await body(answer, 201)
  await refused(late, 403)
})
