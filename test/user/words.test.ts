// Alertwords and mutewords: what counts as a word, and each account's lists. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { isUsable, wordsIn } from '../../src/text/words.ts'
import { userKind } from '../../src/users/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

type Kind = 'alertwords' | 'mutewords'

const change = (client: Client, kind: Kind, verb: 'add' | 'remove', word: string): Promise<Answer> =>
  client.post(`/user/${kind}/${verb}/${encodeURIComponent(word)}`)
const keywords = async (answer: Promise<Answer>): Promise<string[]> => (await body(answer)).keywords
const list = (client: Client, kind: Kind) => keywords(client.get(`/user/${kind}`))
const person = async (): Promise<Person> => (await people(nodes, {}))[0] as Person

for (const kind of ['alertwords', 'mutewords'] as const) {
  describe(`/user/${kind}`, () => {
    it("are one account's own sorted list, given whole after every change", async () => {
      const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
      const [sub] = (await people(nodes, { subAccountOf: me })) as [Person]
      assert.deepEqual(await list(me.one, kind), [])
      assert.deepEqual(await keywords(change(me.one, kind, 'add', 'zebra')), ['zebra'])
      assert.deepEqual(await keywords(change(me.two, kind, 'add', 'apple')), ['apple', 'zebra'])
      assert.deepEqual(await keywords(change(me.one, kind, 'add', 'éclair')), ['apple', 'zebra', 'éclair'])
      for (const client of [me.one, me.two]) assert.deepEqual(await list(client, kind), ['apple', 'zebra', 'éclair'])
      assert.deepEqual(await keywords(change(me.two, kind, 'remove', 'zebra')), ['apple', 'éclair'])
      for (const { one } of [sub, other]) assert.deepEqual(await list(one, kind), [])
      assert.deepEqual(await list(me.one, kind === 'alertwords' ? 'mutewords' : 'alertwords'), [])
    })

    it('are normalised: lower case, letters only', async () => {
      const { one } = await person()
      for (const [typed, word] of [
        ['SHIP', 'ship'],
        ['foo-bar!', 'foobar'],
        [' deck7chairs ', 'deckchairs'],
        ['Cafe\u0301s', 'cafés'],
        ['ÜBERFAHRT', 'überfahrt'],
        ['नमस्ते', 'नमस्ते'],
        ['\u3000船長さん\u3000', '船長さん'],
        ['c.a.f.e', 'cafe'],
        ['don\u2019t', 'dont'],
        ['a/b#c?d%e', 'abcde'],
      ] as const) {
        assert.ok((await keywords(change(one, kind, 'add', typed))).includes(word), typed)
      }
    })

    it('refuse more than one word, none, and less than four letters', async () => {
      const { one } = await person()
      for (const typed of [
        'two words',
        'two\twords',
        'two\u2028words',
        'two\u00a0words',
        '123',
        '!!!',
        ' ',
        'abc',
        'a1b2c',
        'éé\u0301é',
        '船長',
        '😀😀😀😀',
        'x'.repeat(201),
        `a${'\u0301'.repeat(300)}bcd`,
      ]) {
        await refused(change(one, kind, 'add', typed), 400)
      }
      assert.deepEqual(await list(one, kind), [])
    })

    it('can be added and removed again and again', async () => {
      const { one, two } = await person()
      for (let time = 0; time < 2; time++) assert.deepEqual(await keywords(change(one, kind, 'add', 'Cruise!')), ['cruise'])
      for (let time = 0; time < 2; time++) assert.deepEqual(await keywords(change(two, kind, 'remove', 'CRUISE')), [])
      const answers = await Promise.all([one, two, one, two].map((client) => change(client, kind, 'add', 'again')))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      assert.deepEqual(await list(one, kind), ['again'])
    })

    it('are at most 500', async () => {
      const { one, id } = await person()
      await nodes.sql`
        insert into ${nodes.sql(kind.slice(0, -1))} (account_id, word, created_at)
        select ${id}, 'word' || translate(lpad(number::text, 3, '0'), '0123456789', 'abcdefghij'), now() from generate_series(1, 500) as number`
      await refused(change(one, kind, 'add', 'another'), 400)
      assert.equal((await keywords(change(one, kind, 'add', 'wordaab'))).length, 500)
      await keywords(change(one, kind, 'remove', 'wordaab'))
      assert.equal((await keywords(change(one, kind, 'add', 'another'))).length, 500)
    })

    it('are open to every level that can log in, and to nobody else', async () => {
      for (const level of ['unverified', 'quarantined', 'client', 'moderator'] as const) {
        const [me] = (await people(nodes, { level })) as [Person]
        assert.deepEqual(await keywords(change(me.one, kind, 'add', 'word')), ['word'])
      }
      await refused(nodes.client().get(`/user/${kind}`), 401)
      await refused(change(nodes.client(), kind, 'add', 'word'), 401)
      await refused(change(nodes.client(), kind, 'remove', 'word'), 401)
    })

    it('refuse what is no text', async () => {
      const { one } = await person()
      for (const verb of ['add', 'remove'])
        for (const text of ['%00word', '%ffword', '%']) await refused(one.post(`/user/${kind}/${verb}/${text}`), 400)
    })
  })
}

describe('POST /user/alertwords/remove/:alert_word', () => {
  it('compares as sent, in lower case', async () => {
    const { one } = await person()
    await change(one, 'alertwords', 'add', 'Cruise')
    for (const typed of ['cru-ise', 'cruise!', 'two words', '7', '!'])
      assert.deepEqual(await keywords(change(one, 'alertwords', 'remove', typed)), ['cruise'], typed)
    assert.deepEqual(await keywords(change(one, 'alertwords', 'remove', 'CRUISE')), [])
  })
})

describe('POST /user/mutewords/remove/:mute_word', () => {
  it('normalises first, and refuses no word and several', async () => {
    const { one } = await person()
    await change(one, 'mutewords', 'add', 'Cruise')
    for (const typed of ['two words', '7', '!']) await refused(change(one, 'mutewords', 'remove', typed), 400)
    assert.deepEqual(await keywords(change(one, 'mutewords', 'remove', 'abc')), ['cruise'])
    assert.deepEqual(await keywords(change(one, 'mutewords', 'remove', 'CRU-ISE!')), [])
  })
})

it('mutewords are in the memory of every node when the change is answered', async () => {
  const { one, two, id } = await person()
  const held = () => Promise.all(nodes.apps.map(async ({ node }) => (await node.channels.of(userKind).get(id))?.mutewords))
  await two.get('/user/whoami')
  await change(one, 'mutewords', 'add', 'rumour')
  assert.deepEqual(await held(), [['rumour'], ['rumour']])
  await change(two, 'mutewords', 'add', 'gossip')
  assert.deepEqual(await held(), [
    ['gossip', 'rumour'],
    ['gossip', 'rumour'],
  ])
  await change(two, 'mutewords', 'remove', 'rumour')
  assert.deepEqual(await held(), [['gossip'], ['gossip']])
})

/** Character by character, as the rule reads. */
function naiveWords(text: string): string[] {
  const words = ['']
  let inLetter = false
  for (const character of text.normalize('NFC').toLowerCase()) {
    const kept: boolean = /^\p{L}$/u.test(character) || (inLetter && /^\p{M}$/u.test(character))
    inLetter = kept
    if (/^\p{White_Space}$/u.test(character)) words.push('')
    else if (kept) words[words.length - 1] += character
  }
  return words.filter((word) => word !== '').map((word) => word.normalize('NFC'))
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      'É',
      'e\u0301',
      '\u0301',
      'ß',
      'İ',
      'Σ',
      'न',
      '्',
      'ᄀ',
      'ᅡ',
      '가',
      ' ',
      '\t',
      '\u00a0',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\u200d',
      '-',
      '1',
      '😀',
    ),
    maxLength: 20,
  }),
)

describe('words', () => {
  it('are what the rule says, of any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = wordsIn(text)
        assert.deepEqual(words, naiveWords(text))
        assert.deepEqual(wordsIn(words.join(' ')), words, 'normalised words stay as they are')
        assert.deepEqual(wordsIn(text.normalize('NFD')), words, 'spelling out accents makes no difference')
      }),
      { numRuns: 3000 },
    )
  })

  it('are taken over HTTP exactly when there is one, long enough', async () => {
    const { one } = await person()
    // A URL cannot hold the others.
    const sendable = texts.filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0') && text !== '.' && text !== '..')
    await fc.assert(
      fc.asyncProperty(sendable, async (text) => {
        const words = naiveWords(text)
        const { status, body: answer } = await change(one, 'alertwords', 'add', text)
        const taken = words.length === 1 && isUsable(words[0] as string)
        assert.equal(status, taken ? 200 : 400)
        if (taken) assert.ok(answer.keywords.includes(words[0]))
      }),
      { numRuns: 300 },
    )
  })
})
