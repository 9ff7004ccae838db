// /admin/timezonechanges: the trip's zones, read from a file. Two nodes on one database.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'

let nodes: TestNodes
const clock = new LeapingClock()
let admin: Person
let tho: Person
const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-seeds-'))
before(async () => {
  clock.leap(Date.parse('2026-01-02T12:00:00Z') - clock.now())
  nodes = await startTestNodes(2, { clock, env: { PRIVATE_SEEDS_DIR: directory } })
  ;[admin, tho] = (await people(nodes, { level: 'admin' }, { level: 'tho' })) as [Person, Person]
})
after(async () => {
  await nodes.stop()
  rmSync(directory, { recursive: true })
})

const file = join(directory, 'time-zone-changes.txt')
const two = '# a comment\n20260101T000000Z\tPST\tAmerica/Los_Angeles\n20260103T080000Z\tMST\tAmerica/Mazatlan\n'
const read = (client: Client) => body(client.get('/admin/timezonechanges'))
const reload = (client: Client) => client.post('/admin/timezonechanges/reloadtzdata')
const zones = async (client: Client): Promise<string[]> =>
  (await read(client)).records.map(({ timeZoneID }: { timeZoneID: string }) => timeZoneID)

beforeEach(async () => {
  writeFileSync(file, two)
  await body(reload(admin.one))
})

describe('GET /admin/timezonechanges', () => {
  it('shows all changes in order of time and the zone in force, to everybody, on every node', async () => {
    for (const node of [0, 1]) {
      for (const client of [nodes.client(undefined, node), nodes.client('A'.repeat(24), node), tho.clients[node] as Client]) {
        assert.deepEqual(await read(client), {
          records: [
            { activeDate: '2026-01-01T00:00:00.000Z', timeZoneAbbrev: 'PST', timeZoneID: 'America/Los_Angeles' },
            { activeDate: '2026-01-03T08:00:00.000Z', timeZoneAbbrev: 'MST', timeZoneID: 'America/Mazatlan' },
          ],
          currentTimeZoneAbbrev: 'PST',
          currentTimeZoneID: 'America/Los_Angeles',
          currentOffsetSeconds: -8 * 3600,
        })
      }
    }
  })

  it('is 304 until something changes', async () => {
    const { headers } = await nodes.client().get('/admin/timezonechanges')
    const again = () => nodes.client(undefined, 1).get('/admin/timezonechanges', { headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal((await again()).status, 304)
    writeFileSync(file, '20260101T000000Z\tPST\tAmerica/Los_Angeles\n')
    await body(reload(admin.one))
    assert.equal((await again()).status, 200)
  })
})

describe('POST /admin/timezonechanges/reloadtzdata', () => {
  it('replaces all changes, in force on all nodes when it is answered', async () => {
    writeFileSync(file, '20251201T000000Z\t-4\tAST\r\n20260103T080000Z\t+1\tXYZ\r\nnonsense\r\n')
    assert.deepEqual(await body(reload(admin.two)), { changes: 2 })
    for (const client of tho.clients) {
      assert.deepEqual(await zones(client), ['America/Halifax', 'Etc/GMT-1'])
      assert.equal((await read(client)).currentOffsetSeconds, -4 * 3600)
      assert.equal((await body(client.get('/notification/user'))).serverTimeOffset, -4 * 3600)
    }
    const [entry] = await nodes.sql`select actor_id, action, subject_type, details from audit order by id desc limit 1`
    assert.deepEqual(entry, { actorId: admin.id, action: 'reloadTimeZoneChanges', subjectType: 'timeZoneChanges', details: { changes: 2 } })
  })

  it('keeps the offset that a line names, whatever its abbreviation', async () => {
    for (const [lines, zoneId, abbreviation, hours] of [
      // Daylight saving time may be over, or not begun, where the letters come from.
      ['20250701T000000Z\t-4\tEST', 'Etc/GMT+4', 'EST', -4],
      ['20250101T000000Z\t-4\tEST', 'Etc/GMT+4', 'EST', -4],
      ['20250701T000000Z\t-4\tAST', 'Etc/GMT+4', 'AST', -4],
      ['20250701T000000Z\t-5\tEST', 'Etc/GMT+5', 'EST', -5],
      ['20250101T000000Z\t-4\tAST', 'Etc/GMT+4', 'AST', -4],
      ['20250101T000000Z\t-4\tAST\n20270101T000000Z\tEST\tAmerica/New_York', 'Etc/GMT+4', 'AST', -4],
      ['20251201T000000Z\t-4\tAST\n20260201T000000Z\tEST\tAmerica/New_York', 'America/Halifax', 'AST', -4],
      ['20251201T000000Z\t-5\tEST', 'America/New_York', 'EST', -5],
      // Parts of hours.
      ['20251201T000000Z\t-3.5\tNST', 'America/St_Johns', 'NST', -3.5],
      ['20250701T000000Z\t-3.5\tNST', 'UTC-3:30', 'NST', -3.5],
      ['20251201T000000Z\t+5.75\tNPT', 'Asia/Katmandu', 'NPT', 5.75],
      ['20251201T000000Z\t9.5\tACST', 'Australia/Darwin', 'ACST', 9.5],
      ['20251201T000000Z\t0\tUTC', 'UTC', 'UTC', 0],
      ['20251201T000000Z\t+14\tLINT', 'Etc/GMT-14', 'LINT', 14],
    ] as const) {
      writeFileSync(file, `${lines}\n`)
      assert.deepEqual(await body(reload(admin.one)), { changes: lines.split('\n').length }, lines)
      const { records, ...current } = await read(tho.two)
      assert.equal(records[0].timeZoneID, zoneId, lines)
      assert.deepEqual(
        current,
        { currentTimeZoneID: zoneId, currentTimeZoneAbbrev: abbreviation, currentOffsetSeconds: hours * 3600 },
        lines,
      )
    }
  })

  it('keeps the old changes when the file is bad, and says what is wrong', async () => {
    for (const [text, reason] of [
      ['20260101T000000Z\tXYZ\tNowhere/Land\n', /Nowhere\/Land/],
      ['', /no change/],
      ['# nothing\n', /no change/],
      [`${two}20260105T000000Z\tXYZ\tbroken\n`, /broken.* line 4/],
      ['20260101T000000Z\t-13\tXYZ\n', /GMT\+13/],
      ['20260101T000000Z\t+14.5\tXYZ\n', /UTC\+14:30/],
    ] as const) {
      writeFileSync(file, text)
      const said = await refused(reload(admin.one), 500)
      assert.match(said, reason)
      assert.match(said, /time-zone-changes\.txt/)
      for (const client of tho.clients) assert.deepEqual(await zones(client), ['America/Los_Angeles', 'America/Mazatlan'])
    }
  })

  it('reads the file of the program when the operator has none', async () => {
    rmSync(file)
    await body(reload(admin.one))
    assert.deepEqual(await zones(tho.two), ['America/Puerto_Rico', 'America/New_York'])
  })

  it('may be asked for by several at once', async () => {
    for (const answer of await Promise.all([...admin.clients, ...admin.clients, ...admin.clients].map(reload)))
      assert.equal(answer.status, 200)
    assert.deepEqual(await zones(tho.two), ['America/Los_Angeles', 'America/Mazatlan'])
  })

  it('is for admins', async () => {
    await refused(reload(nodes.client()), 401)
    await refused(reload(tho.one), 403)
  })
})
