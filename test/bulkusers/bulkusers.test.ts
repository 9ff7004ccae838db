// /admin/bulkuserfile: users who travel from one server to another. Two installations of two nodes each.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { hash as bcrypt } from '@node-rs/bcrypt'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { App } from '../../src/app.ts'
import { exportPath } from '../../src/console/exports.service.ts'
import { imagePath } from '../../src/image/names.ts'
import { createAccount, testPassword, type AccountOptions, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { RawConnection } from '../support/raw.ts'
import { onlySettings } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let source: TestNodes
let target: TestNodes
let sender: Person
let receiver: Person
before(async () => {
  ;[source, target] = await Promise.all([startTestNodes(2, { workers: 1 }), startTestNodes(2, { workers: 1 })])
  ;[sender] = (await people(source, { level: 'admin' })) as [Person]
  await Promise.all([source, target].map(close))
})
after(() => Promise.all([source.stop(), target.stop()]))

// Every test begins with an empty target, as after a reinstallation.
beforeEach(async () => {
  await empty(
    target.sql,
    ...['favorite', 'event_follower', 'event_photographer', 'event_photo_wish', 'performer_event', 'performer'],
    ...['registration_code', 'known_address', 'outbox', 'audit'],
  )
  // After thousands were imported, each of them is only looked up by an index when Postgres knows how many there are.
  await target.sql`analyze account`
  // On a slow machine thousands take longer than a statement of the product may.
  await target.sql.unsafe(`begin; set local statement_timeout = '60s'; delete from account where not special; commit`)
  ;[receiver] = (await people(target, { level: 'admin' })) as [Person]
})

async function close(nodes: TestNodes): Promise<void> {
  await onlySettings(nodes, { minAccessUserLevel: 'admin' })
}

const at = '/admin/bulkuserfile'
const upload = (zip: Buffer | string, client = receiver.one): Promise<Answer> => client.post(`${at}/upload`, zip)
const verify = (client = receiver.two) => body(client.get(`${at}/verify`))
const apply = (client = receiver.one) => body(client.post(`${at}/update/apply`))
const imagesDone = () => until(async () => (await body(receiver.two.get(`${at}/images`))).waiting === 0, 'all pictures are processed')
const counts = (total: number, imported = 0, duplicate = 0, error = 0) => ({
  totalRecordsProcessed: total,
  importedCount: imported,
  duplicateCount: duplicate,
  errorCount: error,
})

async function download(client: Client): Promise<Buffer> {
  const { status, headers, bytes } = await client.file(`${at}/download`)
  assert.equal(status, 200)
  assert.deepEqual(
    [headers['content-type'], headers['content-disposition'], headers['content-length']],
    ['application/zip', 'attachment; filename="userfile.zip"', String(bytes.length)],
  )
  return bytes
}

interface Opened {
  users: Record<string, unknown>[]
  performers: unknown[]
  needsPhotographer: unknown[]
  images: Record<string, Buffer>
}

async function opened(bytes: Buffer): Promise<Opened> {
  const zip = await fromBufferPromise(bytes)
  const files: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    files[entry.fileName] = Buffer.concat(pieces)
  }
  const { 'userfile/userfile.json': records, ...others } = files
  const images = Object.entries(others).map(([name, content]) => {
    assert.ok(name.startsWith('userfile/userImages/'), name)
    return [name.slice('userfile/userImages/'.length), content] as const
  })
  return { ...JSON.parse(String(records)), images: Object.fromEntries(images) }
}

/** A zip file of these. */
async function zipped(files: Record<string, Buffer | string>, compress = true): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** A zip file of these, and of one name two times. */
async function twice(name: string, files: Record<string, string>): Promise<Buffer> {
  const other = name.replace(/.$/, '~')
  const bytes = await zipped({ ...files, [name]: 'one', [other]: 'two' })
  return Buffer.from(bytes.toString('latin1').replaceAll(other, name), 'latin1')
}

const bundle = (users: unknown, more: object = {}, images: Record<string, Buffer> = {}): Promise<Buffer> =>
  zipped({
    'somewhere/userfile.json': JSON.stringify({ users, performers: [], needsPhotographer: [], ...more }),
    ...Object.fromEntries(Object.entries(images).map(([name, content]) => [`somewhere/userImages/${name}`, content])),
  })

let made = 0
async function newCode(nodes: TestNodes, person?: TestAccount, usedForRecovery = false): Promise<string> {
  const code = `t${String(++made).padStart(5, '0')}`
  await nodes.sql`insert into registration_code (code, person_id, used_for_recovery) values (${code}, ${person?.personId ?? null}, ${usedForRecovery})`
  return code
}

/** A record of a user, with hashes of an account of these tests. */
async function record(username: string, verification: string, more: object = {}): Promise<Record<string, unknown>> {
  const [row] = await target.sql`select password_hash, recovery_key_hash from account where id = ${receiver.id}`
  return {
    username,
    password: row?.['passwordHash'],
    recoveryKey: row?.['recoveryKeyHash'],
    verification,
    accessLevel: 'verified',
    roles: [],
    favoriteEvents: [],
    photographerEvents: [],
    favoriteUsers: [],
    ...more,
  }
}

const square = (colour: string, side = 60) =>
  sharp({ create: { width: side, height: side, channels: 3, background: colour } })
    .png()
    .toBuffer()
const accountsIn = async (nodes: TestNodes) =>
  (await nodes.sql`select username from account where not special and level <> 'admin' order by username_key`).map(
    ({ username }) => username as string,
  )

describe('from one server to another', () => {
  const users: Record<string, TestAccount> = {}
  let original: Opened
  let bytes: Buffer
  let codes: string[]

  before(async () => {
    const add = async (username: string, options: AccountOptions = {}) => {
      users[username] = await createAccount(source.sql, { username, ...options })
    }
    await add('Ann')
    await add('Bob', { roles: ['shutternaut', 'karaokemanager'] })
    await add('Dora', { level: 'moderator' })
    await add('Zoë', { level: 'banned' })
    await add('Nocode')
    await add('Ann.two', { subAccountOf: users['Ann'] as TestAccount })
    codes = [
      await newCode(source, users['Ann'], true),
      await newCode(source, users['Bob']),
      await newCode(source, users['Dora']),
      await newCode(source, users['Zoë']),
      await newCode(source),
    ]
    const as = (name: string) => source.client(users[name]?.token, 1)
    await onlySettings(source, {})
    await body(
      as('Bob').post('/user/profile', {
        displayName: 'Bobby 🐙',
        realName: 'Robert',
        about: 'All about\nme',
        email: 'bob@example.org',
        homeLocation: 'Here',
        message: 'Hi there',
        preferredPronoun: 'he/him',
        roomNumber: '1234',
        dinnerTeam: 'gold',
        discordUsername: 'bob#1',
      }),
    )
    for (const [name, colour] of [
      ['Ann', '#ff0000'],
      ['Ann.two', '#00ff00'],
      ['Bob', '#0000ff'],
    ] as const)
      await body(as(name).post('/user/image', { image: (await square(colour)).toString('base64') }))
    // A picture that the disk has lost.
    await source.sql`update account set user_image = ${`${randomUUID()}.jpg`} where id = ${users['Dora']?.id as string}`
    for (const name of ['Bob', 'Ann.two', 'Nocode', 'Dora']) await body(as('Ann').post(`/users/${users[name]?.id}/favorite`), 201)
    for (const nodes of [source, target]) {
      await nodes.sql`
        insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at)
        select gen_random_uuid(), uid, 'An event', '', '', 'general', now(), now(), now() from unnest(${nodes === source ? ['both', 'here', 'also both'] : ['also both', 'both', 'there']}::text[]) as uid`
    }
    await source.sql`insert into event_follower (account_id, event_id, created_at) select ${users['Ann']?.id as string}, id, now() from event where title = 'An event'`
    await source.sql`insert into event_photographer (account_id, event_id, created_at) select ${users['Bob']?.id as string}, id, now() from event where uid in ('both', 'here')`
    await source.sql`insert into event_photo_wish select id from event where uid in ('both', 'also both', 'here')`
    const performer = async (more: object) =>
      body(
        source
          .client(sender.token)
          .post('/admin/performer/upsert', { photo: {}, isOfficialPerformer: true, yearsAttended: [2024], eventUIDs: [], ...more }),
      )
    await performer({
      name: 'Grace Hopper',
      bio: 'About',
      alternativeNames: ['Amazing'],
      photo: { image: (await square('#ffff00')).toString('base64') },
    })
    await performer({ name: 'Ada Lovelace' })
    await performer({ name: 'Bob Knits', isOfficialPerformer: false, photo: { image: (await square('#00ffff')).toString('base64') } })
    await source.sql`update performer set account_id = ${users['Bob']?.id as string} where name = 'Bob Knits'`
    await source.sql`insert into performer_event select performer.id, event.id from performer, event where name <> 'Ada Lovelace' and uid in ('both', 'here')`
    // Codes of users of a chat, and who has them, stay.
    const [chatUser] = (await people(source, { username: 'Chatty' })) as [Person]
    await source.sql`insert into registration_code (code, person_id, for_chat_user) values ('chatty', ${chatUser.personId}, true)`
    await close(source)
    bytes = await download(sender.one)
    original = await opened(bytes)
  })
  beforeEach(async () => {
    for (const code of codes) await target.sql`insert into registration_code (code) values (${code}) on conflict do nothing`
  })

  it('the file holds all accounts of persons with a code, primary ones first, with their pictures', () => {
    assert.deepEqual(
      original.users.map(({ username, parentUsername, verification, accessLevel }) => [
        username,
        parentUsername,
        verification,
        accessLevel,
      ]),
      [
        ['Ann', undefined, `*${codes[0]}`, 'verified'],
        ['Bob', undefined, codes[1], 'verified'],
        ['Dora', undefined, codes[2], 'moderator'],
        ['Zoë', undefined, codes[3], 'banned'],
        ['Ann.two', 'Ann', `*${codes[0]}`, 'verified'],
      ],
    )
    const [ann, bob, dora] = original.users as Record<string, unknown>[] as [Record<string, unknown>, Record<string, unknown>, object]
    assert.ok(!('userImage' in dora), 'no picture is named that is not in the file')
    assert.deepEqual(ann['favoriteEvents'], ['also both', 'both', 'here'])
    assert.deepEqual(ann['favoriteUsers'], ['Ann.two', 'Bob', 'Dora', 'Nocode'])
    const { password, recoveryKey, userImage, performer, ...rest } = bob
    for (const hash of [password, recoveryKey]) assert.match(String(hash), /^\$argon2id\$/)
    assert.deepEqual(rest, {
      username: 'Bob',
      verification: codes[1],
      accessLevel: 'verified',
      roles: ['shutternaut', 'karaokemanager'],
      favoriteEvents: [],
      photographerEvents: ['both', 'here'],
      favoriteUsers: [],
      displayName: 'Bobby 🐙',
      realName: 'Robert',
      about: 'All about\nme',
      email: 'bob@example.org',
      homeLocation: 'Here',
      message: 'Hi there',
      preferredPronoun: 'he/him',
      roomNumber: '1234',
      dinnerTeam: 'gold',
      discordUsername: 'bob#1',
    })
    const photoOf = (each: unknown) => (each as { photo: { filename: string } }).photo.filename
    assert.deepEqual(performer, {
      name: 'Bob Knits',
      photo: { filename: photoOf(performer) },
      isOfficialPerformer: false,
      yearsAttended: [2024],
      eventUIDs: ['both', 'here'],
    })
    assert.deepEqual(original.performers, [
      {
        name: 'Grace Hopper',
        photo: { filename: photoOf(original.performers[0]) },
        isOfficialPerformer: true,
        bio: 'About',
        yearsAttended: [2024],
        alternativeNames: ['Amazing'],
        eventUIDs: ['both', 'here'],
      },
      { name: 'Ada Lovelace', photo: {}, isOfficialPerformer: true, yearsAttended: [2024], eventUIDs: [] },
    ])
    assert.deepEqual(
      Object.keys(original.images).toSorted(),
      [ann['userImage'], userImage, original.users[4]?.['userImage'], photoOf(performer), photoOf(original.performers[0])].toSorted(),
    )
    assert.deepEqual(original.needsPhotographer, ['also both', 'both', 'here'])
  })

  it('the import is the same as what was exported; names, passwords and pictures go on', async () => {
    assert.equal(await body(upload(bytes)), undefined)
    const expected = {
      userCounts: counts(5, 5),
      performerCounts: counts(2, 2),
      needsPhotographerCounts: counts(3, 2, 0, 1),
      regCodeConflicts: [],
      usernameConflicts: [],
      errorNotImported: [],
      otherErrors: ['1 events that need a photographer are not in the schedule here.'],
    }
    assert.deepEqual(await verify(), { changesApplied: false, ...expected })
    assert.deepEqual(await accountsIn(target), [])
    assert.deepEqual(await apply(), { changesApplied: true, ...expected })
    await imagesDone()
    const again = await opened(await download(receiver.two))
    // What did not travel along is left out.
    const travelled = (user: Record<string, unknown>, key: string) =>
      (user[key] as string[]).filter((name) => name !== 'Nocode' && name !== 'here')
    assert.deepEqual(
      again.users,
      original.users.map((user) => ({
        ...user,
        favoriteUsers: travelled(user, 'favoriteUsers'),
        favoriteEvents: travelled(user, 'favoriteEvents'),
        photographerEvents: travelled(user, 'photographerEvents'),
        ...(user['performer'] ? { performer: { ...(user['performer'] as object), eventUIDs: ['both'] } } : {}),
      })),
    )
    const [grace, ada] = original.performers as [object, object]
    assert.deepEqual(again.performers, [{ ...grace, eventUIDs: ['both'] }, ada])
    assert.deepEqual(again.needsPhotographer, ['also both', 'both'])
    assert.deepEqual(again.images, original.images)
    await onlySettings(target, {})
    // A change of the schedule: events that were written by SQL are known then.
    await target.sql`insert into schedule_log (automatic, change_count, created_at) values (true, 1, now())`
    await target.apps[0]?.node.channels.publishConfirmed('schedule', 'all', { type: 'changed' })
    for (const client of [target.client(), target.client(undefined, 1)])
      assert.deepEqual(
        (await body(client.get('/events/both'))).performers.map(({ name }: { name: string }) => name),
        ['Grace Hopper', 'Bob Knits'],
      )
    for (const basic of [
      ['ann.TWO', testPassword],
      ['Bob', testPassword],
    ] as [string, string][]) {
      const { token, userID } = await body(target.client(undefined, 1).post('/auth/login', undefined, { basic }))
      for (const size of ['full', 'thumb'])
        assert.equal((await target.client(token).file(`/image/user/${size}/${userID}`)).headers['content-type'], 'image/jpeg')
    }
    await refused(target.client().post('/auth/login', undefined, { basic: ['Zoë', testPassword] }), 403)
    const recovered = target.client().post('/auth/recovery', { username: 'Ann', recoveryKey: codes[0], newPassword: 'something new' })
    await refused(recovered, 400)
    await body(target.client().post('/auth/recovery', { username: 'Bob', recoveryKey: codes[1], newPassword: 'something new' }))
    await close(target)
  })

  it('a second import changes nothing; neither does one of an installation that grew meanwhile', async () => {
    await body(upload(bytes))
    await apply()
    await imagesDone()
    const before = await opened(await download(receiver.one))
    const { userCounts, performerCounts, needsPhotographerCounts } = await apply()
    assert.deepEqual([userCounts, performerCounts, needsPhotographerCounts], [counts(5, 0, 5), counts(2, 0, 2), counts(3, 0, 2, 1)])
    await target.sql`update account set display_name = 'Changed since' where username = 'Ann'`
    assert.deepEqual((await body(receiver.one.get(`${at}/update/apply`))).userCounts, counts(5, 0, 5))
    const {
      users: [ann, ...others],
    } = await opened(await download(receiver.one))
    assert.deepEqual([ann?.['displayName'], others], ['Changed since', before.users.slice(1)])
  })

  it('by several admins at once: everybody is imported once', async () => {
    await body(upload(bytes))
    const answers = await Promise.all(
      [receiver.one, receiver.two, receiver.one, receiver.two].map((client) => client.post(`${at}/update/apply`)),
    )
    const done = answers.filter(({ status }) => status === 200).map(({ body: { userCounts } }) => userCounts.importedCount)
    assert.equal(
      done.reduce((a, b) => a + b, 0),
      5,
    )
    // Whoever came when pictures were waiting was told so.
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    assert.equal((await accountsIn(target)).length, 5)
    await imagesDone()
  })

  it('a file that holds nobody says why, and can be uploaded', async () => {
    const none = await download(receiver.one)
    assert.ok(none.includes('This file holds nobody'))
    assert.ok(!bytes.includes('This file holds nobody'))
    await body(upload(none))
    assert.deepEqual((await verify()).userCounts, counts(0))
  })

  it('what is done is in the audit trail', async () => {
    await target.sql`truncate audit`
    await download(receiver.one)
    await body(upload(bytes))
    await apply()
    await imagesDone()
    assert.deepEqual(
      (await target.sql`select action, actor_id, details from audit order by id`).map(({ action, actorId, details }) => [
        action,
        actorId,
        details,
      ]),
      [
        ['exportUsers', receiver.id, { users: 0, performers: 0, images: 0 }],
        ['uploadUsers', receiver.id, { bytes: bytes.length }],
        ['importUsers', receiver.id, counts(5, 5)],
      ],
    )
  })

  it('a damaged file is refused, changes nothing, and the earlier one stays', async () => {
    await body(upload(bytes))
    const before = await verify()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
        async (flips) => {
          const damaged = Buffer.from(bytes)
          for (const [index, mask] of flips) damaged[index] = (damaged[index] as number) ^ mask
          const { status, body: answer } = await upload(damaged)
          // What says nothing of the content, such as a time, may be anything.
          assert.ok(status === 200 || status === 400, `${status} ${JSON.stringify(answer)}`)
          if (status === 400) assert.ok(answer.reason.length > 10)
          assert.deepEqual(await verify(), before)
        },
      ),
      { numRuns: 150, endOnFailure: true },
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
        await refused(upload(bytes.subarray(0, length)), length === 0 ? 422 : 400)
      }),
      { numRuns: 40, endOnFailure: true },
    )
    assert.deepEqual(await verify(), before)
    assert.deepEqual(await accountsIn(target), [])
    assert.deepEqual(readdirSync(join(target.config.imagesDir, 'incoming')), [])
  })
})

describe('POST /admin/bulkuserfile/upload', () => {
  it('says what is wrong with what is no such file', async () => {
    const json = JSON.stringify({ users: [] })
    const wrong: [Buffer | string, RegExp][] = [
      ['hello', /no zip file/],
      [await zipped({ 'a/other.json': json }), /no userfile\.json/],
      [await zipped({ 'a/b/userfile.json': json }), /no userfile\.json/],
      [await zipped({ 'userfile.json': json, 'a/userfile.json': json }), /more than one/],
      [await zipped({ 'a/userfile.json': '{' }), /well-formed/],
      [await twice('a/userImages/x.jpg', { 'a/userfile.json': json }), /two entries named/],
      [await zipped({ 'a/userfile.json': Buffer.from([0xff, 0xfe]) }), /well-formed/],
      [await zipped({ 'a/userfile.json': Buffer.from('{"users":["\xff"]}', 'latin1') }), /well-formed/],
      [await zipped({ 'a/userfile.json': '{}' }), /no users/],
      [await zipped({ 'a/userfile.json': '[1]' }), /no users/],
      [await zipped({ 'a/userfile.json': '{"users":{}}' }), /lists/],
      [await zipped({ 'a/userfile.json': '{"users":[],"performers":1}' }), /lists/],
      // Zeros take next to no room in a zip file.
      [await zipped({ 'a/userfile.json': Buffer.alloc(70 * 1024 * 1024, ' ') }), /larger than/],
    ]
    for (const [file, reason] of wrong) assert.match(await refused(upload(file), 400), reason)
    await refused(receiver.one.post(`${at}/upload`), 422)
  })

  it('takes files with compressed records, and what other systems put beside', async () => {
    const code = await newCode(target)
    await body(
      upload(
        await zipped({
          'Users 1/userfile.json': JSON.stringify({ users: [await record('Compressed', code)] }),
          '__MACOSX/Users 1/._userfile.json': 'x',
          'Users 1/.DS_Store': 'x',
          'Users 1/notes.txt': 'x',
        }),
      ),
    )
    assert.deepEqual((await verify()).userCounts, counts(1, 1))
  })

  it('takes large files piece by piece', async () => {
    const images = Object.fromEntries(Array.from({ length: 24 }, () => [`${randomUUID().toUpperCase()}.jpg`, randomBytes(2 * 1024 * 1024)]))
    await body(
      upload(
        await zipped(
          {
            'a/userfile.json': JSON.stringify({ users: [] }),
            ...Object.fromEntries(Object.entries(images).map(([name, content]) => [`a/userImages/${name}`, content])),
          },
          false,
        ),
      ),
    )
    assert.deepEqual((await verify()).userCounts, counts(0))
    const { size } = statSync(join(target.config.imagesDir, 'admin', 'userfile.zip'))
    assert.ok(size > 48 * 1024 * 1024)
  })

  it('takes a file in chunks, of whatever length', async () => {
    const file = await bundle([await record('Chunked', await newCode(target))])
    const connection = new RawConnection(target.urls[0] as string)
    connection.sendLines(
      `POST /api/v3${at}/upload HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${receiver.token}`,
      'Transfer-Encoding: chunked',
      '',
      '',
    )
    for (let start = 0; start < file.length; start += 100) {
      const chunk = file.subarray(start, start + 100)
      connection
        .send(`${chunk.length.toString(16)}\r\n`)
        .send(chunk)
        .send('\r\n')
    }
    connection.send('0\r\n\r\n')
    assert.deepEqual(await connection.answers(), [200])
    connection.destroy()
    assert.deepEqual((await verify()).userCounts, counts(1, 1))
  })

  it('leaves nothing behind when the sender goes away', async () => {
    const connection = new RawConnection(target.urls[0] as string)
    connection.sendLines(
      `POST /api/v3${at}/upload HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${receiver.token}`,
      'Content-Length: 100000',
      '',
      'PK',
    )
    const folder = join(target.config.imagesDir, 'incoming')
    await until(() => existsSync(folder) && readdirSync(folder).length === 1, 'it is being received')
    connection.destroy()
    await until(() => readdirSync(folder).length === 0, 'it is gone')
  })

  it('keeps the file for a day: it holds digests of passwords', async () => {
    await body(upload(await bundle([])))
    const path = join(target.config.imagesDir, 'admin', 'userfile.zip')
    const old = new Date(Date.now() - 25 * 60 * 60_000)
    utimesSync(path, old, old)
    const worker = await target.startWorker()
    await until(() => !existsSync(path), 'sweeping')
    await worker.stop()
    await refused(receiver.one.get(`${at}/verify`), 400)
  })

  it('waits for the pictures of the last import', async () => {
    await target.sql`insert into outbox (job, payload, run_at) values ('bulk-user-image', '{}', now() + interval '1 hour')`
    for (const answer of [upload(await bundle([])), receiver.one.post(`${at}/update/apply`)])
      assert.match(await refused(answer, 409), /1 pictures/)
    await target.sql`update outbox set failures = 20`
    assert.deepEqual(await body(receiver.one.get(`${at}/images`)), { waiting: 0, failed: 1 })
    await body(upload(await bundle([])))
  })
})

describe('an import', () => {
  const run = async (users: unknown, more: object = {}, images: Record<string, Buffer> = {}) => {
    await body(upload(await bundle(users, more, images)))
    const { changesApplied: _before, ...would } = await verify()
    const { changesApplied: _after, ...did } = await apply()
    assert.deepEqual(did, would)
    return did
  }

  it('decides about each user on his own', async () => {
    const [there] = (await people(target, { username: 'There' })) as [Person]
    const [free, bound, another] = [await newCode(target), await newCode(target, there), await newCode(target)]
    const report = await run([
      await record('There', bound.toUpperCase()),
      await record('there', free),
      await record('Unknown', 'zzzzzz'),
      await record('Late', bound),
      await record('New', ` ${free} `),
      await record('NEW', free),
      await record('Also', free),
      await record('Sub.new', free, { parentUsername: 'new' }),
      await record('Sub.there', bound, { parentUsername: 'There' }),
      await record('Sub.other', another, { parentUsername: 'New' }),
      await record('Sub.sub', free, { parentUsername: 'Sub.new' }),
      await record('Orphan', another, { parentUsername: 'Nobody' }),
    ])
    const named = (lines: string[]) => lines.map((line) => line.slice(0, line.indexOf(':')))
    assert.deepEqual(report.userCounts, counts(12, 3, 2, 7))
    assert.deepEqual(
      [named(report.usernameConflicts), named(report.regCodeConflicts), named(report.errorNotImported), report.otherErrors],
      [['there'], ['Late', 'Also'], ['Unknown', 'Sub.other', 'Sub.sub', 'Orphan'], []],
    )
    assert.deepEqual(await accountsIn(target), ['New', 'Sub.new', 'Sub.there', 'There'])
    const persons = await target.sql`select username from account where person_id = ${there.id} order by username_key`
    assert.deepEqual(
      persons.map(({ username }) => username),
      ['Sub.there', 'There'],
    )
  })

  it('passes over records that cannot be understood, and says which', async () => {
    const code = await newCode(target)
    const good = await record('Good', code, { unknown: 'key', discordUsername: '' })
    const wrong = [
      null,
      'x',
      {},
      await record('x y', code),
      await record('Level', code, { accessLevel: 'king' }),
      await record('Roles', code, { roles: ['king'] }),
      await record('Long', code, { about: 'x'.repeat(401) }),
      await record('Nul', code, { message: 'a\0b' }),
      await record('Team', code, { dinnerTeam: 'blue' }),
      await record('', code),
    ]
    const report = await run([...wrong, good])
    assert.deepEqual(report.userCounts, counts(11, 1, 0, 10))
    assert.deepEqual(
      report.otherErrors.map((line: string) => line.split(':')[0]),
      wrong.map((_user, index) => `users.${index}`),
    )
    assert.deepEqual(await accountsIn(target), ['Good'])
  })

  it('keeps to the number of sub-accounts, and to levels that can be given', async () => {
    const [code, ...others] = [await newCode(target), await newCode(target), await newCode(target), await newCode(target)]
    const subs = await Promise.all(Array.from({ length: 8 }, (_none, index) => record(`Sub${index}`, code, { parentUsername: 'Main' })))
    const levels = await Promise.all(
      ['admin', 'client', 'THO'].map((accessLevel, index) => record(`Level${index}`, others[index] as string, { accessLevel })),
    )
    const report = await run([...subs, ...levels, await record('Main', code)])
    assert.deepEqual(report.userCounts, counts(12, 8, 0, 4))
    assert.equal(report.errorNotImported.length, 4)
    assert.deepEqual((await target.sql`select level from account where username = 'Level2'`)[0], { level: 'tho' })
  })

  it('makes passwords that cannot be checked, or only at a high price, ones to be recovered', async () => {
    const elsewhere = await bcrypt('-', 4)
    const hashes = [
      `$2b$31${elsewhere.slice(6)}`,
      `$2b$15${elsewhere.slice(6)}`,
      `$2b$03${elsewhere.slice(6)}`,
      `$2x$04${elsewhere.slice(6)}`,
      elsewhere.slice(0, -1),
      '',
      'plain',
      '$argon2id$v=19$m=999999,t=99,p=9$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo',
      '$argon2id$v=19$m=262144,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo',
    ]
    const codes = await Promise.all(hashes.map(() => newCode(target)))
    const report = await run(
      await Promise.all(hashes.map((password, index) => record(`Hash${index}`, codes[index] as string, { password }))),
    )
    assert.deepEqual([report.userCounts, report.otherErrors.length], [counts(9, 9), 9])
    const [dearest] = report.otherErrors
    assert.equal(dearest, 'Hash0: the password has a bcrypt cost of 31, and only 4 to 14 can be checked here; it has to be recovered')
    for (const [index, code] of codes.entries()) {
      await refused(target.client().post('/auth/login', undefined, { basic: [`Hash${index}`, '-'] }), 401)
      await body(
        target.client(undefined, 1).post('/auth/recovery', { username: `Hash${index}`, recoveryKey: code, newPassword: 'something new' }),
      )
    }
  })

  const loginAs = (username: string, password: string) => target.client().post('/auth/login', undefined, { basic: [username, password] })
  const hashesOf = async (username: string): Promise<{ password: string; key: string }> =>
    (await target.sql`select password_hash as password, recovery_key_hash as key from account where username = ${username}`)[0] as never

  it('takes hashes of bcrypt; the first right login, and none before, makes argon2id of it', async () => {
    const long = 'é'.repeat(40)
    const versions = ['2a', '2b', '2y']
    const secrets = ['a password', 'another one', long]
    // The three differ in what older programs made of them, not in how they are checked.
    const asVersion = (hash: string, index: number) => hash.replace('2b', versions[index] as string)
    const passwords = await Promise.all(secrets.map(async (secret, index) => asVersion(await bcrypt(secret, 4 + index), index)))
    const codes = await Promise.all(secrets.map(() => newCode(target)))
    const users = await Promise.all(passwords.map((password, index) => record(`Elsewhere${index}`, codes[index] as string, { password })))
    assert.deepEqual((await run(users)).otherErrors, [])
    await onlySettings(target, {})
    for (const [index, secret] of secrets.entries()) {
      const username = `Elsewhere${index}`
      await refused(loginAs(username, `${secret.slice(0, -5)}wrong`), 401)
      assert.equal((await hashesOf(username)).password, passwords[index])
      // Bytes after the first 72 are nothing to bcrypt.
      await body(loginAs(username, index === 2 ? `${long.slice(0, 36)}whatever` : secret))
      assert.match((await hashesOf(username)).password, /^\$argon2id\$/)
    }
    for (const [index, secret] of secrets.slice(0, 2).entries()) await body(loginAs(`Elsewhere${index}`, secret))
    await refused(loginAs('Elsewhere2', long), 401)
    await close(target)
  })

  it('takes the file of an older server: its folder, names in upper case, what is absent, bcrypt, and sub-accounts before their parents', async () => {
    const [code, other] = [await newCode(target), await newCode(target)]
    const [dear, cheap] = await Promise.all([bcrypt('a password', 9), bcrypt('lanternharborpickle', 4)])
    const image = `${randomUUID().toUpperCase()}.png`
    const photo = `${randomUUID().toUpperCase()}.jpg`
    const old = (username: string, verification: string, more: object = {}) => ({
      username,
      password: dear,
      recoveryKey: cheap,
      verification,
      accessLevel: 'Verified',
      roles: [],
      favoriteEvents: ['both'],
      photographerEvents: [],
      favoriteUsers: [],
      ...more,
    })
    const users = [
      old('Old.two', code, { parentUsername: 'Old', favoriteUsers: ['OTHER'] }),
      old('Old', code, { userImage: image, displayName: 'Olden', favoriteUsers: ['other', 'Old.two'] }),
      old('Other', other, { favoriteUsers: ['Old'] }),
    ]
    const performers = [
      { name: 'Old Singer', isOfficialPerformer: true, yearsAttended: [], eventUIDs: ['both'], photo: { filename: photo } },
    ]
    await target.sql`insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at)
      values (gen_random_uuid(), 'both', 'An event', '', '', 'general', now(), now(), now()) on conflict do nothing`
    const colours = await Promise.all([square('#ff0000'), square('#00ff00')])
    const zip = await zipped({
      'Twitarr_userfile/userfile.json': JSON.stringify({ users, performers, needsPhotographer: ['both'] }),
      [`Twitarr_userfile/userImages/${image}`]: colours[0] as Buffer,
      [`Twitarr_userfile/userImages/${photo}`]: colours[1] as Buffer,
    })
    await body(upload(zip))
    const report = await apply()
    assert.deepEqual(
      [report.userCounts, report.performerCounts, report.needsPhotographerCounts, report.otherErrors],
      [counts(3, 3), counts(1, 1), counts(1, 1), []],
    )
    await imagesDone()
    assert.deepEqual(await accountsIn(target), ['Old', 'Old.two', 'Other'])
    const rows = await target.sql`
      select username, person_id, user_image, display_name from account where username like 'O%' and not special order by username_key`
    assert.equal(rows[0]?.['personId'], rows[1]?.['personId'])
    assert.deepEqual(
      [rows[0]?.['userImage'], rows[0]?.['displayName'], rows[1]?.['displayName']],
      [image, 'Olden', rows[2]?.['displayName']],
    )
    const favourites = await target.sql`
      select owner.username as from, liked.username as to from favorite
      join account owner on owner.id = favorite.account_id join account liked on liked.id = favorite.favorite_id order by 1, 2`
    assert.deepEqual(
      favourites.map(({ from, to }) => `${from} ${to}`),
      ['Old Old.two', 'Old Other', 'Old.two Other', 'Other Old'],
    )
    await onlySettings(target, {})
    for (const name of ['Old', 'old.two', 'OTHER']) await body(loginAs(name, 'a password'))
    for (const name of ['Old', 'Old.two', 'Other']) assert.match((await hashesOf(name)).password, /^\$argon2id\$/)
    await close(target)
  })

  it('takes recovery keys of bcrypt, which a sub-account shares; the first right one makes argon2id of both', async () => {
    const [password, recoveryKey] = await Promise.all([bcrypt('a password', 4), bcrypt('lanternharborpickle', 4)])
    const code = await newCode(target)
    await run([
      await record('Keyholder', code, { password, recoveryKey }),
      await record('Keychild', code, { password, recoveryKey, parentUsername: 'Keyholder' }),
    ])
    await onlySettings(target, {})
    const recovering = (key: string, username = 'Keyholder') =>
      target.client().post('/auth/recovery', { username, recoveryKey: key, newPassword: 'something new' })
    await refused(recovering('lantern harbor nickle'), 400)
    assert.deepEqual(await hashesOf('Keyholder'), { password, key: recoveryKey })
    await body(recovering(' Lantern HARBOR pickle'))
    const renewed = await hashesOf('Keyholder')
    assert.match(renewed.key, /^\$argon2id\$/)
    assert.match(renewed.password, /^\$argon2id\$/)
    assert.deepEqual(await hashesOf('Keychild'), { password, key: renewed.key })
    await body(recovering('lantern harbor pickle', 'Keychild'))
    await body(loginAs('Keychild', 'something new'))
    await close(target)
  })

  it('makes recovery keys that cannot be checked ones that nobody has', async () => {
    const keys = ['plain', '$argon2id$v=19$m=999999,t=99,p=9$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo']
    const codes = await Promise.all(keys.map(() => newCode(target)))
    await run(await Promise.all(keys.map((recoveryKey, index) => record(`Key${index}`, codes[index] as string, { recoveryKey }))))
    assert.deepEqual(
      [...(await target.sql`select recovery_key_hash as key from account where username like 'Key%'`)],
      [{ key: null }, { key: null }],
    )
    for (const index of keys.keys())
      await refused(
        target.client().post('/auth/recovery', { username: `Key${index}`, recoveryKey: 'plain', newPassword: 'something new' }),
        400,
      )
  })

  it('waits for somebody who takes a code at the same moment, and leaves it to them', async () => {
    const [quick] = (await people(target, { username: 'Quick' })) as [Person]
    const code = await newCode(target)
    await body(upload(await bundle([await record('Late', code)])))
    let applying: ReturnType<typeof apply> | undefined
    await target.apps[1]?.node.db.transaction(async (sql) => {
      await sql`update registration_code set person_id = ${quick.personId} where code = ${code}`
      applying = apply()
      await until(
        async () =>
          (await target.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
        'the import waits',
      )
    })
    const { userCounts, regCodeConflicts } = await (applying as ReturnType<typeof apply>)
    assert.deepEqual([userCounts, regCodeConflicts.length], [counts(1, 0, 0, 1), 1])
    assert.deepEqual((await target.sql`select person_id from registration_code where code = ${code}`)[0], { personId: quick.personId })
    assert.deepEqual(await accountsIn(target), ['Quick'])
  })

  it('follows only events that there are', async () => {
    const [code, uids] = [await newCode(target), ['held', 'called off'].map((uid) => `${uid} ${randomUUID()}`)]
    await target.sql`
      insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at, deleted_at)
      select gen_random_uuid(), uid, 'An event', '', '', 'general', now(), now(), now(), case when uid like 'called off%' then now() end from unnest(${uids}::text[]) uid`
    await run([await record('Follower', code, { favoriteEvents: [...uids, 'unknown'] })])
    const followed = await target.sql`select uid from event_follower join event on event.id = event_id`
    assert.deepEqual([...followed], [{ uid: uids[0] }])
  })

  it('keeps names that look like others from now on, and those who photograph know of it at once on every node', async () => {
    const uid = `held ${randomUUID()}`
    await target.sql`
      insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at)
      values (gen_random_uuid(), ${uid}, 'An event', '', '', 'general', now(), now(), now())`
    await target.apps[0]?.node.channels.publishConfirmed('schedule', 'all', { type: 'changed' })
    const seen = async () =>
      await Promise.all(
        receiver.clients.map(async (client) => {
          const { shutternautData } = await body(client.get(`/events/${encodeURIComponent(uid)}`))
          return [shutternautData.needsPhotographer, shutternautData.photographers.map(({ username }: Person) => username)]
        }),
      )
    assert.deepEqual(await seen(), [
      [false, []],
      [false, []],
    ])
    await run([await record('Isolde', await newCode(target), { photographerEvents: [uid] })], { needsPhotographer: [uid] })
    assert.deepEqual(await seen(), [
      [true, ['Isolde']],
      [true, ['Isolde']],
    ])
    const { status, body: answer } = await receiver.one.post('/user/username', { username: 'lsolde' })
    assert.deepEqual([status, answer.code], [409, 'username_taken'])
  })

  it('gives a picture to whoever has none by then, and tells all nodes', async () => {
    const [imported, chosen] = [`${randomUUID().toUpperCase()}.jpg`, `${randomUUID().toUpperCase()}.jpg`]
    const [waiting, chooser, gone] = (await people(target, { username: 'Waiting' }, { username: 'Chooser' }, { username: 'Gone' })) as [
      Person,
      Person,
      Person,
    ]
    await target.sql`update account set user_image = ${chosen} where id = ${chooser.id}`
    await target.sql`update account set deleted_at = now() where id = ${gone.id}`
    const imageOf = async ({ id }: Person, client: Client) => (await body(client.get(`/users/${id}/header`))).userImage
    for (const client of receiver.clients) assert.equal(await imageOf(waiting, client), undefined)
    await body(upload(await bundle([], {}, { [imported]: await square('#aa5500') })))
    for (const { id } of [chooser, gone, waiting])
      await target.sql`insert into outbox (job, payload, run_at) values ('bulk-user-image', ${target.sql.json({ accountId: id, filename: imported })}, now())`
    await imagesDone()
    for (const client of receiver.clients)
      await until(async () => (await imageOf(waiting, client)) !== undefined, 'this node knows of the picture')
    assert.deepEqual((await target.sql`select user_image from account where id = ${chooser.id}`)[0], { userImage: chosen })
    assert.deepEqual((await target.sql`select user_image from account where id = ${gone.id}`)[0], { userImage: null }, 'who left meanwhile')
  })

  it('has its pictures processed one after another: other jobs get their turn', async () => {
    const names = Array.from({ length: 30 }, () => `${randomUUID().toUpperCase()}.jpg`)
    const codes = await Promise.all(names.map(() => newCode(target)))
    const users = await Promise.all(names.map((userImage, index) => record(`Turn${index}`, codes[index] as string, { userImage })))
    await body(upload(await bundle(users, {}, Object.fromEntries(names.map((name) => [name, Buffer.from('no picture')])))))
    assert.deepEqual((await apply()).userCounts, counts(30, 30))
    const rows = await target.sql<{ runAt: Date }[]>`select run_at from outbox where job = 'bulk-user-image' order by run_at`
    assert.ok(rows.length > 10, `${rows.length} wait`)
    const gaps = rows.slice(1).map(({ runAt }, index) => runAt.getTime() - (rows[index] as { runAt: Date }).runAt.getTime())
    assert.ok(Math.min(...gaps) >= 100, `${gaps.join()} ms apart`)
  })

  it('takes pictures of any kind that can be uploaded, and goes on without the others', async () => {
    const names = Array.from({ length: 6 }, () => `${randomUUID().toUpperCase()}.jpg`)
    const wide = await sharp({ create: { width: 90, height: 30, channels: 3, background: '#123456' } })
      .jpeg()
      .withMetadata({ exif: { IFD0: { Copyright: 'somebody' } } })
      .toBuffer()
    const images = {
      [names[0] as string]: wide,
      [names[1] as string]: Buffer.from('no picture'),
      'Strange name.png': await square('#ffffff'),
      [names[3] as string]: Buffer.alloc(0),
      [names[4] as string]: await square('#000000'),
    }
    const used = [names[0], names[1], 'Strange name.png', names[3], names[4], names[5], '../../../../etc/passwd']
    // A name that somebody's picture has already.
    const [other] = (await people(target, {})) as [Person]
    await target.sql`update account set user_image = ${names[4] as string} where id = ${other.id}`
    const codes = await Promise.all(used.map(() => newCode(target)))
    const report = await run(
      await Promise.all(used.map((userImage, index) => record(`Image${index}`, codes[index] as string, { userImage }))),
      {},
      images,
    )
    assert.deepEqual(report.userCounts, counts(7, 7))
    assert.deepEqual(
      report.otherErrors.map((line: string) => line.split(':')[0]),
      ['Image3', 'Image5', 'Image6'],
    )
    await imagesDone()
    const now = (await target.sql`select user_image from account where username like 'Image%' order by username`).map(
      ({ userImage }) => userImage as string | null,
    )
    assert.deepEqual(
      now.map((name) => name !== null),
      [true, false, true, false, true, false, false],
    )
    assert.equal(now[0], names[0])
    assert.notEqual(now[4], names[4])
    const stored = readFileSync(join(target.config.imagesDir, imagePath('full', now[0] as string)))
    const { width, height, exif } = await sharp(stored).metadata()
    assert.deepEqual([width, height, exif], [30, 30, undefined])
  })

  it('counts performers and events that it cannot take', async () => {
    const report = await run([], { performers: [{}, {}], needsPhotographer: ['uid'] })
    assert.deepEqual(
      [report.performerCounts, report.needsPhotographerCounts, report.otherErrors.length],
      [counts(2, 0, 0, 2), counts(1, 0, 0, 1), 3],
    )
  })

  it('of thousands costs as many statements as one of few', async () => {
    const codes = Array.from({ length: 1500 }, (_none, index) => `b${String(index).padStart(5, '0')}`)
    await target.sql`insert into registration_code ${target.sql(codes.map((code) => ({ code })))}`
    const user = await record('x', '')
    const users = codes.map((verification, index) => ({
      ...user,
      username: `Bulk${index}`,
      verification,
      favoriteUsers: [`Bulk${(index + 1) % 1500}`, 'nobody'],
    }))
    const statementsFor = async (some: unknown[], expected: object) => {
      await body(upload(await bundle(some)))
      return await countStatements(target.apps[0] as App, async () => {
        assert.deepEqual((await apply()).userCounts, expected)
      })
    }
    const few = await statementsFor(users.slice(0, 1), counts(1, 1))
    const many = await statementsFor(users, counts(1500, 1499, 1))
    assert.ok(many <= few + 1, `${many} statements instead of ${few}`)
    assert.deepEqual((await target.sql`select count(*)::int as number from favorite`)[0], { number: 1499 })
  })
})

describe('everything under /admin/bulkuserfile', () => {
  const calls = ['GET /download', 'POST /upload', 'GET /verify', 'GET /update/apply', 'POST /update/apply'].map(
    (call) => call.split(' ') as ['GET' | 'POST', string],
  )
  const call = (client: Client, [method, tail]: ['GET' | 'POST', string]): Promise<Answer> =>
    client.request(method, at + tail, method === 'POST' ? { body: 'x' } : {})

  it('is for admins while nobody else is let in', async () => {
    const [tho] = (await people(target, { level: 'tho' })) as [Person]
    for (const each of calls)
      for (const [client, status] of [
        [target.client(), 401],
        [tho.one, 403],
      ] as const)
        await refused(call(client, each), status)
    const change = (values: object) =>
      body(receiver.one.post('/admin/serversettings/update', { ...values, enableFeatures: [], disableFeatures: [] }))
    try {
      for (const values of [
        { minUserAccessLevel: 'tho' },
        { minUserAccessLevel: 'banned' },
        { minUserAccessLevel: 'admin', enablePreregistration: true },
      ]) {
        await change(values)
        for (const each of calls) assert.match(await refused(call(receiver.two, each), 400), /minUserAccessLevel/)
      }
    } finally {
      await change({ minUserAccessLevel: 'admin', enablePreregistration: false })
    }
  })

  it('needs an upload first', async () => {
    rmSync(join(target.config.imagesDir, 'admin'), { recursive: true, force: true })
    for (const each of calls.slice(2)) assert.match(await refused(call(receiver.one, each), 400), /No file/)
  })
})

describe('the file of users in a browser', () => {
  it('is not for a session alone: it needs the password and a ticket, which is good for this file, this caller and a minute', async () => {
    await close(source)
    const path = `${at}/download`
    const login = await source.client().post('/auth/login', undefined, {
      basic: [sender.username, testPassword],
      headers: { origin: source.urls[0] as string, 'x-session': 'cookie' },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const page = { cookie, origin: source.urls[0] as string, 'x-session': 'cookie' }
    /** As a link of a page without TLS: browsers say no more of themselves. */
    const link = (address: string) => source.client().file(address, { cookie })
    const ask = (currentPassword: string) => source.client().post(`${at}/ticket`, { currentPassword }, { headers: page })
    const audited = async () => (await source.sql`select from audit where action = 'exportUsers' and actor_id = ${sender.id}`).length

    const before = await audited()
    for (const address of [path, `${path}?ticket=`, `${path}?ticket=nonsense`, `${path}?ticket=${Date.now() + 1000}.x`])
      assert.equal((await link(address)).status, 400, address)
    await refused(ask('a wrong password'), 400)
    assert.equal(await audited(), before)

    const { ticket } = await body(ask(testPassword))
    assert.equal(await audited(), before + 1)
    const { status, bytes, headers } = await link(`${path}?ticket=${ticket}`)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.ok((await opened(bytes)).users.length > 0)

    // Neither for another admin, nor longer, nor for another file.
    const [other] = (await people(source, { level: 'admin' })) as [Person]
    assert.equal((await other.one.file(`${path}?ticket=${ticket}`)).status, 400)
    const [, signature] = String(ticket).split('.')
    assert.equal((await link(`${path}?ticket=${Date.now() + 3_600_000}.${signature}`)).status, 400)
    await source.sql`
      insert into operation (id, kind, input, state, asked_by, created_at)
      values (${randomUUID()}, 'everybody', '{"file":"moved.zip"}', 'done', ${sender.id}, now())`
    const moved = join(source.config.imagesDir, exportPath('moved.zip'))
    await mkdir(dirname(moved), { recursive: true })
    await writeFile(moved, 'a file')
    const everybody = await body(source.client().post('/admin/everybody/ticket', { currentPassword: testPassword }, { headers: page }))
    assert.equal((await link(`/admin/everybody?ticket=${everybody.ticket}`)).status, 200)
    assert.equal((await link(`${path}?ticket=${everybody.ticket}`)).status, 400)
    assert.equal((await link(`/admin/everybody?ticket=${ticket}`)).status, 400)

    // A program of the operator has a token, as the reference says, and leaves an entry, too.
    const counted = await audited()
    await download(sender.two)
    assert.equal(await audited(), counted + 1)
  })

  it('gives no ticket while the server is open, nor to others than admins', async () => {
    await onlySettings(source, {})
    await refused(sender.one.post(`${at}/ticket`, { currentPassword: testPassword }), 400)
    await close(source)
    const [tho] = (await people(source, { level: 'tho' })) as [Person]
    await refused(tho.one.post(`${at}/ticket`, { currentPassword: testPassword }), 403)
  })
})
