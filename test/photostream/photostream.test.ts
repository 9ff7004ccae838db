// The photo stream: uploading, places, lists, reports, moderation, and whose photos one sees. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { FormData } from 'undici'
import type { App } from '../../src/app.ts'
import { imagePath } from '../../src/image/names.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { block, body, createChat, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { streamPhoto } from '../support/photostream.ts'
import { apply, type Listed } from '../support/schedule.ts'
import { onlySettings } from '../support/settings.ts'
import { countStatements, isQuiet } from '../support/statements.ts'

interface Photo {
  postID: number
  createdAt: string
  author: { userID: string }
  image: string
  event?: { eventID: string; title: string; isFavorite: boolean }
  location?: string
}
interface List {
  photos: Photo[]
  paginator: { total: number; start: number; limit: number }
}

const minuteMs = 60_000
const clock = new LeapingClock()
let nodes: TestNodes
let admin: Person
let moderator: Person
let picture: string
before(async () => {
  // A Tuesday of the trip, in winter: the port is five hours behind UTC.
  clock.leap(Date.parse('2025-03-04T17:30:00Z') - clock.now())
  nodes = await startTestNodes(2, { clock, workers: 1, env: { WRITES_PER_MINUTE: '0' } })
  ;[admin, moderator] = (await people(nodes, { level: 'admin' }, { level: 'moderator' })) as [Person, Person]
  await nodes.sql`delete from time_zone_change`
  const flat = sharp({ create: { width: 600, height: 400, channels: 3, background: '#336699' } })
  picture = (
    await flat
      .jpeg()
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .toBuffer()
  ).toString('base64')
})
after(() => nodes.stop())
afterEach(() => onlySettings(nodes))

const user = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const at = (ms: number) => new Date(clock.now() + ms).toISOString()
const photo = (more: object = {}) => ({ image: picture, createdAt: at(0), ...more })
/** Uploads a photo that was taken long ago, so that others may follow. */
const upload = (client: Client, more: object = {}): Promise<Photo> =>
  body(client.post('/photostream/upload', photo({ createdAt: at(-10 * minuteMs), ...more })))
const list = (client: Client, query = ''): Promise<List> => body(client.get(`/photostream${query}`))
const idsOf = ({ photos }: List): number[] => photos.map(({ postID }) => postID)
const stored = (size: 'full' | 'thumb' | 'archive', name: string) => existsSync(join(nodes.config.imagesDir, imagePath(size, name)))
const report = (client: Client, id: number): Promise<Answer> => client.post(`/photostream/${id}/report`, { message: 'look' })
const remove = (client: Client, id: number): Promise<Answer> => client.delete(`/mod/photostream/${id}`)
const hidden = async (id: number): Promise<boolean> => !idsOf(await list(moderator.two, '?limit=1000')).includes(id)

const hour = (hours: number, minutes = 0) => `2025-03-04T${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:00Z`
/** It is half past five, as calendars write the time of a port five hours behind. */
const schedule: Listed[] = [
  { uid: 'long', title: 'A long one', start: hour(16), end: hour(18, 1) },
  { uid: 'two hours', title: 'Just short enough', start: hour(16, 30), end: hour(18, 30) },
  { uid: 'begins', title: 'Begins now', start: hour(17, 30), end: hour(18) },
  { uid: 'soon', title: 'Soon', start: hour(17, 31), end: hour(18) },
  { uid: 'just over', title: 'Just over', start: hour(17), end: hour(17, 26) },
  { uid: 'over', title: 'Over', start: hour(17), end: hour(17, 25) },
]

describe('GET /photostream/placenames', () => {
  it('names short events that are on, by start, and the places', async () => {
    await apply(admin, schedule)
    const caller = await user({ level: 'unverified' })
    const { eventID } = await body(caller.one.get('/events/begins'))
    await body(caller.one.post(`/events/${eventID}/favorite`), 201)
    const places = await body(caller.two.get('/photostream/placenames'))
    assert.deepEqual(
      places.events.map(({ uid, isFavorite }: { uid: string; isFavorite: boolean }) => [uid, isFavorite]),
      [
        ['two hours', false],
        ['begins', true],
      ],
    )
    assert.deepEqual(places.locations, ['Main Stage', 'Second Stage', 'Main Dining', 'Specialty Dining', 'Pool Area', 'On Boat', 'Ashore'])
    await refused(nodes.client().get('/photostream/placenames'), 401)
  })

  it('as GET /photostream: performers and photographers show at once, on every node', async () => {
    await apply(admin, schedule)
    const [manager, crew] = (await people(nodes, { roles: ['shutternautmanager'] }, { roles: ['shutternaut'] })) as [Person, Person]
    const { eventID } = await body(crew.one.get('/events/begins'))
    const { postID } = await upload(crew.one, { eventID })
    const upsert = (more: object) =>
      body(admin.one.post('/admin/performer/upsert', { photo: {}, isOfficialPerformer: true, yearsAttended: [], eventUIDs: [], ...more }))
    await upsert({ name: 'Ada Lovelace' })
    const { performers } = await body(crew.one.get('/performer/official'))
    const { id } = performers.find(({ name }: { name: string }) => name === 'Ada Lovelace')
    await nodes.sql`insert into performer_event (performer_id, event_id) values (${id}, ${eventID})`
    await isQuiet(nodes)
    const shownBy = async (client: Client): Promise<unknown[]> => {
      const [{ events }, { photos }] = await Promise.all([body(client.get('/photostream/placenames')), list(client, `?eventID=${eventID}`)])
      return [events.find(({ uid }: { uid: string }) => uid === 'begins'), photos[0]?.event].map((event) => [
        event?.performers?.map(({ name }: { name: string }) => name),
        event?.shutternautData?.needsPhotographer,
        event?.shutternautData?.userIsPhotographer,
      ])
    }
    const expected: unknown[] = [['Ada King'], false, false]
    const changes: [() => Promise<unknown>, number, unknown][] = [
      [() => upsert({ performerID: id, name: 'Ada King' }), 0, ['Ada King']],
      [() => body(manager.one.post(`/events/${eventID}/needsphotographer`)), 1, true],
      [() => body(crew.one.post(`/events/${eventID}/photographer`), 201), 2, true],
      [() => upsert({ performerID: id, name: 'Ada' }), 0, ['Ada']],
    ]
    for (const [change, at, shows] of changes) {
      // Whoever asks within this second may get what was made in it.
      clock.leap(1000 - (clock.now() % 1000))
      for (const client of [crew.one, crew.two]) await shownBy(client)
      await change()
      expected[at] = shows
      for (const client of [crew.one, crew.two]) assert.deepEqual(await shownBy(client), [expected, expected])
    }
    await remove(moderator.one, postID)
  })

  it('before and after the trip, a day of the same name stands for a day of it', async () => {
    await apply(admin, schedule)
    const caller = await user()
    const yearMs = 364 * 24 * 60 * minuteMs
    clock.set(yearMs)
    try {
      const { events } = await body(caller.one.get('/photostream/placenames'))
      assert.deepEqual(
        events.map(({ uid }: { uid: string }) => uid),
        ['two hours', 'begins'],
      )
    } finally {
      clock.set(-yearMs)
    }
  })
})

describe('POST /photostream/upload', () => {
  it('stores a picture without metadata and with a thumbnail, and answers with the photo', async () => {
    const author = await user()
    const createdAt = at(-60 * minuteMs)
    const answer = await author.one.post('/photostream/upload', photo({ createdAt, locationName: 'Pool Area' }))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['retry-after'], '300.0')
    const made = answer.body as Photo
    assert.deepEqual(
      { ...made, author: made.author.userID },
      {
        postID: made.postID,
        createdAt,
        author: author.id,
        image: made.image,
        imageSize: { width: 600, height: 400 },
        location: 'Pool Area',
      },
    )
    const { bytes } = await author.two.file(`/image/full/${made.image}`)
    assert.deepEqual([(await sharp(bytes).metadata()).width, bytes.includes('Somebody')], [600, false])
    assert.equal((await sharp((await author.two.file(`/image/thumb/${made.image}`)).bytes).metadata()).height, 200)
    assert.deepEqual((await list((await user()).two)).photos[0], made)
  })

  it('takes a form of files, too', async () => {
    const author = await user()
    const form = new FormData()
    form.set('image', new Blob([Buffer.from(picture, 'base64')], { type: 'image/jpeg' }), 'photo.jpg')
    form.set('createdAt', at(0))
    form.set('locationName', 'Ashore')
    const made: Photo = await body(author.one.request('POST', '/photostream/upload', { form }))
    assert.equal(made.location, 'Ashore')
  })

  it('an unknown place and none at all are the boat', async () => {
    const author = await user()
    assert.equal((await upload(author.one, { locationName: 'The Moon' })).location, 'On Boat')
    assert.equal((await upload(author.one, { locationName: 'pool area' })).location, 'On Boat')
    assert.equal((await upload(author.one)).location, 'On Boat')
  })

  it('an event must be on, or have ended within five minutes', async () => {
    await apply(admin, schedule)
    const author = await user()
    const idOf = async (uid: string): Promise<string> => (await body(author.one.get(`/events/${encodeURIComponent(uid)}`))).eventID
    for (const uid of ['two hours', 'begins', 'just over']) {
      const eventID = await idOf(uid)
      const made = await upload(author.one, { eventID, locationName: 'Ashore' })
      assert.deepEqual([made.event?.eventID, made.location], [eventID, undefined])
    }
    for (const uid of ['long', 'soon', 'over'])
      assert.match(await refused(author.one.post('/photostream/upload', photo({ eventID: await idOf(uid) })), 400), /not on/)
    await refused(author.one.post('/photostream/upload', photo({ eventID: randomUUID() })), 400)
    await refused(author.one.post('/photostream/upload', photo({ eventID: 'x' })), 400)
    const gone = await idOf('begins')
    const before = idsOf(await list(author.one, `?eventID=${gone}`))
    assert.equal(before.length, 1)
    const without = schedule.filter(({ uid }) => uid !== 'begins')
    await apply(admin, without)
    await refused(author.one.post('/photostream/upload', photo({ eventID: gone })), 400)
    const shown = (await list(author.two)).photos.find(({ postID }) => postID === before[0])
    assert.deepEqual([shown?.event, shown?.location], [undefined, 'On Boat'], 'an event that was taken off')
    assert.deepEqual(idsOf(await list(author.two, `?eventID=${gone}`)), [])
    assert.ok(idsOf(await list(author.two, '?locationName=On%20Boat')).includes(before[0] as number))
  })

  it('waits as long as the setting says, which apps are told', async () => {
    await onlySettings(nodes, { photostreamUploadRateLimit: 90 })
    assert.equal((await body(nodes.client().get('/client/settings'))).photostreamUploadRateLimit, 90)
    const [author] = (await people(nodes, {})) as [Person]
    const first = await author.one.post('/photostream/upload', photo())
    assert.deepEqual([first.status, first.headers['retry-after']], [200, '90.0'])
    const { status, headers, body: refusal } = await author.two.post('/photostream/upload', photo())
    assert.equal(status, 429)
    assert.match(refusal.reason, /every 90 seconds/)
    assert.ok(Number(headers['retry-after']) <= 90)
    await onlySettings(nodes, { photostreamUploadRateLimit: 0 })
    assert.equal((await author.two.post('/photostream/upload', photo())).status, 200)
  })

  it('429 until five minutes after the last photo was taken', async () => {
    const author = await user()
    const first: Photo = await body(author.one.post('/photostream/upload', photo({ createdAt: at(-2 * minuteMs) })))
    const answer = await author.two.post('/photostream/upload', photo())
    assert.equal(answer.status, 429)
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(seconds > 150 && seconds <= 180, String(seconds))
    // What is wrong with a request is said first.
    await refused(author.two.post('/photostream/upload', photo({ eventID: randomUUID() })), 400)
    await body(remove(moderator.one, first.postID))
    assert.equal((await author.two.post('/photostream/upload', photo())).status, 429, 'a deleted one counts')
    clock.leap(seconds * 1000)
    await upload(author.two)
  })

  it('it is the last one that counts, from whichever account of the person', async () => {
    const author = await user()
    await upload(author.one)
    await body(author.one.post('/photostream/upload', photo({ createdAt: at(-minuteMs) })))
    assert.equal((await author.two.post('/photostream/upload', photo())).status, 429)
    const first = await user()
    const second = await user({ subAccountOf: first })
    await upload(first.one)
    await body(second.one.post('/photostream/upload', photo({ createdAt: at(-minuteMs) })))
    for (const { two } of [first, second]) assert.equal((await two.post('/photostream/upload', photo())).status, 429)
  })

  it('a clock that is fast keeps nobody out for longer', async () => {
    const author = await user()
    const made: Photo = await body(author.one.post('/photostream/upload', photo({ createdAt: at(24 * 60 * minuteMs) })))
    assert.ok(Date.parse(made.createdAt) <= clock.now())
    const { headers } = await author.two.post('/photostream/upload', photo())
    assert.ok(Number(headers['retry-after']) <= 300)
  })

  it('of several at once one is taken', async () => {
    const author = await user()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (author.clients[index % 2] as Client).post('/photostream/upload', photo())),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 429, 429, 429, 429, 429])
    assert.equal((await list(author.one, `?byUser=${author.id}`)).photos.length, 1)
  })

  it('of two that nobody else has seen, one is taken', async () => {
    const author = await user()
    // Both get as far as they can before either is there.
    const lock = await hold(nodes.database.url, 'lock table stream_photo in share mode')
    const answers = Promise.all(author.clients.map((client) => client.post('/photostream/upload', photo())))
    await lock.awaited(2)
    await lock.release()
    assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [200, 429])
  })

  it('counts all accounts of a person together, also when they upload on two nodes at once', async () => {
    const author = await user()
    const second = await user({ subAccountOf: author })
    const third = await user({ subAccountOf: author })
    // All get as far as they can before any is there.
    const lock = await hold(nodes.database.url, 'lock table stream_photo in share mode')
    const answers = Promise.all([author.one, second.two, third.one].map((client) => client.post('/photostream/upload', photo())))
    await lock.awaited(3)
    await lock.release()
    assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [200, 429, 429])
    for (const { two } of [author, second, third]) {
      const answer = await two.post('/photostream/upload', photo())
      assert.equal(answer.status, 429)
      assert.ok(Number(answer.headers['retry-after']) > 0)
    }
    await upload((await user()).two)
    clock.leap(5 * minuteMs)
    await upload(second.one)
  })

  it('refuses somebody who was quarantined while their photo was waited for', async () => {
    const author = await user()
    const lock = await hold(nodes.database.url, `select pg_advisory_xact_lock(hashtextextended('stream photos of ' || '${author.id}', 0))`)
    const answer = author.one.post('/photostream/upload', photo())
    await lock.awaited()
    await body(moderator.two.post(`/mod/user/${author.id}/tempquarantine/1`))
    await lock.release()
    await refused(answer, 403)
  })

  it('a repetition with its key gets the first answer, however soon', async () => {
    await apply(admin, schedule)
    const author = await user()
    const { eventID } = await body(author.one.get('/events/begins'))
    const sent = photo({ eventID })
    const headers = { 'idempotency-key': randomUUID() }
    const first: Photo = await body(author.one.post('/photostream/upload', sent, { headers }))
    const hourMs = 60 * minuteMs
    for (const laterMs of [0, hourMs]) {
      clock.set(laterMs)
      try {
        assert.deepEqual(await body(author.two.post('/photostream/upload', sent, { headers })), first)
      } finally {
        clock.set(-laterMs)
      }
    }
    assert.equal((await list(author.one, `?byUser=${author.id}`)).photos.length, 1)
  })

  it('refuses what is no photo, and callers who cannot create', async () => {
    const author = await user()
    const send = (sent: object, client = author.one) => client.post('/photostream/upload', sent)
    for (const sent of [
      {},
      { createdAt: at(0) },
      { image: picture },
      photo({ createdAt: 'yesterday' }),
      photo({ image: 'no base64' }),
      photo({ image: Buffer.from('no picture').toString('base64') }),
    ])
      await refused(send(sent), 400)
    const empty = await send(photo({ image: '' }))
    assert.deepEqual([empty.status, Object.keys(empty.body.fieldErrors)], [400, ['image']])
    await onlySettings(nodes, { maxImageSize: 100 })
    const large = await send(photo())
    assert.deepEqual([large.status, Object.keys(large.body.fieldErrors)], [400, ['image']])
    await onlySettings(nodes)
    await refused(send(photo(), nodes.client()), 401)
    for (const level of ['unverified', 'quarantined']) await refused(send(photo(), (await user({ level })).one), 403)
    await refused(send(photo(), (await user({ tempQuarantineUntil: new Date(clock.now() + 3_600_000) })).two), 403)
    assert.deepEqual((await list(author.one, `?byUser=${author.id}`)).photos, [])
  })
})

describe('GET /photostream', () => {
  it('shows the newest thirty to users, and pages to moderators', async () => {
    const author = await user()
    const ids: number[] = []
    for (let count = 0; count < 33; count++) ids.unshift(await streamPhoto(nodes, author))
    const reader = await user()
    for (const query of ['', '?start=10&limit=5', '?limit=100', '?start=x']) {
      const shown = await list(reader.two, query)
      assert.deepEqual([idsOf(shown), shown.paginator], [ids.slice(0, 30), { total: 30, start: 0, limit: 30 }])
    }
    const own = `?byUser=${author.id}`
    assert.deepEqual((await list(moderator.one, own)).paginator, { total: 33, start: 0, limit: 30 })
    const part = await list(moderator.two, `${own}&start=30&limit=500`)
    assert.deepEqual([idsOf(part), part.paginator], [ids.slice(30), { total: 33, start: 30, limit: 500 }])
    assert.deepEqual((await list(moderator.two, `${own}&limit=0`)).paginator, { total: 33, start: 0, limit: 1 })
    assert.deepEqual(idsOf(await list(moderator.two, `${own}&start=50`)), [])
  })

  it('has one filter at a time', async () => {
    const [one, other] = (await people(nodes, {}, {})) as [Person, Person]
    const mine = await streamPhoto(nodes, one)
    const theirs = await streamPhoto(nodes, other)
    assert.deepEqual(idsOf(await list(other.one, `?byUser=${one.id}`)), [mine])
    assert.deepEqual(idsOf(await list(other.one, `?userID=${one.id.toUpperCase()}`)), [mine])
    assert.deepEqual(idsOf(await list(other.one, '?locationName=The%20Moon')), [])
    const ashore = idsOf(await list(other.one, '?locationName=Ashore'))
    assert.ok(ashore.includes(mine) && ashore.includes(theirs))
    assert.deepEqual(idsOf(await list(other.one, `?eventID=${randomUUID()}`)), [])
    assert.ok(idsOf(await list(other.one, '?byUser=x&eventID=y')).includes(mine), 'what is no id is no filter')
    for (const query of [
      `byUser=${one.id}&locationName=Ashore`,
      `eventID=${randomUUID()}&locationName=Ashore`,
      `byUser=${one.id}&eventID=${randomUUID()}`,
    ])
      await refused(other.one.get(`/photostream?${query}`), 400)
    await refused(nodes.client().get('/photostream'), 401)
  })

  it('leaves out photos of people in a block and of muted accounts; moderators are exempt from blocks', async () => {
    const [reader, blocker, muted, sub] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
    await nodes.sql`update account set person_id = ${blocker.id} where id = ${sub.id}`
    const [byBlocker, bySub, byMuted, own] = await Promise.all([blocker, sub, muted, reader].map((person) => streamPhoto(nodes, person)))
    await block(blocker, reader)
    await body(reader.one.post(`/users/${muted.id}/mute`), 201)
    await body(moderator.one.post(`/users/${muted.id}/mute`), 201)
    const wanted = [byBlocker, bySub, byMuted, own] as number[]
    const seenBy = async (client: Client) => wanted.filter((id) => seen.get(client)?.includes(id))
    const seen = new Map<Client, number[]>()
    for (const client of [reader.two, blocker.two, muted.two, moderator.two]) seen.set(client, idsOf(await list(client)))
    assert.deepEqual(await seenBy(reader.two), [own])
    assert.deepEqual(await seenBy(blocker.two), [byBlocker, bySub, byMuted])
    assert.deepEqual(await seenBy(muted.two), wanted)
    assert.deepEqual(await seenBy(moderator.two), [byBlocker, bySub, own])
    assert.deepEqual(idsOf(await list(reader.one, `?byUser=${blocker.id}`)), [])
    await body(moderator.one.post(`/users/${muted.id}/unmute`), 204)
  })

  it('asks the database as often for many photos as for one', async () => {
    const reader = await user()
    await list(reader.one)
    const count = () => countStatements(nodes.apps[0] as App, () => list(reader.one))
    const before = await count()
    for (let made = 0; made < 5; made++) await streamPhoto(nodes, await user())
    await list(reader.one)
    assert.equal(await count(), before)
    assert.ok(before <= 1, String(before))
  })
})

describe('POST /photostream/:id/report', () => {
  it('201, and 409 for the same person again; three hide a photo from everybody', async () => {
    const author = await user()
    const id = await streamPhoto(nodes, author)
    const [one, sub, ...others] = (await people(nodes, {}, {}, {}, { level: 'unverified' }, {})) as Person[] as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    await nodes.sql`update account set person_id = ${one.id} where id = ${sub.id}`
    assert.equal(await body(report(one.one, id), 201), undefined)
    await refused(report(one.two, id), 409)
    await refused(report(sub.two, id), 409)
    await body(report(others[0].two, id), 201)
    assert.equal(await hidden(id), false)
    await body(report(others[1].two, id), 201)
    assert.equal(await hidden(id), false, 'not by somebody without a code')
    await body(report(others[2].two, id), 201)
    assert.equal(await hidden(id), true)
    assert.ok(!idsOf(await list(author.one)).includes(id), 'for its author, too')
    const judged = await body(moderator.one.get(`/mod/photostream/${id}`))
    assert.equal(judged.moderationStatus, 'autoQuarantined')
    const filed = (await body(moderator.one.get('/mod/reports'))).filter(
      ({ reportedID }: { reportedID: string }) => reportedID === String(id),
    )
    assert.deepEqual(
      filed.map(({ type, reportedUser }: { type: string; reportedUser: { userID: string } }) => [type, reportedUser.userID]),
      filed.map(() => ['streamPhoto', author.id]),
    )
    assert.equal(filed.length, 4)
  })

  it('counts reports that come at once', async () => {
    const id = await streamPhoto(nodes, await user())
    const reporters = await people(nodes, {}, {}, {})
    await Promise.all(reporters.map((reporter, index) => body(report(reporter.clients[index % 2] as Client, id), 201)))
    assert.equal(await hidden(id), true)
  })

  it('400 for photos that are not there, deleted, or by somebody in a block', async () => {
    const [reader, blocker] = (await people(nodes, {}, {})) as [Person, Person]
    const [blocked, deleted] = await Promise.all([streamPhoto(nodes, blocker), streamPhoto(nodes, reader)])
    await block(blocker, reader)
    await body(remove(moderator.one, deleted))
    const words = new Set<string>()
    for (const id of [blocked, deleted, 2_000_000_000]) words.add(await refused(report(reader.two, id), 400))
    assert.equal(words.size, 1)
    await refused(reader.one.post(`/photostream/x/report`, { message: '' }), 400)
    await refused(reader.one.post(`/photostream/${await streamPhoto(nodes, blocker)}/report`, {}), 400)
  })
})

describe('/mod/photostream/:id', () => {
  it('shows a photo, deleted or not, with its reports, newest first', async () => {
    const [author, reporter, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const made = await upload(author.one, { locationName: 'Second Stage' })
    await body(report(reporter.one, made.postID), 201)
    await body(report(other.one, made.postID), 201)
    const { reports, acts, version: _version, ...judged } = await body(moderator.two.get(`/mod/photostream/${made.postID}`))
    assert.deepEqual([judged, acts], [{ photo: made, isDeleted: false, moderationStatus: 'normal' }, []])
    assert.deepEqual(
      reports.map(({ author: { userID } }: { author: { userID: string } }) => userID),
      [other.id, reporter.id],
    )
    await body(remove(moderator.one, made.postID))
    assert.equal((await body(moderator.two.get(`/mod/photostream/${made.postID}`))).isDeleted, true)
    for (const id of [2_000_000_000, 'x', -1]) await refused(moderator.one.get(`/mod/photostream/${id}`), 400)
  })

  it('deletes for moderators alone, once, and puts the picture away', async () => {
    const author = await user()
    for (const method of ['POST', 'DELETE'] as const) {
      const { postID, image } = await upload(author.one)
      const call = (client: Client) =>
        method === 'POST' ? client.post(`/mod/photostream/${postID}/delete`) : client.delete(`/mod/photostream/${postID}`)
      await refused(call(author.one), 403)
      await refused(call((await user({ level: 'client' })).one), 403)
      await refused(call((await user({ level: 'moderator', tempQuarantineUntil: new Date(clock.now() + 3_600_000) })).one), 403)
      assert.equal(await body(call(moderator.two)), undefined)
      await refused(call(moderator.two), 400)
      assert.ok(!idsOf(await list(author.one)).includes(postID))
      assert.deepEqual([stored('full', image), stored('thumb', image), stored('archive', image)], [false, false, true])
      const log =
        await nodes.sql`select action_type, content_type, target_user_id from moderator_action where content_id = ${String(postID)}`
      assert.deepEqual([...log], [{ actionType: 'delete', contentType: 'streamPhoto', targetUserId: author.id }])
    }
    const own = await streamPhoto(nodes, moderator)
    await body(remove(moderator.one, own))
    assert.deepEqual([...(await nodes.sql`select from moderator_action where content_id = ${String(own)}`)], [], 'their own')
  })

  it('a picture that something else shows stays', async () => {
    const author = await user()
    const { postID, image } = await upload(author.one)
    const fezID = await createChat(author.one)
    await body(author.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ filename: image }] }), 201)
    await body(remove(moderator.one, postID))
    assert.deepEqual([stored('full', image), stored('thumb', image)], [true, true])
    // And the other way round.
    const second = await upload(author.one)
    const post = await body(author.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ filename: second.image }] }), 201)
    await body(author.one.delete(`/fez/post/${post.postID}`), 204)
    assert.deepEqual([stored('full', second.image), stored('thumb', second.image)], [true, true])
  })

  it('setstate hides a photo and brings it back, and is logged', async () => {
    const author = await user()
    const id = await streamPhoto(nodes, author)
    for (const [word, isHidden, status] of [
      ['quarantined', true, 'quarantined'],
      ['reviewed', false, 'modReviewed'],
      ['locked', false, 'locked'],
      ['normal', false, 'normal'],
    ] as const) {
      assert.equal(await body(moderator.one.post(`/mod/photostream/${id}/setstate/${word}`)), undefined)
      assert.equal(await hidden(id), isHidden)
      assert.equal((await body(moderator.two.get(`/mod/photostream/${id}`))).moderationStatus, status)
    }
    const log = await nodes.sql`select action_type from moderator_action where content_id = ${String(id)} order by created_at`
    assert.deepEqual(
      log.map(({ actionType }) => actionType),
      ['quarantine', 'markReviewed', 'lock', 'unlock'],
    )
    await refused(moderator.one.post(`/mod/photostream/${id}/setstate/autoQuarantined`), 400)
    await refused(author.one.post(`/mod/photostream/${id}/setstate/normal`), 403)
    await body(moderator.one.post(`/mod/photostream/${id}/setstate/reviewed`))
    for (const reporter of await people(nodes, {}, {}, {})) await body(report(reporter.one, id), 201)
    assert.equal(await hidden(id), false, 'what moderators have judged is not hidden by reports')
  })
})

describe('GET /admin/rollup', () => {
  it('counts photos, deleted ones too', async () => {
    const count = async (): Promise<number> => (await body(admin.one.get('/admin/rollup'))).counts[5]
    const before = await count()
    const id = await streamPhoto(nodes, await user())
    await body(remove(moderator.one, id))
    assert.equal(await count(), before + 1)
  })
})
