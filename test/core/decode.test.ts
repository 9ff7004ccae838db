// From what clients send to typed values: decoding, multipart, and counting characters as people do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { decoderOf, graphemes, parseDate } from '../../src/core/schema/decode.ts'
import { AppError } from '../../src/core/base/errors.ts'
import { ReceivedBytes } from '../../src/core/schema/received-bytes.ts'
import { parseMultipart } from '../../src/core/http/multipart.ts'
import { Bytes, DateTime, Dto, Int, OneOf, Text, Type, Uuid, type TSchema } from '../../src/core/schema/schema.ts'

/** What decoding refuses with. */
function refusal(schema: TSchema, value: unknown, source: 'json' | 'text' = 'json'): AppError {
  try {
    decoderOf(schema)(value, source)
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.status, 400)
    return error
  }
  return assert.fail(`accepted ${JSON.stringify(value)?.slice(0, 200)}`)
}

const accepts = (schema: TSchema, value: unknown, source: 'json' | 'text' = 'json') => decoderOf(schema)(value, source) as unknown

/** Fails when `work` takes a noticeable part of a second: the loop serves everybody. */
function fast(work: () => void): void {
  // What others do on this machine does not count, nor that it is slow for a while: what something costs, it costs every time.
  const costs = () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  let ms = Infinity
  for (let attempt = 0; attempt < 3 && ms >= 1500; attempt++) ms = Math.min(ms, costs())
  assert.ok(ms < 1500, `took ${ms} ms of processor time`)
}

describe('dates', () => {
  const moments = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })

  test('ISO 8601 in every accepted form is the same moment', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: -14 * 60, max: 14 * 60 }), fc.constantFrom('colon', 'bare'), (date, offset, style) => {
        const local = new Date(date.getTime() + offset * 60_000)
        fc.pre(local.getUTCFullYear() >= 1 && local.getUTCFullYear() <= 9999)
        const two = (value: number) => String(value).padStart(2, '0')
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${style === 'colon' ? ':' : ''}${two(Math.abs(offset) % 60)}`
        const text = local.toISOString().replace('Z', zone)
        assert.deepEqual(accepts(DateTime, text), date)
        assert.deepEqual(accepts(DateTime, date.toISOString()), date)
        assert.deepEqual(accepts(DateTime, date.toISOString().toLowerCase()), date)
        assert.deepEqual(accepts(DateTime, date.toISOString().replace('Z', '999999Z')), date)
        const whole = new Date(Math.floor(date.getTime() / 1000) * 1000)
        assert.deepEqual(accepts(DateTime, date.toISOString().replace(/\.\d+/, '')), whole)
        assert.deepEqual(
          accepts(DateTime, date.toISOString().replace(/:\d\d\.\d+/, '')),
          new Date(Math.floor(date.getTime() / 60_000) * 60_000),
        )
      }),
    )
  })

  test('seconds since 1970, whole or not, as number or text', () => {
    fc.assert(
      fc.property(moments, (date) => {
        const seconds = date.getTime() / 1000
        assert.deepEqual(accepts(DateTime, seconds), date)
        if (!String(seconds).includes('e')) assert.deepEqual(accepts(DateTime, String(seconds), 'text'), date)
      }),
    )
  })

  test('anything else is refused', () => {
    for (const value of [
      '',
      'now',
      '2026-01',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01 00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-02-31T00:00:00Z',
      '2100-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-01-01T25:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01T00:00:00.Z',
      '2026-01-01T00:00:00,5Z',
      '26-01-01T00:00:00Z',
      '12026-01-01T00:00:00Z',
      '+002026-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-01-01T00:00:00+1',
      '2026-01-01T00:00:00+99:99',
      '2026-01-01T00:00:00Zx',
      '１２３',
      '1e3',
      '1_000',
      '0x10',
      ' 1',
      '1 ',
      '--1',
      '1.',
      '.5',
      'NaN',
      'Infinity',
      1e300,
      -1e300,
      NaN,
      Infinity,
      true,
      {},
      [],
      [1],
      '9'.repeat(1000),
    ]) {
      assert.equal(parseDate(value), undefined, String(value))
      refusal(DateTime, value)
    }
    assert.deepEqual(accepts(DateTime, '2024-02-29T00:00:00Z'), new Date('2024-02-29T00:00:00Z'))
    assert.deepEqual(accepts(DateTime, '2000-02-29T00:00:00Z'), new Date('2000-02-29T00:00:00Z'))
  })

  test('every text gives a date that can be sent, or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/), fc.double()),
        (value) => {
          const date = parseDate(value)
          if (date) assert.match(date.toISOString(), /^\d{4}-/)
        },
      ),
    )
  })
})

test('UUIDs: any case in, lower case out, nothing else', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.infiniteStream(fc.boolean()), (uuid, upper) => {
      const mixed = [...uuid].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join('')
      assert.equal(accepts(Uuid, mixed), uuid)
      for (const wrong of [
        `${uuid}0`,
        uuid.slice(1),
        uuid.replaceAll('-', ''),
        `{${uuid}}`,
        ` ${uuid}`,
        `${uuid}\n`,
        uuid.replace(/[0-9a-f]/, 'g'),
        uuid.replace(/[0-9a-f]/, '\uff11'),
      ])
        refusal(Uuid, wrong)
    }),
  )
})

describe('texts', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\r\n', '\r', '\n', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '\u200d', 'क्षि', '\u1100\u1161', '👍🏽', 'a'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })

  test('characters are what people see', () => {
    fc.assert(
      fc.property(texts, (text) => assert.equal(graphemes(text), [...segmenter.segment(text)].length)),
      { numRuns: 1000 },
    )
    assert.deepEqual(['', 'abc', '\r\n', '👩‍👩‍👧‍👦', 'e\u0301e\u0301', '🇩🇪🇫🇷'].map(graphemes), [0, 3, 1, 1, 2, 2])
  })

  test('lengths are judged by characters', () => {
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('\0')),
        fc.nat({ max: 12 }),
        fc.nat({ max: 12 }),
        (text, one, other) => {
          const [min, max] = [Math.min(one, other), Math.max(one, other)]
          const length = graphemes(text)
          for (const rules of [{ min, max }, { min }, { max }]) {
            const fits = length >= (rules.min ?? 0) && length <= (rules.max ?? Infinity)
            if (fits) assert.equal(accepts(Text(rules), text), text)
            else assert.ok(refusal(Text(rules), text).fieldErrors)
          }
        },
      ),
    )
  })

  test('one character may be long', () => {
    const long = `a${'\u0301'.repeat(500)}`
    refusal(Text({ min: 2 }), long)
    assert.equal(accepts(Text({ min: 2 }), `${long}b`), `${long}b`)
  })

  test('what is much too long is refused without being counted to its end, and files are counted in code units', () => {
    const says = (max: number, text: string) => Object.values(refusal(Text({ max }), text).fieldErrors ?? {})[0]
    assert.match(String(says(20_000, 'é'.repeat(29_000))), /it has 29000$/)
    assert.match(String(says(20_000, 'é'.repeat(31_000))), /at most 20000 characters$/)
    assert.match(String(says(200_000, 'e\u0301'.repeat(100_001))), /it has 200002$/)
  })

  test('characters may be long, but not all of many', () => {
    const family = '👨‍👩‍👧‍👦'
    for (const max of [1, 10, 100, 2047]) {
      assert.equal(accepts(Text({ max }), family.repeat(max)), family.repeat(max))
      refusal(Text({ max }), family.repeat(max + 1))
      refusal(Text({ max }), `a${'\u0301'.repeat(45)}`.repeat(max))
    }
  })

  test('lines are counted by every Unicode line break', () => {
    const breaks = ['\r\n', '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...breaks), { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), (used, lines) => {
        const text = `a${used.map((each) => `${each}b`).join('')}`
        if (used.length + 1 <= lines) assert.equal(accepts(Text({ lines }), text), text)
        else assert.match(refusal(Text({ lines }), text).message, /at most \d+ lines/)
      }),
    )
  })

  test('NUL and lone surrogates are no text', () => {
    for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', `${'a'.repeat(1000)}\ud83d`]) {
      assert.equal(refusal(Text(), text).fieldErrors, undefined)
      refusal(Dto('Nested', { list: Type.Array(Text()) }), { list: [text] })
    }
    assert.equal(accepts(Text(), '\ufffd\u{1f600}'), '\ufffd\u{1f600}')
  })

  test('an optional text may be empty whatever its rules say, a required one may not', () => {
    const schema = Dto('Texts', { needed: Text({ min: 2, max: 5 }), extra: Type.Optional(Text({ min: 2, max: 5 })) })
    assert.deepEqual(accepts(schema, { needed: 'ab', extra: '' }), { needed: 'ab', extra: '' })
    assert.deepEqual(Object.keys(refusal(schema, { needed: '', extra: 'a' }).fieldErrors ?? {}), ['needed', 'extra'])
  })

  test('huge texts take no time', () => {
    const size = 10 * 1024 * 1024
    for (const unit of ['a', 'ä', '👩‍👩‍👧‍👦', 'e\u0301', '\n', '\r\n', '\u200d', '🇩🇪']) {
      const text = unit.repeat(Math.ceil(size / unit.length))
      fast(() => {
        refusal(Text({ min: 1, max: 2047, lines: 25 }), text)
        accepts(Text(), text)
        if (unit !== '\u200d') accepts(Text({ min: 2 }), text)
        accepts(Text({ min: 1 }), text)
        refusal(Text({ lines: 25, max: 10 }), text)
        for (const schema of [Uuid, DateTime, Int, OneOf(['a']), Type.Boolean()]) refusal(schema, text, 'text')
      })
    }
    const base64 = 'QUJD'.repeat(size / 4)
    fast(() => {
      assert.equal((accepts(Bytes, base64) as ReceivedBytes).size, (size / 4) * 3)
      refusal(Bytes, `${base64.slice(4)}===!`)
      refusal(Bytes, '='.repeat(size))
    })
  })
})

describe('numbers, booleans, words, bytes', () => {
  test('integers', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double()), (value) => {
        const good = Number.isInteger(value) && Math.abs(value + 0.5) <= 2 ** 31
        if (good) assert.equal(accepts(Int, value), value)
        else refusal(Int, value)
        if (good && !Object.is(value, -0)) assert.equal(accepts(Int, String(value), 'text'), value)
      }),
    )
    for (const value of ['1', true, null, [], {}, '']) refusal(Dto('One', { value: Int }), { value })
    for (const value of ['', ' 1', '1 ', '+1', '1e3', '0x1', '1.5', 'NaN', '１', '--1', '1,000']) refusal(Int, value, 'text')
  })

  test('booleans', () => {
    for (const [value, meant] of [
      ['true', true],
      ['TRUE', true],
      ['1', true],
      ['on', true],
      ['On', true],
      ['', true],
      ['false', false],
      ['False', false],
      ['0', false],
    ] as const)
      assert.equal(accepts(Type.Boolean(), value, 'text'), meant)
    for (const value of ['yes', 'off', '2', ' true', 'null', 1, 0, {}]) refusal(Type.Boolean(), value, 'text')
    for (const value of ['true', 1, 0, '', {}]) refusal(Type.Boolean(), value)
  })

  test('words of a list', () => {
    const [exact, loose] = [OneOf(['dining', 'Gaming']), OneOf(['dining', 'Gaming'], { ignoreCase: true })]
    assert.equal(accepts(loose, 'gAMING'), 'Gaming')
    for (const value of ['DINING', 'gaming', '', ' dining', 'toString', '__proto__', 'constructor', 1, null, ['dining']]) {
      refusal(exact, value)
      if (value !== 'DINING' && value !== 'gaming') refusal(loose, value)
    }
  })

  test('bytes: padded base64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) =>
        assert.deepEqual(accepts(Bytes, Buffer.from(bytes).toString('base64')), new ReceivedBytes(Buffer.from(bytes))),
      ),
    )
    for (const value of ['QQ', 'QQ=', 'Q===', '=', 'QUI_', 'QU I=', 'QQ==\n', 1, [65]]) refusal(Bytes, value)
  })
})

describe('objects', () => {
  const inner = Dto('Inner', { id: Int, note: Type.Optional(Text({ min: 3 })) })
  const outer = Dto(
    'Outer',
    {
      name: Text({ min: 2, max: 4 }),
      when: Type.Optional(DateTime),
      inner: Type.Optional(inner),
      list: Type.Array(inner),
    },
    ({ name, list }, fail) => {
      if (list.length > 2) fail('There must be at most two', 'list')
      if (name === 'evil') fail('This name is evil')
    },
  )

  test('null and missing are the same for what is optional, and the same failure for what is not', () => {
    const given = { name: 'abc', list: [] }
    for (const when of [undefined, null]) assert.deepEqual(accepts(outer, { ...given, when, inner: when }), given)
    for (const list of [undefined, null]) assert.match(refusal(outer, { name: 'abc', list }).message, /^list is required/)
  })

  test('unknown keys are left out, and nothing is taken from a prototype', () => {
    const hostile = JSON.parse(
      '{"name":"abc","list":[],"extra":1,"__proto__":{"inner":{"id":1}},"constructor":{"prototype":{"a":1}},"toString":1}',
    ) as unknown
    const decoded = accepts(outer, hostile)
    assert.deepEqual(decoded, { name: 'abc', list: [] })
    assert.equal(Object.getPrototypeOf(decoded), Object.prototype)
    assert.match(refusal(outer, JSON.parse('{"__proto__":{"name":"abc","list":[]}}')).message, /^name is required/)
    const names = Type.Record(Type.String(), Int)
    const map = accepts(names, JSON.parse('{"__proto__":1,"constructor":2}')) as Record<string, number>
    assert.deepEqual(Object.entries(map), [
      ['__proto__', 1],
      ['constructor', 2],
    ])
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  test('a wrong shape is reported alone, the first one, with its path', () => {
    const { message, fieldErrors } = refusal(outer, { name: 'x', inner: { id: 1, note: 'a' }, list: [{ id: 1 }, { id: 'x' }, { id: 'y' }] })
    assert.deepEqual([message, fieldErrors], ['list.1.id must be a whole number.', undefined])
    for (const [value, path] of [
      [[], 'The value'],
      [null, 'The value'],
      ['x', 'The value'],
      [{ name: 1, list: 1 }, 'name'],
      [{ name: 'abc', list: {} }, 'list'],
      [{ name: 'abc', list: [[]] }, 'list.0'],
    ] as const) {
      assert.ok(refusal(outer, value).message.startsWith(`${path} `), path)
    }
  })

  test('broken rules of content are reported all at once, with their paths', () => {
    const error = refusal(outer, { name: 'x', inner: { id: 1, note: 'a' }, list: [{ id: 1, note: 'b' }, { id: 2 }, { id: 3 }] })
    assert.deepEqual(Object.keys(error.fieldErrors ?? {}), ['name', 'inner.note', 'list.0.note', 'list', 'note'])
    const { note, ...byPath } = error.fieldErrors ?? {}
    assert.equal(error.message, Object.values(byPath).join('; '))
    assert.equal(note, byPath['inner.note'])
    assert.deepEqual(refusal(outer, { name: 'evil', list: [] }).fieldErrors, { general: 'This name is evil' })
  })

  test('two failures of one field are joined; ten go into fieldErrors, all into the reason', () => {
    const twice = Dto('Twice', { text: Text({ max: 3, lines: 1 }) })
    const { message, fieldErrors } = refusal(twice, { text: 'abc\nd' })
    assert.equal(fieldErrors?.['text'], message.split('; ').join(' and '))
    const many = refusal(
      Type.Array(Text({ min: 2 })),
      Array.from({ length: 15 }, () => 'x'),
    )
    assert.equal(Object.keys(many.fieldErrors ?? {}).length, 10)
    assert.equal(many.message.split('; ').length, 15)
  })

  test('lists: commas in text, an empty list where a form says nothing, never too many entries', () => {
    assert.deepEqual(accepts(Type.Array(Int), '1,2,3', 'text'), [1, 2, 3])
    refusal(Type.Array(Int), '1,2,3', 'json')
    assert.deepEqual(accepts(outer, { name: 'abc' }, 'text'), { name: 'abc', list: [] })
    refusal(Type.Array(Int, { maxItems: 2 }), [1, 2, 3])
    fast(() =>
      refusal(
        Type.Array(Int),
        Array.from({ length: 1_000_000 }, () => 1),
      ),
    )
  })

  test('deep nesting is harmless', () => {
    const deep = '[{"list":'.repeat(100_000)
    for (const text of [`{"name":"abc","list":[],"extra":${'['.repeat(100_000)}${']'.repeat(100_000)}}`])
      assert.deepEqual(accepts(outer, JSON.parse(text)), { name: 'abc', list: [] })
    assert.throws(() => JSON.parse(deep), SyntaxError)
  })

  test('any JSON is decoded or refused with 400, never anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('json', 'text'), (value, source) => {
        for (const schema of [outer, inner, Type.Array(outer), Type.Record(Type.String(), inner), Bytes, DateTime, Int, Text({ max: 2 })]) {
          try {
            accepts(schema, value, source)
          } catch (error) {
            assert.ok(error instanceof AppError && error.status === 400, String(error))
          }
        }
      }),
    )
  })
})

describe('multipart', () => {
  const type = 'multipart/form-data; boundary=b'
  const part = (name: string, value: string | Uint8Array, filename?: string) =>
    Buffer.concat([
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ])
  const parse = (...parts: Uint8Array[]) => parseMultipart(Buffer.concat([...parts, Buffer.from('--b--\r\n')]), type)
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
  const refused = (work: Promise<unknown>) => assert.rejects(work, (error) => error instanceof AppError && error.status === 400)

  test('bracket names nest, positions make lists', async () => {
    const form = await parse(
      part('text', 'Grüße'),
      part('images[1][filename]', 'b'),
      part('images[0][image]', new Uint8Array([1, 2, 255]), 'x.png'),
      part('a[b][c]', ''),
      part('ids[]', '1'),
      part('ids[]', '2'),
      part('one[]', '1'),
    )
    assert.deepEqual(
      plain(form),
      plain({
        text: 'Grüße',
        images: [{ image: Buffer.from([1, 2, 255]) }, { filename: 'b' }],
        a: { b: { c: '' } },
        ids: ['1', '2'],
        one: ['1'],
      }),
    )
  })

  test('a repeated name is a list', async () => {
    assert.deepEqual(plain(await parse(part('a', '1'), part('a', '2'), part('a', '3'), part('b[0]', '1'), part('b[1]', '2'))), {
      a: ['1', '2', '3'],
      b: ['1', '2'],
    })
  })

  test('files are bytes, also empty ones and such that look like text', async () => {
    const form = (await parse(
      part('empty', '', 'x'),
      part('text', 'abc', 'y'),
      part('wrong', new Uint8Array([0xff, 0, 0xfe]), 'z'),
    )) as Record<string, unknown>
    assert.deepEqual(
      Object.values(form).map((value) => Buffer.isBuffer(value) && value.toString('hex')),
      ['', '616263', 'ff00fe'],
    )
    assert.deepEqual(accepts(Dto('File', { empty: Bytes }), form, 'text'), { empty: new ReceivedBytes(Buffer.alloc(0)) })
  })

  test('what was put in comes out', async () => {
    const names = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array()), { minKeys: 1, noNullPrototype: true }),
        async (fields) => {
          const form = await parse(
            ...Object.entries(fields).map(([name, value]) => part(name, value, typeof value === 'string' ? undefined : 'f')),
          )
          assert.deepEqual(
            plain(form),
            plain(
              Object.fromEntries(
                Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : Buffer.from(value)]),
              ),
            ),
          )
        },
      ),
    )
  })

  test('names of prototypes are only names', async () => {
    const form = (await parse(
      part('__proto__[polluted]', '1'),
      part('constructor[prototype][polluted]', '1'),
      part('a[__proto__][polluted]', '1'),
    )) as object
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
    assert.deepEqual(Object.keys(form).toSorted(), ['__proto__', 'a', 'constructor'])
  })

  test('contradictory names give some value or a refusal', async () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', '[0]', '[]', '.', '__proto__'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 6 }), async (used) => {
        await parse(...used.map((name) => part(name, 'x'))).catch((error: unknown) =>
          assert.ok(error instanceof AppError && error.status === 400, String(error)),
        )
      }),
    )
  })

  test('what is cut off anywhere is refused', async () => {
    const whole = Buffer.concat([part('a', '1'), part('file', 'abc', 'x'), Buffer.from('--b--\r\n')])
    for (let length = 0; length < whole.length - 4; length++) await refused(parseMultipart(whole.subarray(0, length), type))
    assert.ok(await parseMultipart(whole.subarray(0, -2), type))
  })

  test('wrong UTF-8, no boundary, the wrong boundary, too many parts: refused', async () => {
    await refused(parse(part('a', new Uint8Array([0xc3, 0x28]))))
    for (const wrong of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=c',
      `multipart/form-data; boundary="${'b'.repeat(500)}"`,
    ]) {
      await refused(parseMultipart(Buffer.concat([part('a', '1'), Buffer.from('--b--\r\n')]), wrong))
    }
    assert.equal(((await parse(...Array.from({ length: 999 }, () => part('a', '1')))) as { a: unknown[] }).a.length, 999)
    await refused(parse(...Array.from({ length: 1001 }, () => part('a', '1'))))
  })

  test('any bytes are read or refused, never anything else', async () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        '--b',
        '--b--',
        '\r\n',
        '\r\n\r\n',
        'Content-Disposition: form-data',
        '; name="a"',
        '; filename="x"',
        'Content-Transfer-Encoding: base64',
        'Content-Type: text/plain; charset=utf-16',
        '"',
        '\0',
      ),
      fc.string({ unit: 'binary' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 20 }), async (used) => {
        await parseMultipart(Buffer.from(used.join('')), type).catch((error: unknown) =>
          assert.ok(error instanceof AppError && error.status === 400, String(error)),
        )
      }),
      { numRuns: 300 },
    )
  })
})
