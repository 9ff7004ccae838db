// Performers: who they are, who appears where, the pages that users make of themselves, and what the team uploads. Two nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { nameKey, sheetTime, titleKey } from '../../src/performers/rules.ts'
import { Trip } from '../../src/settings/trip.ts'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { storedImage } from '../support/images.ts'
import { jobsDone } from '../support/jobs.ts'
import { hold } from '../support/locks.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { disable, onlySettings } from '../support/settings.ts'
import { sheetFile } from '../support/sheets.ts'
import { countStatements } from '../support/statements.ts'
import { repeated, zipped } from '../support/zip.ts'

interface Header {
  id?: string
  name: string
  photo?: string
  isOfficialPerformer: boolean
}
interface Performer {
  header: Header
  yearsAttended: number[]
  alternativeNames?: string[]
  bio?: string
  website?: string
  pronouns?: string
  scrapedEventRefs: unknown[]
  events: { uid: string; performers: Header[] }[]
  user?: { userID: string }
}

// The trip: Sunday 2 March to 9 March 2025, New York (UTC-5).
const at = (day: number, time: string) => new Date(`2025-03-0${day}T${time}:00-05:00`).toISOString()
const event = (uid: string, title: string, category: string, day: number, from: string, to: string): Listed => ({
  uid,
  title,
  category,
  location: 'Library',
  start: at(day, from),
  end: at(day, to),
})
const schedule: Listed[] = [
  event('concert', 'The Main Concert', 'MAIN CONCERT', 3, '19:00', '21:00'),
  event('quoted', 'An Evening with “Big” Néd', 'READING', 3, '19:00', '20:00'),
  event('panel', 'Ask us', 'PANEL', 4, '07:00', '08:00'),
  event('twin1', 'Twins', 'GENERAL INFO', 5, '10:00', '11:00'),
  event('twin2', 'TWINS', 'GENERAL INFO', 5, '10:00', '11:00'),
  ...Array.from({ length: 8 }, (_none, index) => event(`shadow${index}`, `Knitting ${index}`, 'SHADOW CRUISE', 6, '10:00', '11:00')),
  event('workshop', 'Pottery', 'WORKSHOP', 6, '12:00', '13:00'),
]

let nodes: TestNodes
let team: Person
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1, env: { WRITES_PER_MINUTE: '0' } })
  ;[team, admin] = (await people(nodes, { level: 'serviceteam' }, { level: 'admin' })) as [Person, Person]
  await apply(admin, schedule)
})
after(() => nodes.stop())
beforeEach(async () => {
  await nodes.sql`delete from performer_event`
  await nodes.sql`delete from performer`
  await nodes.sql`delete from performer_upload`
  await changed()
  await onlySettings(nodes, { enablePreregistration: true })
})

/** After a change by SQL. */
async function changed(): Promise<void> {
  await nodes.sql`insert into performer_change values (true, 1) on conflict (only_one) do update set version = performer_change.version + 1`
  await nodes.apps[0]?.node.channels.publishConfirmed('lineup', 'all', { type: 'changed' })
}
const upload = (more: object = {}) => ({
  name: 'Ada Lovelace',
  photo: {},
  isOfficialPerformer: false,
  yearsAttended: [],
  eventUIDs: [],
  ...more,
})
const anybody = () => nodes.client(undefined, 1)
const eventOf = (uid: string, client = anybody()): Promise<{ eventID: string; performers: Header[] }> => body(client.get(`/events/${uid}`))
const idOf = async (uid: string) => (await eventOf(uid)).eventID
const performersAt = async (uid: string, client = anybody()) => (await eventOf(uid, client)).performers.map(({ name }) => name)
const official = async (query = ''): Promise<Header[]> => (await body(anybody().get(`/performer/official${query}`))).performers
const shadow = async (query = ''): Promise<Header[]> => (await body(anybody().get(`/performer/shadow${query}`))).performers
const one = (id: string | undefined, client = anybody()): Promise<Performer> => body(client.get(`/performer/${id}`))
const self = (who: Person): Promise<Performer> => body(who.two.get('/performer/self'))
const claim = (who: Person, eventID: string, more: object = {}, client = who.one) =>
  client.post(`/performer/forevent/${eventID}`, upload(more))
const upsert = (more: object = {}) => body(team.one.post('/admin/performer/upsert', upload({ isOfficialPerformer: true, ...more })))
const named = async (name: string) => (await official()).find((each) => each.name === name) ?? assert.fail(`no ${name}`)
/** Users with a registration code. */
async function organisers(...wanted: Parameters<typeof people>[1][]): Promise<Person[]> {
  const made = await people(nodes, ...wanted)
  for (const { personId } of made)
    await nodes.sql`insert into registration_code (code, person_id) values (${randomUUID().slice(0, 8)}, ${personId}) on conflict do nothing`
  return made
}
const organiser = async (options: Parameters<typeof people>[1] = {}) => (await organisers(options))[0] as Person

describe('rules', () => {
  it('names are in the order of their last words', () => {
    assert.deepEqual(['Ada Lovelace', ' Émile  Zola ', 'Cher', 'X Ångström'].map(nameKey), ['lovelace', 'zola', 'cher', 'angstrom'])
  })

  it('titles of spreadsheets are compared without quotes, case, accents and kinds of spaces', () => {
    for (const title of ['An Evening with  Ned', 'an evening with “Big” Néd', 'AN EVENING WITH "x" NED', 'An\u00a0Evening with Ned'])
      assert.equal(titleKey(title), 'an evening with ned')
    assert.equal(titleKey('Don’t'), titleKey("don't"))
  })

  it('days and times of spreadsheets are the next ones after the trip begins', () => {
    const trip = new Trip({ portZone: 'America/New_York', startDate: '2025-03-02', lengthInDays: 8, changes: [] })
    const time = (day: string, start: string) => sheetTime(trip, day, start)?.toISOString()
    assert.equal(time('Sun', '3:05pm'), at(2, '15:05'))
    assert.equal(time('Mon', '12:00am'), at(3, '00:00'))
    assert.equal(time('sat', '12:30 PM'), at(8, '12:30'))
    assert.equal(time('Tue', 'All Day'), at(4, '07:00'))
    // That moment is the beginning itself; the next one is a week later, in summer time.
    assert.equal(time('Sun', '12:00am'), '2025-03-09T05:00:00.000Z')
    for (const [day, start] of [
      ['Sunday', '3:05pm'],
      ['', '3:05pm'],
      ['Sun', '15:05'],
      ['Sun', '13:05pm'],
      ['Sun', '0:05pm'],
      ['Sun', '3:75pm'],
      ['Sun', ''],
    ] as const)
      assert.equal(time(day, start), undefined)
  })
})

describe('GET /performer/official and /performer/shadow', () => {
  it('list by the last word of names, in pages, for everybody', async () => {
    for (const name of ['Zoe Abel', 'Ada Lovelace', 'Émile Zola', 'Cher']) await upsert({ name })
    await upsert({ name: 'Not Official', isOfficialPerformer: false })
    assert.deepEqual(
      (await official()).map(({ name }) => name),
      ['Zoe Abel', 'Cher', 'Ada Lovelace', 'Émile Zola'],
    )
    assert.deepEqual(await body(anybody().get('/performer/official?start=1&limit=2')), {
      performers: (await official()).slice(1, 3),
      paginator: { total: 4, start: 1, limit: 2 },
    })
    assert.deepEqual((await body(anybody().get('/performer/official?start=x&limit=y'))).paginator, { total: 4, start: 0, limit: 50 })
    assert.deepEqual((await body(anybody().get('/performer/shadow?limit=500'))).paginator, { total: 1, start: 0, limit: 200 })
    assert.deepEqual((await body(anybody().get('/performer/shadow'))).paginator, { total: 1, start: 0, limit: 100 })
    assert.deepEqual(Object.keys((await official())[0] ?? {}).toSorted(), ['id', 'isOfficialPerformer', 'name'])
  })

  it('find words in names, organisations, titles, biographies and further names; blanks find all', async () => {
    await upsert({ name: 'Ada Lovelace', organization: 'Analytical Society', title: 'Countess', bio: 'Writes about looms.' })
    await upsert({ name: 'Grace Hopper', bio: 'Sails ships.' })
    const { id } = (await official()).find(({ name }) => name === 'Grace Hopper') as Header
    await nodes.sql`update performer set alternative_names = '{Amazing Grace}' where id = ${id as string}`
    await changed()
    const found = async (words: string) => (await official(`?search=${encodeURIComponent(words)}`)).map(({ name }) => name)
    for (const [words, names] of [
      ['lovelace', ['Ada Lovelace']],
      ['society', ['Ada Lovelace']],
      ['countess', ['Ada Lovelace']],
      ['loom', ['Ada Lovelace']],
      ['amazing', ['Grace Hopper']],
      ['sail ship', ['Grace Hopper']],
      ['nobody', []],
      [' ', ['Grace Hopper', 'Ada Lovelace']],
    ] as const)
      assert.deepEqual(await found(words), names, words)
    assert.deepEqual((await body(anybody().get('/performer/official?search=sail&limit=1'))).paginator, { total: 1, start: 0, limit: 1 })
    assert.deepEqual(await body(anybody().get('/performer/shadow?search=sail')), {
      performers: [],
      paginator: { total: 0, start: 0, limit: 100 },
    })
    await refused(anybody().get(`/performer/official?search=${'x'.repeat(201)}`), 400)
  })

  it('leave out users who are banned', async () => {
    const [anna, bert] = (await organisers({}, {})) as [Person, Person]
    await body(claim(anna, await idOf('shadow0'), { name: 'Anna' }))
    await body(claim(bert, await idOf('shadow0'), { name: 'Bert' }))
    const { id } = (await self(bert)).header
    await body(admin.one.post(`/mod/user/${bert.id}/setaccesslevel/banned`))
    assert.deepEqual(
      (await shadow()).map(({ name }) => name),
      ['Anna'],
    )
    assert.equal((await one(id)).header.name, 'Bert')
  })
})

describe('GET /performer/:performer_id', () => {
  it('shows everything about a performer, and whose page it is to moderators and the owner', async () => {
    const [anna, reader, moderator] = (await organisers({}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const more = {
      name: '  Anna B.  ',
      bio: '**Knits**',
      website: 'https://knit.example',
      yearsAttended: [2024, 2019, 2024],
      alternativeNames: ['Annie'],
    }
    await body(claim(anna, await idOf('shadow1'), { ...more, isOfficialPerformer: true, eventUIDs: ['concert'] }))
    const own = await self(anna)
    const { header, events, user, ...rest } = own
    assert.deepEqual(header, { id: header.id, name: 'Anna B.', isOfficialPerformer: false })
    assert.deepEqual(rest, {
      bio: '**Knits**',
      website: 'https://knit.example',
      yearsAttended: [2019, 2024],
      alternativeNames: ['Annie'],
      scrapedEventRefs: [],
    })
    assert.deepEqual(
      events.map(({ uid, performers }) => [uid, performers]),
      [['shadow1', [header]]],
    )
    assert.equal(user?.userID, anna.id)
    for (const client of [anybody(), reader.one]) assert.deepEqual(await one(header.id, client), { header, events, ...rest })
    for (const client of [moderator.one, anna.one]) assert.equal((await one(header.id, client)).user?.userID, anna.id)
  })

  it('refuses unknown and deleted ones alike', async () => {
    await upsert()
    const { id } = await named('Ada Lovelace')
    await body(team.one.request('DELETE', `/admin/performer/${id}`))
    assert.equal(await refused(anybody().get(`/performer/${id}`), 400), await refused(anybody().get(`/performer/${randomUUID()}`), 400))
    await refused(anybody().get('/performer/nonsense'), 400)
  })

  it('a caller without a page gets an empty one', async () => {
    assert.deepEqual(await self(await organiser()), {
      header: { name: '', isOfficialPerformer: false },
      yearsAttended: [],
      scrapedEventRefs: [],
      events: [],
    })
  })
})

describe('POST /performer/forevent/:event_id', () => {
  it('refuses in the order of the reference', async () => {
    const [anna] = (await people(nodes, {})) as [Person]
    const [shadowEvent, concert] = await Promise.all([idOf('shadow0'), idOf('concert')])
    assert.match(await refused(claim(anna, concert), 400), /registration code/)
    await nodes.sql`insert into registration_code (code, person_id, for_chat_user) values (${anna.id.slice(0, 8)}, ${anna.id}, true)`
    assert.match(await refused(claim(anna, shadowEvent), 400), /chat/)
    await nodes.sql`update registration_code set for_chat_user = false where person_id = ${anna.id}`
    await onlySettings(nodes)
    assert.match(await refused(claim(anna, concert), 403), /pre-registration/)
    await onlySettings(nodes, { enablePreregistration: true })
    await refused(claim(anna, randomUUID()), 400)
    await refused(anna.one.post('/performer/forevent/nonsense', upload()), 400)
    await nodes.sql`update event set deleted_at = now() where id = ${shadowEvent}`
    await refused(claim(anna, shadowEvent), 400)
    await nodes.sql`update event set deleted_at = null where id = ${shadowEvent}`
    assert.match(await refused(claim(anna, concert), 400), /shadow events and workshops/)
    await upsert()
    await nodes.sql`insert into performer_event select performer.id, event.id from performer, event where event.uid = 'workshop'`
    await changed()
    assert.match(await refused(claim(anna, await idOf('workshop')), 400), /official performer/)
    assert.deepEqual((await self(anna)).header.id, undefined)
  })

  it('users of the chat may with the role, which also stands in for pre-registration', async () => {
    const [anna] = (await people(nodes, { roles: ['performerselfeditor'] })) as [Person]
    await nodes.sql`insert into registration_code (code, person_id, for_chat_user) values (${anna.id.slice(0, 8)}, ${anna.id}, true)`
    await onlySettings(nodes)
    await body(claim(anna, await idOf('shadow0')))
    assert.deepEqual(await performersAt('shadow0'), ['Ada Lovelace'])
  })

  it('needs the rights to write', async () => {
    const quarantined = await organiser({ level: 'quarantined' })
    await refused(claim(quarantined, await idOf('shadow0')), 403)
    const later = await organiser({ tempQuarantineUntil: new Date(Date.now() + 3_600_000) })
    await refused(claim(later, await idOf('shadow0')), 403)
  })

  it('names the field that is wrong', async () => {
    const anna = await organiser()
    const id = await idOf('shadow0')
    const fieldsOf = async (more: object) => Object.keys((await body(claim(anna, id, more), 400)).fieldErrors)
    assert.deepEqual(await fieldsOf({ name: '  ' }), ['name'])
    assert.deepEqual(await fieldsOf({ bio: 'x'.repeat(20_001) }), ['bio'])
    assert.deepEqual((await fieldsOf({ photo: { filename: `${randomUUID()}.jpg` } })).includes('photo.filename'), true)
    await refused(anna.one.post(`/performer/forevent/${id}`, { name: 'Anna' }), 400)
  })

  it('links at most six events, changes the page each time, and revives a deleted one', async () => {
    const anna = await organiser()
    const ids = await Promise.all(Array.from({ length: 8 }, (_none, index) => idOf(`shadow${index}`)))
    for (const [index, id] of ids.slice(0, 6).entries()) await body(claim(anna, id, { name: `Anna ${index}` }))
    const before = await self(anna)
    assert.equal(before.header.name, 'Anna 5')
    assert.equal(before.events.length, 6)
    assert.match(await refused(claim(anna, ids[6] as string), 400), /6 events/)
    // A limit before the call, whichever event it is about.
    await refused(claim(anna, ids[0] as string), 400)
    await body(anna.one.request('DELETE', '/performer/self'))
    assert.deepEqual(await performersAt('shadow0'), [])
    await body(claim(anna, ids[6] as string, { name: 'Anna again' }))
    const again = await self(anna)
    assert.equal(again.header.id, before.header.id)
    assert.deepEqual(
      again.events.map(({ uid }) => uid),
      ['shadow6'],
    )
  })

  it('keeps the photo that is named, and puts the old one away', async () => {
    const anna = await organiser()
    const [first, second] = [storedImage(nodes), storedImage(nodes)]
    await body(claim(anna, await idOf('shadow0'), { photo: { filename: first } }))
    assert.equal((await self(anna)).header.photo, first)
    await body(claim(anna, await idOf('shadow0'), { photo: { filename: second } }))
    assert.equal((await self(anna)).header.photo, second)
    await refused(anybody().get(`/image/full/${first}`), 400)
    assert.equal((await anybody().file(`/image/full/${second}`)).status, 200)
    await body(claim(anna, await idOf('shadow0')))
    assert.equal((await self(anna)).header.photo, undefined)
  })

  it('raced by fifty users on two nodes, both nodes show all of them once', async () => {
    const all = await organisers(...Array.from({ length: 50 }, () => ({})))
    const id = await idOf('shadow0')
    const answers = await Promise.all(all.map((who, index) => claim(who, id, { name: `Name ${index}` }, index % 2 ? who.one : who.two)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const shown = await Promise.all([0, 1].map(async (node) => (await eventOf('shadow0', nodes.client(undefined, node))).performers))
    assert.deepEqual(shown[0], shown[1])
    assert.deepEqual(shown[0]?.map(({ name }) => name).toSorted(), all.map((_who, index) => `Name ${index}`).toSorted())
  })

  it('raced by fifty calls of one user, six events are theirs', async () => {
    const anna = await organiser()
    const ids = await Promise.all(Array.from({ length: 8 }, (_none, index) => idOf(`shadow${index}`)))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => claim(anna, ids[index % 8] as string, {}, index % 2 ? anna.one : anna.two)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 400])
    const own = await self(anna)
    assert.equal(own.events.length, 6)
    for (const client of [nodes.client(undefined, 0), nodes.client(undefined, 1)]) {
      const listed: { uid: string; performers: Header[] }[] = await body(client.get('/events'))
      assert.deepEqual(
        listed.filter(({ performers }) => performers.length > 0).map(({ uid, performers }) => [uid, performers.length]),
        own.events.map(({ uid }) => [uid, 1]),
      )
    }
    assert.equal((await nodes.sql`select from performer`).length, 1)
  })
})

describe('taking back', () => {
  it('refuses somebody who was quarantined while their photo was waited for', async () => {
    const anna = await organiser()
    const filename = storedImage(nodes)
    const lock = await hold(nodes.database.url, `select pg_advisory_xact_lock(hashtextextended('${filename}', 0))`)
    const answer = claim(anna, await idOf('shadow0'), { photo: { filename } })
    await lock.awaited()
    await body(team.two.post(`/mod/user/${anna.id}/tempquarantine/1`))
    await lock.release()
    await refused(answer, 403)
    assert.equal((await body(anna.two.get('/performer/self'))).header.name, '')
  })

  it('DELETE /performer/forevent/:event_id takes the caller off one event', async () => {
    const [anna, bert] = (await organisers({}, {})) as [Person, Person]
    const [zero, first] = await Promise.all([idOf('shadow0'), idOf('shadow1')])
    for (const who of [anna, bert]) for (const id of [zero, first]) await body(claim(who, id, { name: who.username }))
    await body(anna.one.request('DELETE', `/performer/forevent/${zero}`))
    assert.deepEqual(await performersAt('shadow0'), [bert.username])
    assert.equal((await performersAt('shadow1')).length, 2)
    await body(anna.one.request('DELETE', `/performer/forevent/${zero}`))
    await refused((await organiser()).one.request('DELETE', `/performer/forevent/${zero}`), 400)
    await onlySettings(nodes)
    await refused(anna.one.request('DELETE', `/performer/forevent/${first}`), 403)
  })

  it('POST /performer/self/delete and its twin: in pre-registration, with the role, or as a moderator', async () => {
    const all = (await organisers({}, {}, { roles: ['performerselfeditor'] }, { level: 'moderator' })) as [Person, Person, Person, Person]
    for (const who of all) await body(claim(who, await idOf('shadow0'), { name: who.username }))
    const [first, second, editor, moderator] = all
    await refused((await organiser()).one.post('/performer/self/delete'), 400)
    await body(first.one.post('/performer/self/delete'))
    await refused(first.one.post('/performer/self/delete'), 400)
    await onlySettings(nodes)
    await refused(second.one.post('/performer/self/delete'), 403)
    await body(editor.one.request('DELETE', '/performer/self'))
    await body(moderator.one.post('/performer/self/delete'))
    assert.deepEqual(await performersAt('shadow0'), [second.username])
  })

  it('DELETE /admin/performer/:performer_id by the team, /performer/:performer_id by moderators; 204 when there is none', async () => {
    const moderator = await organiser({ level: 'moderator' })
    for (const [who, path] of [
      [team, '/admin/performer'],
      [moderator, '/performer'],
    ] as const) {
      await upsert()
      const { id } = await named('Ada Lovelace')
      await refused((await organiser()).one.request('DELETE', `${path}/${id}`), 403)
      await body(who.one.request('DELETE', `${path}/${id}`))
      await body(who.one.request('DELETE', `${path}/${id}`), 204)
      assert.deepEqual(await official(), [])
    }
  })
})

describe('POST /admin/performer/upsert', () => {
  it('changes the one with the id, else the one with exactly the name, and leaves events alone', async () => {
    await upsert({ bio: 'first' })
    const { id } = await named('Ada Lovelace')
    await nodes.sql`insert into performer_event select ${id as string}, id from event where uid = 'concert'`
    await changed()
    await upsert({ bio: 'second', eventUIDs: ['panel'] })
    await upsert({ name: 'ada lovelace' })
    assert.equal((await official()).length, 2)
    assert.equal((await one(id)).bio, 'second')
    await upsert({ performerID: id, name: 'Ada King', pronouns: 'she' })
    const { header, pronouns, bio, events } = await one(id)
    assert.deepEqual([header.name, pronouns, bio, events.map(({ uid }) => uid)], ['Ada King', 'she', undefined, ['concert']])
    assert.deepEqual(await performersAt('concert', nodes.client(undefined, 0)), ['Ada King'])
    await refused(team.one.post('/admin/performer/upsert', upload({ performerID: randomUUID() })), 400)
    assert.deepEqual((await body(team.one.post('/admin/performer/upsert', upload({ name: ' ' })), 400)).fieldErrors, {
      name: 'name must not be empty',
    })
  })

  it('takes names of any characters', async () => {
    const name = '👩‍👩‍👧‍👦'.repeat(200)
    await upsert({ name })
    assert.equal((await official())[0]?.name, name)
  })

  it('does not make an official performer of a page that a user has made under the name', async () => {
    const anna = await organiser()
    await body(claim(anna, await idOf('shadow0'), { name: 'Famous Person' }))
    await upsert({ name: 'Famous Person' })
    assert.equal((await self(anna)).header.isOfficialPerformer, false)
    assert.notEqual((await named('Famous Person')).id, (await self(anna)).header.id)
  })

  it('raced by fifty calls with one name, makes one performer', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_none, index) =>
        (index % 2 ? team.one : team.two).post('/admin/performer/upsert', upload({ isOfficialPerformer: true })),
      ),
    )
    assert.equal((await official()).length, 1)
  })
})

describe('EventData.performers', () => {
  it('are in all lists of events without a query, and empty while the feature is off', async () => {
    await upsert()
    const { id } = await named('Ada Lovelace')
    await nodes.sql`insert into performer_event select ${id as string}, id from event where uid in ('concert', 'panel')`
    await changed()
    const statements = await countStatements(nodes.apps[1] as App, async () => {
      const listed: { uid: string; performers: Header[] }[] = await body(anybody().get('/events'))
      assert.deepEqual(
        listed.filter(({ performers }) => performers.length > 0).map(({ uid, performers }) => [uid, performers]),
        [
          ['concert', [{ id, name: 'Ada Lovelace', isOfficialPerformer: true }]],
          ['panel', [{ id, name: 'Ada Lovelace', isOfficialPerformer: true }]],
        ],
      )
      assert.equal(
        (await body(anybody().get('/events?day=mon'))).find(({ uid }: { uid: string }) => uid === 'concert').performers.length,
        1,
      )
    })
    assert.equal(statements, 0)
    const fan = await organiser()
    await body(fan.one.post(`/events/${await idOf('concert')}/favorite`), 201)
    assert.equal((await body(fan.two.get('/events/favorites')))[0].performers[0].id, id)
    await disable(nodes, 'performers')
    assert.deepEqual(await performersAt('concert'), [])
    for (const path of ['/performer/official', `/performer/${id}`]) await refused(anybody().get(path), 451)
    await disable(nodes)
    assert.deepEqual(await performersAt('concert'), ['Ada Lovelace'])
  })

  it('come and go in the list of the whole schedule, on every node', async () => {
    await upsert()
    const listed = async () =>
      await Promise.all(
        [0, 1].map(async (node) => {
          const all: { uid: string; performers: Header[] }[] = await body(nodes.client(undefined, node).get('/events'))
          return all.filter(({ performers }) => performers.length > 0).map(({ uid }) => uid)
        }),
      )
    assert.deepEqual(await listed(), [[], []])
    await nodes.sql`insert into performer_event select performer.id, event.id from performer, event where event.uid = 'panel'`
    await changed()
    assert.deepEqual(await listed(), [['panel'], ['panel']])
    await nodes.sql`delete from performer_event`
    await changed()
    assert.deepEqual(await listed(), [[], []])
  })

  it('are left when the schedule is updated', async () => {
    await upsert()
    await nodes.sql`insert into performer_event select performer.id, event.id from performer, event where event.uid = 'panel'`
    await changed()
    await apply(
      admin,
      schedule.map((each) => (each.uid === 'panel' ? { ...each, title: 'Ask them' } : each)),
    )
    assert.deepEqual(await performersAt('panel'), ['Ada Lovelace'])
    await apply(admin, schedule)
  })
})

describe('/admin/performer/link', () => {
  const emptyBook = {
    'xl/workbook.xml': Buffer.from('<workbook><sheets><sheet name="Full Schedule" r:id="r"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': Buffer.from('<Relationships><Relationship Id="r" Target="worksheets/sheet2.xml"/></Relationships>'),
  }
  const header = ['Day', 'Start', '', '', '', '', 'EventName', '', '', 'Featuring']
  const line = (day: string, start: string, title: string, names: string) => [day, start, '', '', '', '', title, '', '', names]
  const send = async (rows: string[][], options: object = {}) =>
    body(team.one.post('/admin/performer/link/upload', JSON.stringify((await sheetFile(rows, options)).toString('base64'))))
  const verify = () => body(team.two.get('/admin/performer/link/verify'))

  it('finds events and performers, says what is missing, and replaces the links of official performers', async () => {
    await upsert({ name: 'Ada Lovelace' })
    await upsert({ name: 'Grace Hopper', alternativeNames: ['Amazing Grace'] })
    await upsert({ name: 'Nobody Here' })
    const anna = await organiser()
    await body(claim(anna, await idOf('shadow0'), { name: 'Anna' }))
    await nodes.sql`insert into performer_event select performer.id, event.id from performer, event where name = 'Nobody Here' and uid = 'panel'`
    await changed()
    await send([
      header,
      line('Mon', '7:00pm', 'The Main Concert', 'Ada Lovelace; Amazing Grace ;'),
      line('Mon', '7:00pm', 'an evening with "little" ned', 'Grace Hopper'),
      line('Tue', 'All Day', 'Ask us', 'Ada Lovelace; Anna; ada lovelace'),
      line('Wed', '10:00am', 'twins', 'Ada Lovelace'),
      line('Wed', '10:00am', 'TWINS', 'Ada Lovelace'),
      line('Wed', '11:00am', 'Twins', 'Ada Lovelace'),
      line('Someday', '11:00am', 'Twins', 'Ada Lovelace'),
      line('Thu', '10:00am', 'Nobody is named', ''),
    ])
    const { errors, ...counts } = await verify()
    assert.deepEqual(counts, {
      oldPerformerCount: 3,
      newPerformerCount: 5,
      missingPerformerCount: 2,
      noEventsPerformerCount: 1,
      eventsWithPerformerCount: 4,
      unmatchedEventCount: 3,
    })
    assert.deepEqual(
      errors.map((error: string) => error.slice(0, 6)),
      ['There ', 'There ', 'Row 5:', 'Row 7:', 'Row 8:'],
    )
    assert.deepEqual(await performersAt('panel'), ['Nobody Here'])
    await body(team.one.post('/admin/performer/link/apply'))
    assert.deepEqual(await Promise.all(['concert', 'quoted', 'panel', 'twin1', 'twin2', 'shadow0'].map((uid) => performersAt(uid))), [
      ['Grace Hopper', 'Ada Lovelace'],
      ['Grace Hopper'],
      ['Ada Lovelace'],
      [],
      ['Ada Lovelace'],
      ['Anna'],
    ])
    await body(team.one.post('/admin/performer/link/apply'))
    assert.equal((await performersAt('concert')).length, 2)
  })

  it('uses columns where their headers are, with a warning, and reads all kinds of texts', async () => {
    await upsert()
    await send(
      [
        ['Featuring', 'EventName', 'Start', 'Day'],
        ['Ada Lovelace', 'The Main Concert', '7:00pm', 'Mon'],
      ],
      { inline: true },
    )
    const { errors, eventsWithPerformerCount } = await verify()
    assert.equal(eventsWithPerformerCount, 1)
    assert.equal(errors.length, 4)
    assert.match(errors[0], /Day is D and not A/)
  })

  it('refuses what is no such spreadsheet, and nothing uploaded', async () => {
    await refused(team.one.get('/admin/performer/link/verify'), 400)
    await refused(team.one.post('/admin/performer/link/apply'), 400)
    const refusedFile = async (file: Buffer) =>
      await refused(team.one.post('/admin/performer/link/upload', JSON.stringify(file.toString('base64'))), 400)
    assert.match(await refusedFile(Buffer.from('nonsense')), /no \.xlsx file/)
    assert.match(await refusedFile(await sheetFile([header], { name: 'Another' })), /Full Schedule/)
    assert.match(await refusedFile(await sheetFile([], {})), /empty/)
    const long = Array.from({ length: 5000 }, (_, row) => line('Mon', '7:00pm', `Event ${row}`, ''))
    assert.match(await refusedFile(await sheetFile([header, ...long])), /more than 5000 rows/)
    const whole = await sheetFile([header])
    await refusedFile(whole.subarray(0, whole.length - 200))
    assert.match(await refusedFile(await sheetFile([header], { broken: true })), /cannot be read/)
    // Each of millions of tags that are not closed would be a fault of its own.
    const deep = await zipped({ ...emptyBook, 'xl/worksheets/sheet2.xml': repeated('<a>', 30_000_000) })
    assert.match(await refusedFile(deep), /too deep/)
    await refused(team.one.post('/admin/performer/link/upload', '"no base64"'), 400)
    await refused(team.one.post('/admin/performer/link/upload', {}), 400)
    await refused((await organiser()).one.get('/admin/performer/link/verify'), 403)
  })

  it('a text that would unpack to gigabytes is refused before it is unpacked', async () => {
    const bomb = await sheetFile([header, line('Mon', '7:00pm', 'x'.repeat(40_000_000), 'Ada')], { inline: true })
    assert.ok(bomb.length < 1_000_000)
    assert.match(
      await refused(team.one.post('/admin/performer/link/upload', JSON.stringify(bomb.toString('base64'))), 400),
      /larger than|more than/,
    )
  })
})

describe('/admin/performer/bulk', () => {
  const source = (name: string, more: object = {}, header: object = {}) => ({
    header: { name, isOfficialPerformer: true, ...header },
    yearsAttended: [],
    scrapedEventRefs: [],
    events: [],
    ...more,
  })
  const send = (...performers: object[]) => body(team.one.post('/admin/performer/bulk/upload', performers))
  const verify = () => body(team.two.get('/admin/performer/bulk/verify'))
  const applied = (query = '') => body(team.one.post(`/admin/performer/bulk/apply${query}`))

  it('says what it would change, and does it', async () => {
    await upsert({ name: 'Ada Lovelace', bio: 'old', title: '', yearsAttended: [2020] })
    await upsert({ name: 'Grace Hopper', alternativeNames: ['Amazing Grace'] })
    await upsert({ name: 'Old Timer' })
    const anna = await organiser()
    await body(claim(anna, await idOf('shadow0'), { name: 'Anna' }))
    await send(
      source('ADA LOVELACE', {
        bio: 'new',
        scrapedEventRefs: [
          { uid: 'concert', title: 'whatever', startTime: at(7, '10:00') },
          { title: 'Ask us', startTime: at(4, '07:00') },
          { uid: 'unknown', title: 'Ask us', startTime: at(4, '08:00') },
        ],
      }),
      source('amazing grace'),
      source('New One', { yearsAttended: [2023], alternativeNames: ['Newbie'], pronouns: 'they' }),
      source('new one', { pronouns: 'other' }),
    )
    const difference = await verify()
    assert.deepEqual(
      difference.newPerformers.map(({ header, pronouns, yearsAttended }: Performer) => [header, pronouns, yearsAttended]),
      [[{ name: 'New One', isOfficialPerformer: true }, 'they', [2023, 2025]]],
    )
    const ada = await named('Ada Lovelace')
    assert.deepEqual(difference.updatedPerformers, [
      {
        header: ada,
        changedFields: [
          { fieldName: 'Bio', oldValue: 'old', newValue: 'new' },
          { fieldName: 'Title', oldValue: '(blank)', newValue: '(none)' },
        ],
      },
    ])
    assert.equal(difference.unchangedCount, 1)
    assert.deepEqual(difference.eventLinksToAdd, [
      { performerName: 'Ada Lovelace', eventTitle: 'The Main Concert', eventStartTime: '3/3/25, 7:00 PM EST', eventLocation: 'Library' },
      { performerName: 'Ada Lovelace', eventTitle: 'Ask us', eventStartTime: '3/4/25, 7:00 AM EST', eventLocation: 'Library' },
    ])
    assert.deepEqual(difference.unmatchedScrapedEvents, [
      { performerName: 'Ada Lovelace', eventTitle: 'Ask us', eventStartTime: '3/4/25, 8:00 AM EST' },
    ])
    assert.deepEqual(
      difference.notInSourcePerformers.map(({ name }: Header) => name),
      ['Old Timer'],
    )
    assert.equal((await official()).length, 3)

    await applied('?processUpdates=false&linkEvents=false')
    assert.equal((await one(ada.id)).bio, 'old')
    assert.deepEqual(await performersAt('concert'), [])
    await applied()
    const after = await one(ada.id)
    assert.deepEqual([after.bio, after.yearsAttended, after.events.map(({ uid }) => uid)], ['new', [2020, 2025], ['concert', 'panel']])
    assert.deepEqual(
      (await official()).map(({ name }) => name),
      ['Grace Hopper', 'Ada Lovelace', 'New One', 'Old Timer'],
    )
    assert.deepEqual((await verify()).updatedPerformers, [])
    assert.equal((await verify()).eventLinksToAdd.length, 0)
    await applied('?processDeletes=TRUE')
    assert.equal((await official()).length, 3)
    assert.equal((await shadow()).length, 1)
    // No photo was wanted.
    assert.equal((await nodes.sql`select from outbox where job = 'performer-photo'`).length, 0)
  })

  it('refuses nothing uploaded, and lists that cannot be read', async () => {
    await refused(team.one.get('/admin/performer/bulk/verify'), 400)
    await refused(team.one.post('/admin/performer/bulk/apply'), 400)
    await refused(team.one.post('/admin/performer/bulk/upload', {}), 400)
    await refused(team.one.post('/admin/performer/bulk/upload', [{}]), 400)
    assert.deepEqual(Object.keys((await body(team.one.post('/admin/performer/bulk/upload', [source(' ')]), 400)).fieldErrors), [
      '0.header.name',
      'name',
    ])
    await refused((await organiser()).one.post('/admin/performer/bulk/upload', []), 403)
  })

  it('photos of new performers are fetched afterwards; one that cannot be had changes nothing', async (t) => {
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const server = createServer((request, answer) => {
      if (request.url === '/photo.png') return void answer.end(picture)
      answer.statusCode = request.url === '/page' ? 200 : 404
      answer.end('<html>')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await send(
      source('With Photo', {}, { photo: `${address}/photo.png` }),
      source('With Page', {}, { photo: `${address}/page` }),
      source('With Nothing', {}, { photo: `${address}/gone` }),
      source('With Nonsense', {}, { photo: 'file:///etc/passwd' }),
    )
    assert.equal((await verify()).newPerformers[0].header.photo, `${address}/photo.png`)
    await applied()
    await jobsDone(nodes)
    const photos = new Map((await official()).map(({ name, photo }) => [name, photo]))
    assert.deepEqual(
      [...photos].filter(([, photo]) => photo !== undefined).map(([name]) => name),
      ['With Photo'],
    )
    assert.equal((await anybody().file(`/image/full/${photos.get('With Photo')}`)).status, 200)
  })
})
