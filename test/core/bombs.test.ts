// Small uploads that unpack, or parse, to something very large: refused soon, in little memory, while others are served.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { people, refused, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'
import { longestTurnOf } from '../support/turns.ts'
import { repeated, zipped } from '../support/zip.ts'

let nodes: TestNodes
let admin: Person
let user: Person
before(async () => {
  nodes = await startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } })
  ;[admin, user] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
})
after(() => nodes.stop())

const megabyte = 1024 * 1024
// In a server of its own the loop stands still for less than 50 ms; here it shares its process with the client. Without bounds these take seconds, and gigabytes.
const longestTurnMs = 500
const mostMemory = 200 * megabyte

/** Sends a bomb: a 400 that says why, with the server at work meanwhile. */
async function bomb(send: () => Promise<Answer>, reason: RegExp): Promise<void> {
  const before = process.memoryUsage().rss
  let peak = before
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  const beganMs = performance.now()
  const { result, turnMs } = await longestTurnOf(() => refused(send(), 400)).finally(() => clearInterval(watching))
  assert.match(result, reason)
  const tookMs = performance.now() - beganMs
  assert.ok(tookMs < 10_000, `answered only after ${tookMs} ms`)
  assert.ok(turnMs < longestTurnMs, `the loop stood still for ${turnMs} ms`)
  assert.ok(peak - before < mostMemory, `took ${(peak - before) / megabyte} MB`)
}

const users = (...parts: (Buffer | string)[]) =>
  Buffer.concat([Buffer.from('{"users":['), ...parts.map((part) => Buffer.from(part)), Buffer.from(']}')])

const records: Record<string, [() => Buffer, RegExp]> = {
  'millions of records': [() => users(repeated('{},', 60 * megabyte), '{}'), /more than 20000 records/],
  'records that are lists': [() => users(repeated('[],', 60 * megabyte), '1'), /more than 20000 records/],
  'one record with millions of values': [() => users('[', repeated('1,', 60 * megabyte), '1]'), /a record of more than/],
  'values in many records': [() => users(repeated(`[${'1,'.repeat(999)}1],`, 60 * megabyte), '1'), /more than \d+ (records|values)/],
  'a record without an end': [() => users(repeated('[', 60 * megabyte)), /a record of more than/],
  'a text without an end': [() => users('"', repeated('x', 60 * megabyte), '"'), /a record of more than/],
  'millions of fields': [() => Buffer.concat([Buffer.from('{'), repeated('"a":1,', 60 * megabyte), Buffer.from('"a":1}')]), /fields/],
}
for (const [what, [content, reason]] of Object.entries(records)) {
  test(`POST /admin/bulkuserfile/upload: ${what}`, async () => {
    await onlySettings(nodes, { minAccessUserLevel: 'admin' })
    const file = await zipped({ 'userfile/userfile.json': content() })
    assert.ok(file.length < megabyte)
    await bomb(() => admin.one.post('/admin/bulkuserfile/upload', file), reason)
  })
}

test('POST /admin/bulkuserfile/upload: pictures that grow', async () => {
  await onlySettings(nodes, { minAccessUserLevel: 'admin' })
  const file = await zipped({ 'userfile/userfile.json': users(), 'userfile/userImages/a.png': Buffer.alloc(300 * megabyte) })
  await bomb(() => admin.one.post('/admin/bulkuserfile/upload', file), /grows too much/)
})

const form = { headers: { 'content-type': 'multipart/form-data; boundary=b' } }
const part = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n'
const forms: Record<string, [() => Buffer, RegExp]> = {
  'nothing but boundaries': [() => repeated('--b\r\n', 9 * megabyte), /too many parts/],
  'millions of parts': [() => repeated(part, 9 * megabyte), /too many parts/],
  'what nearly is a boundary': [() => Buffer.concat([Buffer.from('--b\r\n'), repeated('\r\n--', 9 * megabyte)]), /not well-formed|must/],
  'headers without an end': [() => Buffer.concat([Buffer.from('--b\r\n'), repeated('a: b\r\n', 9 * megabyte)]), /not well-formed|must/],
}
for (const [what, [content, reason]] of Object.entries(forms)) {
  test(`a form of ${what}`, async () => {
    await onlySettings(nodes, {})
    await bomb(() => user.one.post('/fez/create', content(), form), reason)
  })
}

for (const [what, text] of [
  ['lists', '[],'],
  ['numbers', '1,'],
  ['depth', '['],
] as const) {
  test(`a body of ${what}`, async () => {
    await onlySettings(nodes, {})
    const json = Buffer.concat([Buffer.from('{"participants":['), repeated(text, 9 * megabyte), Buffer.from('1]}')])
    await bomb(() => user.one.post('/personalevents/create', json, { headers: { 'content-type': 'application/json' } }), /too many values/)
  })
}

for (const [count, megabytes] of [
  [1, 100],
  [8, 15],
  [500, 0.2],
] as const) {
  test(`POST /microblog/create: ${count} pictures, ${count * megabytes} MB together`, async () => {
    await onlySettings(nodes, {})
    const picture = repeated('AAAA', megabytes * megabyte).toString('latin1')
    const body = Buffer.from(JSON.stringify({ text: 'x', images: Array.from({ length: count }, () => ({ image: picture })) }))
    await bomb(
      () => user.one.post('/microblog/create', body, { headers: { 'content-type': 'application/json' } }),
      /at most|must be smaller than/,
    )
  })
}

/** One name in five thousand spellings. */
const spelledDifferently = () =>
  Array.from({ length: 5000 }, (_, number) => {
    const zone = [...'america/new_york'].map((letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join('')
    return `BEGIN:VEVENT\nUID:${number}\nSUMMARY:x\nDTSTART;TZID=${zone}:20260101T100000\nDTEND;TZID=${zone}:20260101T110000\nEND:VEVENT\n`
  }).join('')
const calendars: Record<string, [() => string, RegExp]> = {
  'a line of spaces': [() => `BEGIN:VEVENT\nBEGIN:${' '.repeat(49_000)}x y`, /Line \d/],
  'millions of empty lines': [() => `BEGIN:VEVENT${'\n'.repeat(4_000_000)}END:VALARM`, /Line 4000002/],
  'a line without an end': [() => `BEGIN:VEVENT\nSUMMARY:x${'\n x'.repeat(1_000_000)}`, /too long/],
  'spellings of a time zone': [() => `${spelledDifferently()}BEGIN:VEVENT\nUID:x\nEND:VEVENT`, /no SUMMARY/],
}
for (const [what, [lines, reason]] of Object.entries(calendars)) {
  test(`POST /events/update: ${what}`, async () => {
    await onlySettings(nodes, {})
    const schedule = `BEGIN:VCALENDAR\n${lines()}\nEND:VCALENDAR`
    await bomb(() => admin.one.post('/events/update', { schedule }), reason)
  })
}
