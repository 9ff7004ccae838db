// Bodies that are small, or allowed, and cost much where somebody unpacks or parses them as a whole.
import { deflateSync } from 'node:zlib'
import { bytePaths } from '../../src/core/http/spool.ts'
import type { Route } from '../../src/core/http/route.ts'
import { ByteStream, type SchemaNode } from '../../src/core/schema/schema.ts'
import { goodBody } from '../support/bodies.ts'
import { repeated, zipped } from '../support/zip.ts'

/** A body that must be refused soon, or taken in little memory. */
export interface Bomb {
  what: string
  body: Buffer
  headers: Record<string, string>
}

const megabyte = 1024 * 1024
/** Below what every route takes. */
const size = 9 * megabyte

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'multipart/form-data; boundary=b' }
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const zip = { 'content-type': 'application/octet-stream' }
const listOf = (name: string, value: string) =>
  Buffer.concat([Buffer.from(`{${JSON.stringify(name)}:[`), repeated(`${value},`, size), Buffer.from(`${value}]}`)])

/** What does harm under any field, by its name. */
const inField: Record<string, (name: string) => Buffer> = {
  'lists in a list': (name) => listOf(name, '[]'),
  'objects in a list': (name) => listOf(name, '{}'),
  'texts in a list': (name) => listOf(name, '""'),
  depth: (name) => Buffer.concat([Buffer.from(`{${JSON.stringify(name)}:`), repeated('[', size)]),
  'a key again and again': (name) =>
    Buffer.concat([Buffer.from('{'), repeated(`${JSON.stringify(name)}:1,`, size), Buffer.from(`${JSON.stringify(name)}:1}`)]),
  'a long text': (name) => Buffer.from(JSON.stringify({ [name]: 'é\u0301'.repeat(size / 4) })),
  spaces: (name) => Buffer.concat([Buffer.from(`{${JSON.stringify(name)}:`), Buffer.alloc(size, ' '), Buffer.from('1}')]),
}

const anywhere: [what: string, make: () => Buffer, headers: Record<string, string>][] = [
  ['boundaries', () => repeated('--b\r\n', size), form],
  ['parts', () => repeated('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n', size), form],
  ['pairs of a form', () => repeated('a[]=&', size), urlencoded],
  ['a long value of a form', () => Buffer.concat([Buffer.from('a='), repeated('%c3%a9', size)]), urlencoded],
]

/** A PNG of 900 million pixels, all alike. */
function hugePicture(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(30_000, 0)
  header.writeUInt32BE(30_000, 4)
  // One bit for each pixel.
  header[8] = 1
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(30_000 * 3751))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

let huge: Buffer | undefined
/** Pictures as they stand in JSON; what is made slowly is made once. */
const picturesInText: [what: string, make: () => Buffer][] = [
  ['a picture of 900 million pixels', () => (huge ??= Buffer.from(hugePicture().toString('base64')))],
  ['a picture of 60 MB', () => repeated('AAAA', 80 * megabyte)],
]

const users = (content: Buffer) => zipped({ 'userfile/userfile.json': content })

/** All of them for one route; made when they are sent, for together they are gigabytes. */
export function bombsFor({ body }: Route): { what: string; make: () => Promise<Bomb> }[] {
  if (!body) return []
  if (body === ByteStream)
    return [
      [
        'a zip of lists',
        () => users(Buffer.concat([Buffer.from('{"users":['), repeated('[],', 60 * megabyte), Buffer.from('1]}')])),
      ] as const,
      ['a zip of depth', () => users(repeated('[', 60 * megabyte))] as const,
      ['a zip of nothing', () => users(Buffer.alloc(200 * megabyte))] as const,
      ['a file of lists', () => Promise.resolve(repeated('[],', 60 * megabyte))] as const,
    ].map(([what, make]) => ({ what, make: async () => ({ what, body: await make(), headers: zip }) }))
  const name = Object.keys((body as SchemaNode).properties ?? {})[0] ?? 'x'
  const pictures = bytePaths(body as SchemaNode)
  return [
    ...Object.entries(inField).map(([what, make]) => ({ what, make: async () => ({ what, body: make(name), headers: json }) })),
    ...anywhere.map(([what, make, headers]) => ({ what, make: async () => ({ what, body: make(), headers }) })),
    ...pictures.flatMap((path) =>
      picturesInText.map(([what, make]) => ({
        what,
        make: async () => {
          const place = 'the picture'
          const value = { body: goodBody(body as SchemaNode) }
          put(value, ['body', ...path.map((part) => (part === '*' ? 0 : part))], place)
          const [before = '', after = ''] = JSON.stringify(value.body).split(place)
          return { what, body: Buffer.concat([Buffer.from(before), make(), Buffer.from(after)]), headers: json }
        },
      })),
    ),
  ]
}

function put(into: object, [first, ...rest]: readonly (string | number)[], value: string): void {
  const at = into as Record<string | number, unknown>
  if (rest.length === 0) at[first as string] = value
  else put((at[first as string] ??= typeof rest[0] === 'number' ? [] : {}) as object, rest, value)
}
