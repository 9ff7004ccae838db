// Bodies with a field that goes to a file: whatever the pieces in which they arrive, the outcome is that of
// reading them as a whole.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { AppError } from '../../src/core/base/errors.ts'
import { ReceivedBytes } from '../../src/core/schema/received-bytes.ts'
import { FolderStore } from '../../src/core/files/store.ts'
import { Spool, spoolBody } from '../../src/core/http/spool.ts'

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-spool-'))
after(() => rmSync(directory, { recursive: true }))
const folder = join(directory, 'deeper')
let names = 0

/** The bytes of the field, and everything else; or the status of the refusal. */
async function spool(
  body: Buffer,
  cuts: readonly number[],
  contentType = 'application/json',
): Promise<{ bytes: Buffer | undefined; value: unknown } | number> {
  const places = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b)
  const pieces = [...places, body.length]
    .map((end, index) => body.subarray(index === 0 ? 0 : places[index - 1], end))
    .filter(({ length }) => length > 0)
  const files = new Spool(folder, { newName: () => String(names++), takes: () => true })
  try {
    const { value } = await spoolBody(Readable.from(pieces), contentType, [['field']], files)
    const field = (value as { field?: unknown } | null)?.field
    if (!(field instanceof ReceivedBytes)) return { bytes: undefined, value }
    ;(value as { field?: unknown }).field = null
    return { bytes: await bytesOf(field), value }
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.ok(error.status >= 400 && error.status < 500)
    return error.status
  } finally {
    await files.remove()
    assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [], 'nothing is left')
  }
}

async function bytesOf(received: ReceivedBytes): Promise<Buffer> {
  const path = join(directory, 'moved')
  await received.putInto(new FolderStore(directory), 'moved')
  const bytes = readFileSync(path)
  assert.equal(received.size, bytes.length)
  rmSync(path)
  return bytes
}

const cuts = fc.array(fc.nat({ max: 5000 }), { maxLength: 12 })
const others = fc.dictionary(
  fc.string().filter((name) => name !== 'field'),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 4 },
)

test('JSON: the field decoded, the rest as it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      others,
      others,
      fc.boolean(),
      fc.constantFrom('', ' ', '\n\t'),
      cuts,
      async (array, before, later, escaped, space, where) => {
        const bytes = Buffer.from(array)
        const base64 = escaped ? bytes.toString('base64').replaceAll('/', '\\/').replaceAll('+', '\\u002B') : bytes.toString('base64')
        const pairs = [
          ...Object.entries(before).map(([name, value]) => `${JSON.stringify(name)}${space}:${JSON.stringify(value)}`),
          `"${escaped ? 'f\\u0069eld' : 'field'}"${space}:${space}"${base64}"`,
          ...Object.entries(later)
            .filter(([name]) => !(name in before))
            .map(([name, value]) => `${JSON.stringify(name)}:${space}${JSON.stringify(value)}`),
        ]
        const text = `${space}{${pairs.join(`${space},`)}}${space}`
        const outcome = await spool(Buffer.from(text), where)
        assert.notEqual(typeof outcome, 'number')
        const whole = JSON.parse(text) as Record<string, unknown>
        assert.equal(Buffer.from(String(whole['field']), 'base64').equals((outcome as { bytes: Buffer }).bytes), true)
        assert.deepEqual((outcome as { value: unknown }).value, { ...whole, field: null })
      },
    ),
    { numRuns: 300 },
  )
})

test('JSON: what is damaged is refused, or is what JSON.parse makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      others,
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(),
      fc.constantFrom(...'"\\{}[]:,=+ x\u0000\n'),
      fc.boolean(),
      cuts,
      async (more, array, at, character, replace, where) => {
        const good = JSON.stringify({ ...more, field: Buffer.from(array).toString('base64'), last: { field: 'no' } })
        const place = at % (good.length + 1)
        const damaged = good.slice(0, place) + character + good.slice(replace ? place + 1 : place)
        const outcome = await spool(Buffer.from(damaged), where)
        if (typeof outcome === 'number') return
        const whole = JSON.parse(damaged) as Record<string, unknown>
        if (outcome.bytes) {
          assert.ok(Buffer.from(String(whole['field']), 'base64').equals(outcome.bytes))
          assert.deepEqual(outcome.value, { ...whole, field: null })
        } else assert.deepEqual(outcome.value, whole)
      },
    ),
    { numRuns: 500 },
  )
})

test('JSON: base64 that goes on after its padding is refused, wherever it is cut', async () => {
  for (const text of ['QQ==QUJD', 'QUI=QQ==']) {
    const body = Buffer.from(JSON.stringify({ field: text }))
    for (const cut of body.keys()) assert.equal(await spool(body, [cut]), 400, `${text} cut at ${cut}`)
  }
})

const deepFields = [['field'], ['list', '*', 'field'], ['deep', 'list', '*', 'field']]

/** Every text at one of the paths becomes what `read` makes of it. */
function atDeepFields(value: unknown, read: (text: string) => unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string' && deepFields.some((field) => field.join() === path.join())) return read(value)
  if (Array.isArray(value)) return value.map((item) => atDeepFields(item, read, [...path, '*']))
  if (typeof value !== 'object' || value === null || value instanceof ReceivedBytes) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, atDeepFields(item, read, [...path, name])]))
}

test('JSON: fields of nested objects and lists, and nothing else', async () => {
  const base64 = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('base64'))
  const anything = fc.oneof({ weight: 3, arbitrary: base64 }, fc.jsonValue({ maxDepth: 2 }))
  const item = fc.oneof(
    fc.record({ other: fc.jsonValue({ maxDepth: 1 }), field: base64 }, { requiredKeys: [] }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const lists = fc.oneof(fc.array(item, { maxLength: 4 }), fc.record({ field: base64 }))
  const value = fc.record(
    {
      before: anything,
      field: base64,
      list: lists,
      deep: fc.record({ field: anything, list: lists, '*': base64 }, { requiredKeys: [] }),
      '*': base64,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(value, cuts, async (model, where) => {
      // Texts at the paths that are no base64 would be refused.
      const good = atDeepFields(model, (text) =>
        /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2,3}=+)?$/.test(text) && text.length % 4 === 0 ? text : '',
      )
      const body = Buffer.from(JSON.stringify(good, null, where.length % 2))
      const places = [...new Set(where.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b)
      const pieces = [...places, body.length]
        .map((end, index) => body.subarray(places[index - 1] ?? 0, end))
        .filter(({ length }) => length > 0)
      const files = new Spool(folder, { newName: () => String(names++), takes: () => true })
      try {
        const outcome = await spoolBody(Readable.from(pieces), 'application/json', deepFields, files)
        const seen: ReceivedBytes[] = []
        const shape = replaceReceived(outcome.value, seen)
        const wanted: Buffer[] = []
        assert.deepEqual(
          shape,
          atDeepFields(JSON.parse(body.toString()), (text) => wanted.push(Buffer.from(text, 'base64')) && null),
        )
        for (const received of seen) assert.deepEqual(await bytesOf(received), wanted.shift())
        assert.equal(wanted.length, 0)
      } finally {
        await files.remove()
      }
      assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [])
    }),
    { numRuns: 500 },
  )
})

function replaceReceived(value: unknown, seen: ReceivedBytes[]): unknown {
  if (value instanceof ReceivedBytes) return seen.push(value) && null
  if (Array.isArray(value)) return value.map((item) => replaceReceived(item, seen))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceReceived(item, seen)]))
}

test('more files than any body may hold: the sizes of all, and files of some', async () => {
  const files = new Spool(folder, { newName: () => String(names++), takes: () => true })
  const body = JSON.stringify({ list: Array.from({ length: 100 }, () => ({ field: 'AAAA' })) })
  const { value } = await spoolBody(Readable.from([Buffer.from(body)]), 'application/json', deepFields, files)
  const { list } = value as { list: { field: ReceivedBytes }[] }
  assert.ok(list.every(({ field }) => field.size === 3))
  assert.ok(readdirSync(folder).length < 20)
  await assert.rejects((list.at(-1) as { field: ReceivedBytes }).field.putInto(new FolderStore(directory), 'moved'), AppError)
  await files.remove()
  assert.deepEqual(readdirSync(folder), [])
})

test('without room, or for a caller who is refused: nothing is written', async () => {
  const body = Buffer.from('{"field":"AAAA"}')
  const full = new Spool(folder, { newName: () => String(names++), takes: () => false })
  await assert.rejects(spoolBody(Readable.from([body]), '', [['field']], full), (error) => (error as AppError).status === 503)
  const refused = new Spool(folder, { newName: () => String(names++), takes: undefined })
  const { value } = await spoolBody(Readable.from([body]), '', [['field']], refused)
  assert.equal((value as { field: ReceivedBytes }).field.size, 3)
  assert.deepEqual(readdirSync(folder), [])
})

test('forms: the part as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), cuts, async (array, where) => {
      const part = (name: string, file: boolean, content: Buffer) =>
        Buffer.concat([
          Buffer.from(`--end\r\nContent-Disposition: form-data; name="${name}"${file ? '; filename="x.mp4"' : ''}\r\n\r\n`),
          content,
          Buffer.from('\r\n'),
        ])
      const form = Buffer.concat([
        part('one', false, Buffer.from('1')),
        part('field', true, Buffer.from(array)),
        part('two', false, Buffer.from('2')),
        Buffer.from('--end--\r\n'),
      ])
      const outcome = await spool(form, where, 'multipart/form-data; boundary=end')
      assert.deepEqual(outcome, { bytes: Buffer.from(array), value: { one: '1', field: null, two: '2' } })
    }),
    { numRuns: 100 },
  )
})
