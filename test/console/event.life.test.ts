// The life of an event from the console: its dates, backups of the night, what is ready, the file for everybody, the report of
// a day, and who may order a wipe. Two nodes and two workers.
import assert from 'node:assert/strict'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { orderNightlyBackup } from '../../src/console/nightly.service.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { backupFolder, isOfNight } from '../../src/operate/backup-files.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { storedImage } from '../support/images.ts'
import { write } from '../support/microblog.ts'
import { apply } from '../support/schedule.ts'
import { endOfShipDay, shipDay } from '../support/ship-days.ts'
import { until } from '../support/until.ts'
import { unzipped } from '../support/zip.ts'

let nodes: TestNodes
let admin: Person
let tho: Person
let team: Person
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 2 })
  ;[admin, tho, team, moderator] = (await people(
    nodes,
    { level: 'admin' },
    { level: 'tho' },
    { level: 'serviceteam' },
    { level: 'moderator' },
  )) as [Person, Person, Person, Person]
})
after(() => nodes.stop())

const setTrip = (startDate: string, lengthInDays = 8, eventName = 'Seas of 2026') =>
  body(admin.one.post('/admin/event/trip', { eventName, startDate, lengthInDays }))
const life = (who = team) => body(who.two.get('/admin/event'))

describe('POST /admin/event/trip', () => {
  it('sets name and dates on all nodes, and the phase follows', async () => {
    await setTrip(shipDay(10))
    const before = await life()
    assert.deepEqual(before.trip, { eventName: 'Seas of 2026', startDate: shipDay(10), lengthInDays: 8 })
    assert.equal(before.phase, 'before')
    const { cruiseStartDate, cruiseLengthInDays } = await body(admin.two.get('/client/settings'))
    assert.equal(cruiseStartDate.slice(0, 10), shipDay(10))
    assert.equal(cruiseLengthInDays, 8)
    await setTrip(shipDay(-3))
    const during = await life()
    assert.equal(during.phase, 'during')
    // The next one at midnight.
    assert.ok([4, 5].includes(during.day), String(during.day))
    await setTrip(shipDay(-30))
    assert.equal((await life()).phase, 'after')
    const checks = await body(team.one.get('/admin/checks'))
    assert.equal(checks.find(({ name }: { name: string }) => name === 'trip').state, 'bad')
  })

  it('takes only days and lengths that there are, from admins', async () => {
    const good = { eventName: 'x', startDate: '2026-03-01', lengthInDays: 8 }
    for (const longest of [1, 366]) await setTrip(good.startDate, longest)
    for (const wrong of [{ startDate: '2026-02-31x' }, { startDate: 'yesterday!' }, { lengthInDays: 0 }, { lengthInDays: 367 }])
      await refused(admin.one.post('/admin/event/trip', { ...good, ...wrong }), 400)
    await refused(tho.one.post('/admin/event/trip', good), 403)
    await refused(moderator.one.get('/admin/event'), 403)
  })
})

describe('POST /admin/backups/schedule', () => {
  const folder = () => backupFolder(nodes.config)
  const list = () => body(admin.two.get('/admin/backups'))
  const schedule = (sent: object) => admin.one.post('/admin/backups/schedule', sent)
  const nightly = { nightly: true, hour: 4, keep: 2 }
  const backupsCheck = async () => (await body(team.one.get('/admin/checks'))).find(({ name }: { name: string }) => name === 'backups')

  it('has one made for the last night, once over all workers, and keeps so many', async () => {
    assert.equal((await list()).schedule.nightly, false)
    await mkdir(folder(), { recursive: true })
    const old = ['quarterdeck-2020-01-01.tar', 'quarterdeck-2020-01-02.tar', 'quarterdeck-2020-01-03-120000.tar']
    for (const [index, name] of old.entries()) {
      await writeFile(join(folder(), name), 'old')
      await utimes(join(folder(), name), 1_577_900_000 + index, 1_577_900_000 + index)
    }
    const [unfinished, underWay] = ['quarterdeck-2020-01-04.tar.part', 'quarterdeck-2020-01-05-120000.tar.part'] as const
    for (const name of [unfinished, underWay]) await writeFile(join(folder(), name), 'half')
    await utimes(join(folder(), unfinished), 1_577_900_000, 1_577_900_000)
    assert.match((await backupsCheck()).sentence, /older than a day/)
    const said = await body(schedule(nightly))
    assert.deepEqual(said.schedule, nightly)
    assert.ok(Date.parse(said.nextAt) > Date.now())
    await until(async () => (await list()).lastNight?.state === 'done', 'the backup of the night is there', 60_000)
    const { lastNight, backups } = await list()
    assert.match(lastNight.note, /^Backed up the database/)
    assert.equal(lastNight.askedBy, undefined)
    const names = backups.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.filter(isOfNight), [lastNight.file, 'quarterdeck-2020-01-02.tar'])
    assert.ok(names.includes('quarterdeck-2020-01-03-120000.tar'), 'one that somebody ordered stays')
    const files = await readdir(folder())
    assert.deepEqual([files.includes(unfinished), files.includes(underWay)], [false, true], 'what is left of one goes after a day')
    await rm(join(folder(), underWay))
    assert.equal((await backupsCheck()).state, 'good')

    await nodes.sql`truncate operation`
    const { node } = nodes.apps[0]!
    const ctx = () => new Ctx(node, undefined, { requestId: 'night', log: node.log })
    // Its file says that it was made.
    await orderNightlyBackup(ctx())
    assert.equal((await nodes.sql`select from operation`).length, 0)
    await rm(join(folder(), lastNight.file))
    await Promise.all(Array.from({ length: 8 }, () => orderNightlyBackup(ctx())))
    await orderNightlyBackup(ctx())
    const [{ count } = { count: 0 }] = await nodes.sql`select count(*)::int as count from operation`
    assert.equal(count, 1)
  })

  it('says that one failed, and tries again', async () => {
    await until(async () => (await list()).lastNight?.state === 'done', 'the last one has ended', 60_000)
    const { lastNight } = await list()
    await rm(join(folder(), lastNight.file))
    await mkdir(join(folder(), `${lastNight.file}.part`))
    await nodes.sql`truncate operation`
    await until(async () => (await list()).lastNight?.state === 'failed', 'it has failed', 60_000)
    const check = await backupsCheck()
    assert.equal(check.state, 'bad')
    assert.match(check.sentence, /last night failed/)
    await rm(join(folder(), `${lastNight.file}.part`), { recursive: true })
    await nodes.sql`update operation set ended_at = ended_at - interval '3 minutes'`
    await until(async () => (await list()).lastNight?.state === 'done', 'the next try has ended', 60_000)
    assert.equal((await readdir(folder())).filter(isOfNight).length, 2)
  })

  it('takes only hours and numbers that there are, from admins', async () => {
    for (const wrong of [{ hour: 24 }, { hour: -1 }, { keep: 0 }, { keep: 101 }]) await refused(schedule({ ...nightly, ...wrong }), 400)
    await refused(tho.one.post('/admin/backups/schedule', nightly), 403)
    await body(schedule({ nightly: false, hour: 4, keep: 14 }))
    assert.equal((await list()).nextAt, undefined)
  })
})

describe('GET /admin/event', () => {
  const step = async (name: string) => (await life()).steps.find((each: { name: string }) => each.name === name)

  it('says what is ready', async () => {
    await setTrip(shipDay(5))
    assert.deepEqual(await step('trip'), { name: 'trip', isDone: true, count: 8 })
    assert.equal((await step('team')).isDone, true)
    const at = `${shipDay(6)}T15:00:00Z`
    await apply(admin, [{ uid: 'one', title: 'Sail away', start: at, end: `${shipDay(6)}T16:00:00Z` }])
    assert.deepEqual(await step('schedule'), { name: 'schedule', isDone: true, count: 1 })
    await setTrip(shipDay(-60))
    assert.deepEqual(await step('schedule'), { name: 'schedule', isDone: false, count: 0 })
    assert.equal((await step('trip')).isDone, false)
    // Backups that nobody has tried are none.
    await body(admin.one.post('/admin/backups/schedule', { nightly: true, hour: 4, keep: 2 }))
    const { backups } = await body(admin.two.get('/admin/backups'))
    assert.ok(backups.every(({ verifiedAt }: { verifiedAt?: string }) => verifiedAt === undefined))
    assert.deepEqual(await step('backup'), { name: 'backup', isDone: false, count: 0 })
    await body(admin.one.post('/admin/backups/schedule', { nightly: false, hour: 4, keep: 14 }))
  })

  it('says what the day brings', async () => {
    await setTrip(shipDay(-1))
    const { openReports } = (await life()).today
    const [author] = (await people(nodes, {})) as [Person]
    await body(author.one.post(`/users/${moderator.id}/report`, { message: 'x' }), 201)
    assert.equal((await life()).today.openReports, openReports + 1)
    const displayUntil = new Date(Math.min(Date.now() + 60_000, endOfShipDay() - 1000))
    await body(team.one.post('/notification/announcement/create', { text: 'Ends soon', displayUntil }), 201)
    const { announcementsEnding } = (await life()).today
    assert.ok(announcementsEnding.some(({ text }: { text: string }) => text === 'Ends soon'))
  })

  it('counts as a farewell what is said on the last day, or shown beyond it', async () => {
    // Today is the last day.
    await setTrip(shipDay(-7))
    const farewells = async () => (await life()).end.farewells
    const before = await farewells()
    const say = (text: string, until: number) =>
      body(team.one.post('/notification/announcement/create', { text, displayUntil: new Date(until) }), 201)
    await say('Bags out by nine', Math.min(Date.now() + 60_000, endOfShipDay() - 1000))
    assert.equal(await farewells(), before + 1)
    await nodes.sql`update announcement set updated_at = updated_at - interval '3 days' where text = 'Bags out by nine'`
    assert.equal(await farewells(), before)
    await say('Thank you all', endOfShipDay() + 3 * 24 * 60 * 60_000)
    await nodes.sql`update announcement set updated_at = updated_at - interval '3 days' where text = 'Thank you all'`
    assert.equal(await farewells(), before + 1)
  })
})

describe('/admin/everybody', () => {
  it('gives each person a folder, to an admin with a fresh password', async () => {
    const [ann, bob] = (await people(nodes, { username: 'Ann-of-all' }, { username: 'Bob-of-all' })) as [Person, Person]
    await write(ann.one, 'words of Ann')
    await write(bob.one, 'words of Bob')
    const filename = storedImage(nodes)
    await nodes.sql`update account set user_image = ${filename} where id = ${ann.id}`
    for (const call of [tho.one.post('/admin/everybody'), tho.one.get('/admin/everybody?ticket=x')]) await refused(call, 403)
    await refused(admin.one.post('/admin/everybody/ticket', { currentPassword: testPassword }), 400)
    await nodes.sql`
      insert into operation (id, kind, input, state, created_at, beat_at) values (gen_random_uuid(), 'everybody', '{"file": "x"}', 'running', now(), now())`
    assert.match(await refused(admin.one.post('/admin/everybody'), 409), /being done already/)
    await nodes.sql`delete from operation where kind = 'everybody'`
    await body(admin.one.post('/admin/everybody'))
    await until(async () => (await life()).end.everybody?.state === 'done', 'the file is there', 60_000)
    assert.match((await life()).end.everybody.note, /^(\d+) of \1 people$/)
    await refused(admin.one.post('/admin/everybody/ticket', { currentPassword: 'wrong' }), 400)
    const { ticket } = await body(admin.one.post('/admin/everybody/ticket', { currentPassword: testPassword }))
    await refused(admin.one.get('/admin/everybody?ticket=nonsense'), 400)
    const { bytes } = await admin.two.file(`/admin/everybody?ticket=${ticket}`)
    const files = await unzipped(Buffer.from(bytes))
    const [own = '', other = ''] = ['Ann', 'Bob'].map((name) => files.get(`${name}-of-all/data.json`)?.toString())
    assert.match(own, /words of Ann/)
    assert.doesNotMatch(own, /words of Bob|password_hash|argon2/)
    assert.match(other, /words of Bob/)
    assert.ok(files.has(`Ann-of-all/pictures/${filename}`))
    assert.ok(![...files.keys()].some((name) => /^(admin|prometheus)\//.test(name)), 'built-in accounts are no people')
    const paths = [...files.keys()].filter((name) => name.endsWith('/data.json'))
    const [{ persons } = { persons: 0 }] = await nodes.sql`
      select count(distinct person_id)::int as persons from account where not special and level <> 'client'`
    assert.equal(paths.length, persons)
  })
})

describe('GET /admin/report', () => {
  it('adds up a day, hour by hour', async () => {
    await nodes.sql`truncate figure`
    await nodes.sql`
      insert into figure select '2025-03-04T15:00Z'::timestamptz + minutes * interval '1 minute', minutes, 10, 1, 2, 5, 50, 1, 0, 100, 2048
      from generate_series(0, 89) as minutes`
    const report = await body(team.one.get('/admin/report?date=2025-03-04'))
    assert.deepEqual(
      report.hours.map(({ online, posts, requests, errors }: Record<string, number>) => [online, posts, requests, errors]),
      [
        [59, 120, 600, 60],
        [89, 60, 300, 30],
      ],
    )
    const { mostOnline, posts, requests, errors, diskFreeMb, date } = report
    assert.deepEqual(
      { mostOnline, posts, requests, errors, diskFreeMb, date },
      {
        mostOnline: 89,
        posts: 180,
        requests: 900,
        errors: 90,
        diskFreeMb: 2048,
        date: '2025-03-04',
      },
    )
    assert.equal((await body(team.one.get('/admin/report?date=2025-03-06'))).hours.length, 0)
    for (const date of ['2025-13-01', 'tomorrow']) await refused(team.one.get(`/admin/report?date=${date}`), 400)
    await refused(moderator.one.get('/admin/report'), 403)
    assert.ok((await body(team.one.get('/admin/report'))).newPeople >= 4)
  })

  it('counts what was from midnight on, and nothing of the next midnight', async () => {
    const report = () => body(team.one.get('/admin/report?date=2024-06-01'))
    const { from, to, reportsOpen } = await report()
    const moments = [from, to].flatMap((at) => [new Date(Date.parse(at) - 1), new Date(at)])
    const newcomers = await people(nodes, {}, {}, {}, {})
    for (const [index, { id }] of newcomers.entries()) {
      const at = moments[index] as Date
      await nodes.sql`update account set created_at = ${at} where id = ${id}`
      await nodes.sql`
        insert into report (id, type, reported_id, reported_user_id, author_id, message, is_closed, created_at, updated_at)
        select gen_random_uuid(), 'forum', gen_random_uuid()::text, ${id}, ${id}, '', closed, ${at}, ${at} from unnest(array[true, false]) as closed`
      await nodes.sql`
        insert into audit (actor_id, action, subject_type, subject_id, user_id, details, request_id, created_at)
        select ${admin.id}, action, 'user', ${id}, ${id}, '{}', '', ${at} from unnest(array['ban', 'unban']) as action`
      await nodes.sql`
        insert into operation (id, kind, input, state, created_at, ended_at) values (gen_random_uuid(), 'backup', '{"file": "x"}', 'done', ${at}, ${at})`
    }
    // Of many nights since.
    await nodes.sql`
      insert into operation (id, kind, input, state, created_at, ended_at)
      select gen_random_uuid(), 'backup', '{"file": "x"}', 'done', night, night from generate_series(${to}::timestamptz, ${to}::timestamptz + interval '150 days', '1 day') as night`
    const { newPeople, reportsFiled, reportsHandled, bans, ...more } = await report()
    assert.deepEqual({ newPeople, reportsFiled, reportsHandled, bans }, { newPeople: 2, reportsFiled: 4, reportsHandled: 2, bans: 2 })
    assert.equal(more.reportsOpen - reportsOpen, 3)
    assert.deepEqual(
      more.backups.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt)),
      [Date.parse(to) - 1, Date.parse(from)],
    )
    await nodes.sql`delete from report`
    await nodes.sql`delete from operation where kind = 'backup'`
  })

  it('says which day of the event it was, of the days that it had', async () => {
    await setTrip('2025-03-01', 3)
    const dayOn = async (date: string) => (await body(team.one.get(`/admin/report?date=${date}`))).day
    assert.deepEqual(await Promise.all(['2025-02-28', '2025-03-01', '2025-03-03', '2025-03-04'].map(dayOn)), [undefined, 1, 3, undefined])
  })
})

describe('POST /admin/wipe', () => {
  it('is ordered only by an admin who knows the name of the event and their password, while nothing else is under way', async () => {
    const order = (sent: object, who = admin) => who.one.post('/admin/wipe', sent)
    const good = { eventName: 'Seas of 2026', currentPassword: testPassword }
    await setTrip(shipDay(-30))
    await refused(order(good, tho), 403)
    await refused(tho.one.get('/admin/wipe'), 403)
    await refused(order({ ...good, currentPassword: 'wrong' }), 400)
    await refused(order({ ...good, eventName: 'seas of 2026' }), 400)
    await setTrip(shipDay(-30), 8, '')
    for (const eventName of ['', 'Seas of 2026']) await refused(order({ ...good, eventName }), 400)
    await setTrip(shipDay(-30))
    await nodes.sql`
      insert into operation (id, kind, input, state, asked_by, created_at, beat_at)
      values (gen_random_uuid(), 'backup', '{"file":"quarterdeck-x.tar"}', 'running', ${admin.id}, now(), now())`
    await refused(order(good), 409)
    await nodes.sql`truncate operation`
    assert.equal((await body(admin.two.get('/admin/wipe'))).state, 'none')
    await body(order(good))
    assert.equal((await body(admin.two.get('/admin/wipe'))).state, 'ordered')
    await refused(order(good), 409)
  })
})
