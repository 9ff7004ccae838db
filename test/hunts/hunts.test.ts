// Hunts: who sees which puzzle when, how answers are compared and counted, and what the team changes. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { App } from '../../src/app.ts'
import { answerKey, resultOf } from '../../src/hunts/rules.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { countStatements } from '../support/statements.ts'

interface Puzzle {
  puzzleID: string
  title: string
  body: string
  answer?: string
  unlockTime?: string
  hints?: Record<string, string>
}
interface Hunt {
  huntID: string
  title: string
  description: string
  puzzles: Puzzle[]
  nextUnlockTime?: string
}
interface CallIn {
  creationTime: string
  rawSubmission: string
  correct?: string
  hint?: string
}

const clock = new LeapingClock()
let nodes: TestNodes
let team: Person
before(async () => {
  nodes = await startTestNodes(2, { clock, env: { WRITES_PER_MINUTE: '0' } })
  ;[team] = (await people(nodes, { level: 'serviceteam' })) as [Person]
})
after(() => nodes.stop())

const solver = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const hourMs = 3_600_000
const inHours = (hours: number): string => new Date(clock.now() + hours * hourMs).toISOString()
const puzzle = (more: object = {}) => ({ title: 'A puzzle', body: 'What is it?', answer: 'The Answer', hints: {}, ...more })
const list = async (client: Client): Promise<Hunt[]> => (await body(client.get('/hunts'))).hunts
const forTeam = (huntID: string): Promise<Hunt> => body(team.one.get(`/hunts/${huntID}/admin`))
const read = (client: Client, huntID: string): Promise<Hunt> => body(client.get(`/hunts/${huntID}`))
const callIns = async (client: Client, puzzleID: string): Promise<CallIn[]> =>
  (await body(client.get(`/hunts/puzzles/${puzzleID}`))).callIns
const send = (client: Client, puzzleID: string, text: string, type = 'text/plain') =>
  client.post(`/hunts/puzzles/${puzzleID}/callin`, text, { headers: { 'content-type': type } })
const patch = (path: string, sent: unknown, client = team.two) => client.request<any>('PATCH', path, { body: sent }) // oxlint-disable-line no-explicit-any -- see Answer
const titles = ({ puzzles }: Hunt): string[] => puzzles.map(({ title }) => title)
/** Of a call-in: its result without its time. */
const shown = ({ creationTime: _time, ...rest }: CallIn) => rest

/** Makes a hunt and reads it as the team. */
async function create(puzzles: object[], title = `Hunt ${randomUUID()}`): Promise<Hunt> {
  assert.equal(await body(team.one.post('/hunts/create', { title, description: 'About *it*', puzzles }), 201), undefined)
  return await forTeam((await list(team.two)).find((hunt) => hunt.title === title)?.huntID ?? assert.fail(`no ${title}`))
}
const createOne = async (more: object = {}): Promise<string> => (await create([puzzle(more)])).puzzles[0]?.puzzleID as string

describe('answers', () => {
  it('are compared in upper case, without spaces and punctuation', () => {
    for (const [text, key] of [
      ['The Answer', 'THEANSWER'],
      [' the\tan-swer!\u00a0\r\n', 'THEANSWER'],
      ['“Ça va?” (oui)', 'ÇAVAOUI'],
      ['C\u0327a', 'ÇA'],
      ['Straße', 'STRASSE'],
      ['1 + 1 = 2', '1+1=2'],
      ['...', ''],
    ] as const)
      assert.equal(answerKey(text), key)
  })

  it('the answer comes before a hint for it, and names of built-in properties are no hints', () => {
    const row = { answerKey: 'A', hints: { A: 'no', B: 'yes' } }
    assert.deepEqual(
      ['A', 'B', 'C', 'constructor', 'toString'].map((key) => resultOf(row, key)),
      ['correct', 'hint', 'incorrect', 'incorrect', 'incorrect'],
    )
  })
})

describe('GET /hunts', () => {
  it('lists hunts by title for everybody', async () => {
    const mark = randomUUID()
    for (const title of ['zebra', 'Écu', 'apple', 'Zoo', 'fern']) await create([puzzle({ unlockTime: inHours(1) })], `${title} ${mark}`)
    const own = (await list(nodes.client(undefined, 1))).filter(({ title }) => title.endsWith(mark))
    assert.deepEqual(
      own.map(({ title }) => title.split(' ')[0]),
      ['apple', 'Écu', 'fern', 'zebra', 'Zoo'],
    )
    assert.deepEqual(Object.keys(own[0] ?? {}).toSorted(), ['description', 'huntID', 'title'])
  })
})

describe('GET /hunts/:hunt_id', () => {
  it('shows puzzles up to the first locked one, those without a time first', async () => {
    const { huntID } = await create([
      puzzle({ title: 'late', unlockTime: inHours(3) }),
      puzzle({ title: 'soon', unlockTime: inHours(1) }),
      puzzle({ title: 'open' }),
      puzzle({ title: 'past', unlockTime: inHours(-1) }),
      puzzle({ title: 'open too' }),
    ])
    const all = await forTeam(huntID)
    assert.deepEqual(titles(all), ['open', 'open too', 'past', 'soon', 'late'])
    assert.equal(all.nextUnlockTime, undefined)
    const anna = await solver()
    for (const client of [anna.one, nodes.client(undefined, 1), team.one]) {
      const hunt = await read(client, huntID)
      assert.deepEqual(titles(hunt), ['open', 'open too', 'past'])
      assert.equal(hunt.nextUnlockTime, all.puzzles[3]?.unlockTime)
      for (const each of hunt.puzzles) assert.deepEqual([each.answer, each.hints], [undefined, undefined])
    }
    clock.leap(hourMs)
    const later = await read(anna.two, huntID)
    assert.deepEqual([titles(later), later.nextUnlockTime], [['open', 'open too', 'past', 'soon'], all.puzzles[4]?.unlockTime])
    clock.leap(2 * hourMs)
    const last = await read(anna.one, huntID)
    assert.deepEqual([last.puzzles.length, last.nextUnlockTime], [5, undefined])
  })

  it('has the answers of puzzles that the caller has solved, and of no others', async () => {
    const { huntID, puzzles } = await create([puzzle({ title: 'one' }), puzzle({ title: 'two' })])
    const [anna, bert] = [await solver(), await solver()]
    await body(send(anna.one, puzzles[0]?.puzzleID as string, 'the answer'), 201)
    await body(send(anna.one, puzzles[1]?.puzzleID as string, 'a guess'), 201)
    const answers = async (client: Client) => (await read(client, huntID)).puzzles.map(({ answer }) => answer)
    assert.deepEqual(await answers(anna.two), ['The Answer', undefined])
    assert.deepEqual(await answers(bert.two), [undefined, undefined])
    assert.deepEqual(await answers(nodes.client()), [undefined, undefined])
  })

  it('takes as many statements for many puzzles as for one', async () => {
    const [small, large] = [await create([puzzle()]), await create(Array.from({ length: 30 }, () => puzzle()))]
    const anna = await solver()
    const count = async ({ huntID }: Hunt) => {
      await read(anna.one, huntID)
      return await countStatements(nodes.apps[0] as App, () => read(anna.one, huntID))
    }
    assert.deepEqual(await count(large), await count(small))
  })
})

describe('a locked puzzle', () => {
  it('is like a missing one, until its time has come', async () => {
    const puzzleID = await createOne({ unlockTime: inHours(1) })
    const anna = await solver()
    const missing = await refused(anna.one.get(`/hunts/puzzles/${randomUUID()}`), 400)
    for (const client of [anna.one, nodes.client(), team.one])
      assert.equal(await refused(client.get(`/hunts/puzzles/${puzzleID}`), 400), missing)
    assert.equal(await refused(send(anna.one, puzzleID, 'the answer'), 400), missing)
    clock.leap(hourMs)
    assert.deepEqual(await callIns(anna.two, puzzleID), [])
    assert.equal((await body(send(anna.one, puzzleID, 'the answer'), 201)).correct, 'The Answer')
    await body(patch(`/hunts/puzzles/${puzzleID}`, { unlockTime: inHours(1) }), 204)
    assert.equal(await refused(anna.one.get(`/hunts/puzzles/${puzzleID}`), 400), missing)
    await body(patch(`/hunts/puzzles/${puzzleID}`, { title: 'Still locked' }), 204)
    await refused(anna.one.get(`/hunts/puzzles/${puzzleID}`), 400)
    await body(patch(`/hunts/puzzles/${puzzleID}`, { unlockTime: null }), 204)
    assert.equal((await callIns(anna.one, puzzleID)).length, 1)
  })
})

describe('POST /hunts/puzzles/:puzzle_id/callin', () => {
  it('says whether it is right, near or wrong; the puzzle lists it, oldest first, for the caller alone', async () => {
    const puzzleID = await createOne({ hints: { 'The question?': 'That is what you have.' } })
    const [anna, bert] = [await solver(), await solver()]
    const results: CallIn[] = []
    for (const text of ['Nothing', 'the  QUESTION', 'THE, answer!']) results.push(await body(send(anna.one, puzzleID, text), 201))
    assert.deepEqual(results.map(shown), [
      { rawSubmission: 'Nothing' },
      { rawSubmission: 'the  QUESTION', hint: 'That is what you have.' },
      { rawSubmission: 'THE, answer!', correct: 'The Answer' },
    ])
    assert.deepEqual(await callIns(anna.two, puzzleID), results)
    for (const client of [bert.one, nodes.client(), team.one]) assert.deepEqual(await callIns(client, puzzleID), [])
    const detail = await body(bert.one.get(`/hunts/puzzles/${puzzleID}`))
    assert.deepEqual([detail.title, detail.body, detail.answer, detail.hints], ['A puzzle', 'What is it?', undefined, undefined])
  })

  it('the same text again: 200 with the first result; a solved puzzle takes no other: 409', async () => {
    const puzzleID = await createOne()
    const anna = await solver()
    const wrong = await body(send(anna.one, puzzleID, 'a guess'), 201)
    clock.leap(1000)
    assert.deepEqual(await body(send(anna.two, puzzleID, 'A-GUESS'), 200), wrong)
    const right = await body(send(anna.one, puzzleID, 'the answer'), 201)
    assert.deepEqual(await body(send(anna.two, puzzleID, 'THE ANSWER.'), 200), right)
    assert.deepEqual(await body(send(anna.two, puzzleID, 'a guess'), 200), wrong)
    await refused(send(anna.two, puzzleID, 'another'), 409)
    assert.deepEqual(await callIns(anna.one, puzzleID), [wrong, right])
  })

  it('takes the text itself, under any type that texts come with, and a JSON string', async () => {
    const puzzleID = await createOne()
    for (const [text, type, raw] of [
      ['"quoted" text', 'text/plain; charset=utf-8', '"quoted" text'],
      ['42', 'application/json', '42'],
      ['"in \\"JSON\\""', 'application/json', 'in "JSON"'],
      ['"not" JSON', 'application/json', '"not" JSON'],
      ['grün ✓', 'application/x-www-form-urlencoded', 'grün ✓'],
    ] as const)
      assert.equal((await body(send((await solver()).one, puzzleID, text, type), 201)).rawSubmission, raw)
  })

  it('refuses what is no text, or too long', async () => {
    const puzzleID = await createOne()
    const anna = await solver()
    const path = `/hunts/puzzles/${puzzleID}/callin`
    await refused(anna.one.post(path), 422)
    await refused(send(anna.one, puzzleID, 'x', 'image/png'), 415)
    await refused(send(anna.one, puzzleID, 'x', 'multipart/form-data; boundary=x'), 415)
    await refused(send(anna.one, puzzleID, 'x'.repeat(201)), 400)
    await refused(send(anna.one, puzzleID, 'a\0b'), 400)
    await refused(anna.one.post(path, Buffer.from([0xff, 0xfe])), 400)
    assert.deepEqual(await callIns(anna.one, puzzleID), [])
    // As long as a text can be in bytes.
    const long = '👩‍👩‍👧‍👦'.repeat(200)
    assert.equal((await body(send(anna.one, puzzleID, long), 201)).rawSubmission, long)
    await body(send(anna.two, puzzleID, long), 200)
  })

  it('is for users who are logged in', async () => {
    const puzzleID = await createOne()
    await refused(send(nodes.client(), puzzleID, 'the answer'), 401)
    const [unverified, banned] = (await people(nodes, { level: 'unverified' }, { level: 'banned' })) as [Person, Person]
    await refused(send(banned.one, puzzleID, 'the answer'), 401)
    await body(send(unverified.one, puzzleID, 'the answer'), 201)
  })

  it('a race of 50 callers on two nodes: one call-in each, nothing after the right one', async () => {
    const puzzleID = await createOne()
    const crowd = await people(nodes, ...Array.from({ length: 50 }, () => ({})))
    const first = await Promise.all(
      crowd.flatMap(({ one, two }) => [
        send(one, puzzleID, 'The answer'),
        send(two, puzzleID, 'the ANSWER!'),
        send(two, puzzleID, 'a guess'),
      ]),
    )
    assert.deepEqual(
      [...new Set(first.map(({ status }) => status))].toSorted(),
      first.some(({ status }) => status === 409) ? [200, 201, 409] : [200, 201],
    )
    for (const [index, { one }] of crowd.entries()) {
      const [a, b, guess] = first.slice(index * 3, index * 3 + 3).map(({ status }) => status)
      assert.deepEqual([a, b].toSorted(), [200, 201])
      const there = await callIns(one, puzzleID)
      assert.deepEqual(
        there.map(({ correct }) => correct),
        guess === 409 ? ['The Answer'] : [undefined, 'The Answer'],
      )
    }
  })

  it('a race of one caller with 50 texts, one of them right: all that were counted came before it', async () => {
    const puzzleID = await createOne()
    const anna = await solver()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(index % 2 ? anna.one : anna.two, puzzleID, index === 25 ? 'the answer' : `guess ${index}`),
      ),
    )
    const there = await callIns(anna.one, puzzleID)
    assert.equal(there.length, answers.filter(({ status }) => status === 201).length)
    assert.equal(there.length + answers.filter(({ status }) => status === 409).length, 50)
    assert.deepEqual(
      there.map(({ correct }) => correct !== undefined),
      there.map((_, index) => index === there.length - 1),
    )
  })
})

describe('POST /hunts/create', () => {
  const make = (data: object) => team.one.post('/hunts/create', data)
  const whole = (more: object = {}) => ({ title: 'A hunt', description: '', puzzles: [puzzle()], ...more })

  it('stores hints in the form in which answers are compared', async () => {
    const { puzzles } = await create([puzzle({ hints: { 'So close…': 'Very', __proto__x: 'Odd' }, unlockTime: inHours(1) })])
    assert.deepEqual(puzzles[0]?.hints, { SOCLOSE: 'Very', PROTOX: 'Odd' })
    assert.equal(puzzles[0]?.answer, 'The Answer')
  })

  it('names the field that is wrong, and makes nothing', async () => {
    const before = (await list(team.one)).length
    for (const [data, field] of [
      [whole({ puzzles: [] }), 'puzzles'],
      [whole({ title: '' }), 'title'],
      [whole({ title: 'x'.repeat(201) }), 'title'],
      [whole({ description: 'x'.repeat(50_001) }), 'description'],
      [whole({ puzzles: [puzzle(), puzzle({ title: '' })] }), 'puzzles.1.title'],
      [whole({ puzzles: [puzzle({ answer: ' ?! ' })] }), 'puzzles.0.answer'],
      [whole({ puzzles: [puzzle({ hints: { '?': 'x' } })] }), 'puzzles.0.hints'],
      [whole({ puzzles: [puzzle({ hints: { 'a b': 'x', AB: 'y' } })] }), 'puzzles.0.hints'],
      [
        whole({ puzzles: [puzzle({ hints: Object.fromEntries(Array.from({ length: 501 }, (_, each) => [each, 'x'])) })] }),
        'puzzles.0.hints',
      ],
    ] as const)
      assert.equal(Object.keys((await body(make(data), 400)).fieldErrors)[0], field)
    for (const wrong of [
      { title: 'A hunt', description: '' },
      whole({ puzzles: [{ title: 'x', body: 'x', answer: 'x' }] }),
      whole({ puzzles: [puzzle({ hints: { 'a\0b': 'x' } })] }),
      whole({ puzzles: [puzzle({ unlockTime: 'soon' })] }),
      whole({ puzzles: Array.from({ length: 201 }, () => puzzle()) }),
    ])
      await refused(make(wrong), 400)
    assert.equal((await list(team.one)).length, before)
  })

  it('with a key, a repetition makes no second hunt', async () => {
    const data = whole({ title: `Hunt ${randomUUID()}` })
    for (const client of [team.one, team.two])
      await body(client.post('/hunts/create', data, { headers: { 'idempotency-key': data.title.replace(' ', '-') } }), 201)
    assert.equal((await list(team.one)).filter(({ title }) => title === data.title).length, 1)
  })
})

describe('PATCH /hunts/:hunt_id', () => {
  it('changes what it names', async () => {
    const { huntID, title } = await create([puzzle()])
    await body(patch(`/hunts/${huntID}`, { description: 'Other' }), 204)
    await body(patch(`/hunts/${huntID}`, {}), 204)
    await body(patch(`/hunts/${huntID}`, { description: 'Other' }), 204)
    const edits = await nodes.sql`select from audit where action = 'edit' and subject_id = ${huntID}`
    assert.equal(edits.length, 1, 'what changes nothing is no edit')
    const one = await read(nodes.client(), huntID)
    assert.deepEqual([one.title, one.description], [title, 'Other'])
    await body(patch(`/hunts/${huntID}`, { title: `${title}!`, description: '' }), 204)
    const two = await read(nodes.client(), huntID)
    assert.deepEqual([two.title, two.description], [`${title}!`, ''])
    assert.deepEqual(Object.keys((await body(patch(`/hunts/${huntID}`, { title: '' }), 400)).fieldErrors), ['title'])
  })
})

describe('PATCH /hunts/puzzles/:puzzle_id', () => {
  it('another answer: earlier call-ins of it become correct, and old correct ones stay', async () => {
    const puzzleID = await createOne()
    const [old, early, none] = [await solver(), await solver(), await solver()]
    await body(send(old.one, puzzleID, 'the answer'), 201)
    await body(send(early.one, puzzleID, 'a bird'), 201)
    await body(send(none.one, puzzleID, 'a plane'), 201)
    await body(patch(`/hunts/puzzles/${puzzleID}`, { answer: 'A Bird!' }), 204)
    assert.deepEqual((await callIns(old.two, puzzleID)).map(shown), [{ rawSubmission: 'the answer', correct: 'A Bird!' }])
    assert.deepEqual((await callIns(early.two, puzzleID)).map(shown), [{ rawSubmission: 'a bird', correct: 'A Bird!' }])
    assert.deepEqual((await callIns(none.two, puzzleID)).map(shown), [{ rawSubmission: 'a plane' }])
    for (const { two } of [old, early]) await refused(send(two, puzzleID, 'more'), 409)
    assert.deepEqual(shown(await body(send(none.one, puzzleID, 'the answer'), 201)), { rawSubmission: 'the answer' })
  })

  it('hints are added and replaced, never removed; wrong call-ins get them', async () => {
    const { huntID, puzzles } = await create([puzzle({ hints: { red: 'Warm', blue: 'Cold' } })])
    const puzzleID = puzzles[0]?.puzzleID as string
    const anna = await solver()
    for (const text of ['red', 'green', 'the answer']) await body(send(anna.one, puzzleID, text), 201)
    await body(patch(`/hunts/puzzles/${puzzleID}`, { hints: { ' Green ': 'Warmer', RED: 'Hot', 'the answer': 'Yes' } }), 204)
    await body(patch(`/hunts/puzzles/${puzzleID}`, { hints: {} }), 204)
    assert.deepEqual((await callIns(anna.two, puzzleID)).map(shown), [
      { rawSubmission: 'red', hint: 'Hot' },
      { rawSubmission: 'green', hint: 'Warmer' },
      { rawSubmission: 'the answer', correct: 'The Answer' },
    ])
    assert.deepEqual((await forTeam(huntID)).puzzles[0]?.hints, { RED: 'Hot', BLUE: 'Cold', GREEN: 'Warmer', THEANSWER: 'Yes' })
  })

  it('what is absent stays, and what is wrong names its field', async () => {
    const { huntID, puzzles } = await create([puzzle({ unlockTime: inHours(1) })])
    const path = `/hunts/puzzles/${puzzles[0]?.puzzleID}`
    await body(patch(path, { title: 'Other', body: '' }), 204)
    assert.deepEqual((await forTeam(huntID)).puzzles, [{ ...puzzles[0], title: 'Other', body: '' }])
    for (const [data, field] of [
      [{ title: '' }, 'title'],
      [{ answer: '' }, 'answer'],
      [{ answer: '!!' }, 'answer'],
      [{ hints: { '': 'x' } }, 'hints'],
    ] as const)
      assert.deepEqual(Object.keys((await body(patch(path, data), 400)).fieldErrors), [field])
  })

  it('a race of another answer with call-ins of it: whoever called it in has it', async () => {
    const puzzleID = await createOne()
    const crowd = await people(nodes, ...Array.from({ length: 20 }, () => ({})))
    const calls = crowd.map(({ one, two }, index) => send(index % 2 ? one : two, puzzleID, 'a bird'))
    await Promise.all([...calls.slice(0, 10), patch(`/hunts/puzzles/${puzzleID}`, { answer: 'A bird' }), ...calls.slice(10)])
    for (const { one } of crowd)
      assert.deepEqual(
        (await callIns(one, puzzleID)).map(({ correct }) => correct),
        ['A bird'],
      )
  })
})

describe('DELETE /hunts/:hunt_id', () => {
  it('puzzles and call-ins go with it', async () => {
    const { huntID, puzzles } = await create([puzzle()])
    const puzzleID = puzzles[0]?.puzzleID as string
    const anna = await solver()
    await body(send(anna.one, puzzleID, 'a guess'), 201)
    assert.equal(await body(team.two.delete(`/hunts/${huntID}`)), undefined)
    for (const answer of [
      anna.one.get(`/hunts/${huntID}`),
      team.one.get(`/hunts/${huntID}/admin`),
      anna.one.get(`/hunts/puzzles/${puzzleID}`),
      send(anna.two, puzzleID, 'a guess'),
      patch(`/hunts/${huntID}`, { title: 'x' }),
      patch(`/hunts/puzzles/${puzzleID}`, { title: 'x' }),
      team.one.delete(`/hunts/${huntID}`),
    ])
      await refused(answer, 400)
    assert.deepEqual([...(await nodes.sql`select 1 from hunt_call_in where puzzle_id = ${puzzleID}`)], [])
  })
})

it('a hunt manager writes hunts as the team does; others do not', async () => {
  const [manager, other] = (await people(nodes, { roles: ['huntmanager'] }, { roles: ['karaokemanager'] })) as [Person, Person]
  const data = { title: 'Of the manager', description: '', puzzles: [puzzle()] }
  await refused(other.one.post('/hunts/create', data), 403)
  await body(manager.one.post('/hunts/create', data), 201)
  const { huntID } = (await list(other.two)).find(({ title }) => title === 'Of the manager') as Hunt
  const { puzzles } = await body(manager.two.get(`/hunts/${huntID}/admin`))
  assert.equal(puzzles[0].answer, 'The Answer')
  const calls = (client: Client) => [
    () => client.get(`/hunts/${huntID}/admin`),
    () => patch(`/hunts/${huntID}`, { title: 'Renamed' }, client),
    () => patch(`/hunts/puzzles/${puzzles[0].puzzleID}`, { title: 'Renamed' }, client),
    () => client.delete(`/hunts/${huntID}`),
  ]
  for (const call of calls(other.one)) await refused(call(), 403)
  for (const call of calls(manager.one)) assert.ok([200, 204].includes((await call()).status))
  assert.deepEqual((await body(manager.one.get('/user/whoami'))).roles, ['huntmanager'])
})
