// Bodies with a field that goes to a file: whatever the pieces in which they arrive, the outcome is that of
// reading them as a whole.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { AppError } from '../src/core/errors.ts'
import { SpooledFile } from '../src/core/files/files.ts'
import { spoolBody } from '../src/core/http/spool.ts'

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-spool-'))
after(() => rmSync(directory, { recursive: true }))
const path = join(directory, 'deeper', 'file')

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
  try {
    const { value } = await spoolBody(Readable.from(pieces), contentType, 'field', path, { keep: true })
    const file = (value as { field?: unknown } | null)?.field
    const bytes = file instanceof SpooledFile ? readFileSync(file.path) : undefined
    if (file instanceof SpooledFile) {
      assert.equal(file.size, bytes?.length)
      ;(value as { field?: unknown }).field = null
    }
    return { bytes, value }
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.ok(error.status >= 400 && error.status < 500)
    assert.deepEqual(readdirSync(join(directory, 'deeper')), [], 'a refused body leaves nothing')
    return error.status
  } finally {
    rmSync(path, { force: true })
  }
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
