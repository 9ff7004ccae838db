// People who delete their accounts: what goes, what stays, and on which nodes. Two nodes and a worker.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { join } from 'node:path'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { features } from '../../src/features.ts'
import { exportPath } from '../../src/console/exports.service.ts'
import { keepMinute } from '../../src/console/figures.service.ts'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { startTestNodes, testTokenSecret, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { block, body, createChat, createSeamail, listen, people, refused, say, type Person } from '../support/fez.ts'
import { postIn, startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { hold } from '../support/locks.ts'
import { write } from '../support/microblog.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { streamPhoto } from '../support/photostream.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'
import { openClient, selectTables } from '../../src/backup/queries.ts'

let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
})
after(() => nodes.stop())

const allow = (allowAccountDeletion: boolean) =>
  body(admin.one.post('/admin/serversettings/update', { allowAccountDeletion, enableFeatures: [], disableFeatures: [] }))
beforeEach(() => allow(true))

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const leave = (who: Person, more: object = {}) =>
  who.one.post('/user/delete', { username: who.username, currentPassword: testPassword, ...more })

describe('POST /user/delete', () => {
  it('is off unless the host allows it, and says so before', async () => {
    await allow(false)
    const user = await someone()
    const { allowed, code, reason } = await body(user.two.get('/user/deletion'))
    const answer = await leave(user)
    assert.deepEqual([answer.status, answer.body.code], [403, 'deletion_not_allowed'])
    assert.deepEqual([allowed, code, reason], [false, answer.body.code, answer.body.reason])
    assert.equal((await user.two.get('/user/whoami')).status, 200)
  })

  it('wants the name typed and the right password, and is not for the team or second accounts', async () => {
    const user = await someone()
    const second = await someone({ subAccountOf: user })
    assert.match(await refused(leave(user, { username: 'somebody' }), 400), /name of this account/)
    assert.match(await refused(leave(user, { currentPassword: 'not it' }), 400), /wrong/)
    assert.equal((await leave(second)).body.code, 'primary_account_only')
    for (const level of ['client', 'moderator', 'serviceteam', 'tho', 'admin'] as const) {
      const member = await someone({ level })
      assert.equal((await body(member.one.get('/user/deletion'))).allowed, false)
      assert.equal((await leave(member)).body.code, 'level_not_settable', level)
    }
    assert.deepEqual((await body(user.one.get('/user/deletion'))).accounts, [user.username, second.username])
    await body(leave(user, { username: user.username.toUpperCase() }))
  })

  it('takes the parts that they have sung out of their songs, of which those of others stay', async () => {
    const [user, other] = [await someone(), await someone()]
    const { songID } = await sungSong(nodes, [user.id, other.id], { approved: true })
    await body(other.two.get(`/microkaraoke/song/${songID}`))
    await body(leave(user))
    await refused(other.two.get(`/microkaraoke/song/${songID}`), 400)
    const parts = await body<{ user: { userID: string } }[]>(admin.two.get(`/mod/microkaraoke/snippets/${songID}`))
    assert.deepEqual(
      parts.map(({ user: { userID } }) => userID),
      [other.id],
    )
  })

  it('happens once, however often it is asked for at once', async () => {
    const user = await someone()
    const lock = await hold(nodes.database.url, `select from account where id = '${user.id}' for update`)
    const answers = [leave(user), leave(user)]
    await lock.awaited(2)
    await lock.release()
    const both = await Promise.all(answers)
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
    assert.equal(both.find(({ status }) => status === 400)?.body.code, 'already_done')
    const acts = await nodes.sql`select from audit where action = 'deleteAccount' and user_id = ${user.id}`
    assert.equal(acts.length, 1)
  })

  it('signs all accounts out on all nodes at once, closes their sockets, and lets nobody sign in again', async () => {
    const user = await someone()
    const second = await someone({ subAccountOf: user })
    const sockets = [...(await listen(user)), ...(await listen(second))]
    await nodes.sql`insert into registration_code (code, person_id) values (${user.id.slice(0, 6)}, ${user.id})`
    await body(leave(user))
    for (const client of [user.one, user.two, second.one, second.two]) assert.equal((await client.get('/user/whoami')).status, 401)
    for (const socket of sockets) await socket.closed
    for (const { username } of [user, second])
      assert.equal((await nodes.client().post('/auth/login', undefined, { basic: [username, testPassword] })).status, 401)
    const recovery = await nodes
      .client()
      .post('/auth/recovery', { username: user.username, recoveryKey: user.id.slice(0, 6), newPassword: 'another one' })
    assert.ok(recovery.status >= 400)
    const [code] = await nodes.sql`select person_id from registration_code where code = ${user.id.slice(0, 6)}`
    assert.equal(code?.['personId'], user.id, 'the code stays used')
    await body(nodes.client().post('/user/create', { username: user.username, password: 'a password' }), 201)
  })

  it('keeps what others have answered, without the name; the rest is gone', async () => {
    const [user, other, third] = (await people(nodes, { username: 'Walrus-one', displayName: 'The Walrus' }, {}, {})) as [
      Person,
      Person,
      Person,
    ]
    const { forumID } = await startForum(user.one, 'What the walrus asked')
    await postIn(other.one, forumID, 'An answer')
    await write(user.one, 'A short post of theirs')
    const seamail = await createSeamail(user.one, [other])
    await say(user.one, seamail, 'A letter of theirs')
    const group = await createChat(user.one)
    await body(other.one.post(`/fez/${group}/join`), 201)
    // One is called off already, and one is over: neither is called off again.
    const calledOff = await createChat(user.one)
    await body(user.one.post(`/fez/${calledOff}/cancel`))
    const isOver = await createChat(user.one, { startTime: '2020-03-01T10:00:00Z', endTime: '2020-03-01T11:00:00Z' })
    await body(other.one.post(`/fez/${isOver}/join`), 201)
    const joined = await createChat(other.one)
    await body(user.one.post(`/fez/${joined}/join`), 201)
    await body(user.one.post(`/users/${other.id}/note`, { note: 'their note' }), 201)
    await body(other.one.post(`/users/${user.id}/note`, { note: 'a note on them' }), 201)
    await body(user.one.post(`/users/${third.id}/mute`), 201)
    await block(third, user)
    await body(user.one.post('/user/profile', { ...emptyProfile, displayName: 'The Walrus', about: 'Tusks' }))
    assert.equal((await body(user.one.get('/user/deletion'))).groups, 1)
    const photo = await streamPhoto(nodes, user)
    const showsPhoto = async (client: Client) =>
      (await body(client.get('/photostream'))).photos.some(({ postID }: { postID: number }) => postID === photo)
    assert.equal(await showsPhoto(other.one), true)
    await body(leave(user))

    for (const client of [other.one, other.two]) {
      const { posts, creator } = await body(client.get(`/forum/${forumID}`))
      assert.equal(posts[0].text, 'first')
      for (const { username, displayName } of [creator, posts[0].author])
        assert.deepEqual([username.startsWith('deleted-'), displayName ?? ''], [true, ''])
      const mine = (await body(client.get('/microblog'))).find(({ text }: { text: string }) => text === 'A short post of theirs')
      assert.match(mine.author.username, /^deleted-/)
      const chat = await body(client.get(`/fez/${seamail}`))
      assert.equal(chat.members.posts[0].text, 'A letter of theirs')
      assert.deepEqual(
        chat.members.participants.map(({ userID }: { userID: string }) => userID),
        [other.id],
      )
      assert.equal((await body(client.get(`/fez/${group}`))).cancelled, true)
      assert.equal((await body(client.get(`/fez/${isOver}`))).cancelled, false)
      await until(async () => !(await showsPhoto(client)), 'the photo is gone')
      // Groups of others go on, and so do seamails.
      const { participantCount, cancelled } = await body(client.get(`/fez/${joined}`))
      assert.deepEqual([participantCount, cancelled, chat.cancelled], [1, false, false])
      assert.deepEqual(await body(client.get('/users/match/allnames/walrus')), [])
    }
    const { about } = await body(other.one.get(`/users/${user.id}/profile`))
    assert.ok(!about)
    const rest = await textsOf(nodes.sql as never, ['walrus', 'tusks', 'their note', 'a note on them'])
    assert.deepEqual(
      rest.filter((table) => !['forum', 'forum_edit', 'audit', 'fez_edit'].includes(table)),
      [],
      'only the title of the forum is left',
    )
    assert.deepEqual((await body(third.two.get('/users/blocks'))).filter(Boolean), [])
  })

  it('leaves nothing in any column of the account, and no row that is theirs alone', async () => {
    const user = await someone()
    const { sql } = nodes
    const columns = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_name = 'account' and data_type = 'text' and is_generated = 'NEVER'
        and column_name not in ('username', 'username_key', 'look', 'folded_look', 'password_hash', 'recovery_key_hash', 'token_digest', 'token_nonce')`
    for (const { name } of columns) await sql`update account set ${sql(name)} = 'left-by-a-walrus' where id = ${user.id}`
    await sql`insert into known_address (person_id, address_digest, seen_at) values (${user.id}, '\\x0102', now())`
    const own = features.flatMap(({ tables = [] }) =>
      tables.flatMap(({ name, persons = {} }) =>
        Object.entries(persons).flatMap(([column, onDeletion]) => (onDeletion === 'removed' ? [{ name, column }] : [])),
      ),
    )
    await body(leave(user))
    assert.deepEqual(
      (await textsOf(sql as never, ['left-by-a-walrus'])).filter((table) => table !== 'audit'),
      [],
    )
    for (const { name, column } of own) {
      const [row] = await sql<[{ n: number }]>`select count(*)::int as n from ${sql(name)} where ${sql(column)} = ${user.id}`
      assert.equal(row.n, 0, `${name}.${column}`)
    }
  })

  it('is nobody to write to any more, for somebody who still has them on a page', async () => {
    const [user, other, third] = [await someone(), await someone(), await someone()]
    const seamail = { fezType: 'closed', title: 'To a walrus', info: '', minCapacity: 0, maxCapacity: 0 }
    const open = await createChat(other.one, { fezType: 'open', info: '' })
    await body(leave(user))
    assert.match(await refused(other.two.post('/fez/create', { ...seamail, initialUsers: [user.id] }), 400), /two users/)
    const { members } = await body(other.two.post('/fez/create', { ...seamail, initialUsers: [user.id, third.id] }), 201)
    assert.deepEqual(
      members.participants.map(({ userID }: { userID: string }) => userID),
      [other.id, third.id],
    )
    await refused(other.two.post(`/fez/${open}/user/${user.id}/add`), 400)
  })

  it('is not noted as seen in the minute in which they left', async () => {
    const [user, other] = [await someone(), await someone()]
    for (const { two } of [user, other]) await body(two.get('/user/whoami'))
    await body(leave(user))
    for (const { node } of nodes.apps) await keepMinute(node)
    const seen = await nodes.sql`select account_id from account_seen where account_id in ${nodes.sql([user.id, other.id])}`
    assert.deepEqual([...seen], [{ accountId: other.id }])
  })

  it('happens once when it is asked for twice at the same time', async () => {
    const user = await someone()
    const answers = await Promise.all([
      leave(user),
      user.two.post('/user/delete', { username: user.username, currentPassword: testPassword }),
    ])
    assert.deepEqual(answers.map(({ status }) => status === 200).filter(Boolean), [true])
    const [{ n }] = await nodes.sql<
      [{ n: number }]
    >`select count(*)::int as n from audit where action = 'deleteAccount' and actor_id = ${user.id}`
    assert.equal(n, 1)
  })

  for (const [what, ask] of [
    ['a profile', ({ two }) => two.post('/user/profile', { ...emptyProfile, displayName: 'The Walrus', about: 'Tusks' })],
    ['a name', ({ two, username }) => two.post('/user/username', { username: `${username}-again` })],
    ['a login', ({ username }) => nodes.client(undefined, 1).post('/auth/login', undefined, { basic: [username, testPassword] })],
    [
      'a recovery',
      ({ username }) =>
        nodes.client(undefined, 1).post('/auth/recovery', { username, recoveryKey: testRecoveryKey, newPassword: 'another one' }),
    ],
    ['a registration code', ({ two, id }) => two.post('/user/verify', { verification: id.slice(0, 6) })],
  ] as [string, (user: Person) => Promise<Answer>][])
    it(`leaves nothing of ${what} that comes at the same moment from another device`, async () => {
      const user = await someone({ level: what === 'a registration code' ? 'unverified' : 'verified' })
      await nodes.sql`insert into registration_code (code) values (${user.id.slice(0, 6)})`
      const held = await hold(nodes.database.url, `select from account where id = '${user.id}' for no key update`)
      const leaving = leave(user)
      await held.awaited()
      const asking = ask(user)
      await held.awaited(2)
      await held.release()
      await body(leaving)
      assert.ok((await asking).status >= 400)
      const [row] = await nodes.sql`
        select username, display_name, about, level, password_hash, token_digest from account where id = ${user.id}`
      const gone = { displayName: null, about: null, level: 'unverified', passwordHash: '', tokenDigest: null }
      assert.deepEqual(row, { username: `deleted-${user.id.slice(0, 13)}`, ...gone })
    })

  it('is refused to somebody who becomes a member of the team at the same moment', async () => {
    const user = await someone()
    const held = await hold(nodes.database.url, `select from account where id = '${user.id}' for no key update`)
    const promoting = admin.two.post(`/admin/moderator/promote/${user.id}`)
    await held.awaited()
    const leaving = leave(user)
    await held.awaited(2)
    await held.release()
    assert.ok((await promoting).status < 300)
    assert.equal((await body(leaving, 400)).code, 'level_not_settable')
    assert.equal((await user.two.get('/user/whoami')).status, 200)
  })

  it('puts the picture away', async () => {
    const user = await someone()
    const name = storedImage(nodes)
    await nodes.sql`update account set user_image = ${name} where id = ${user.id}`
    const path = join(nodes.config.imagesDir, 'full', name.slice(0, 2), name)
    assert.ok(existsSync(path))
    await body(leave(user))
    assert.ok(!existsSync(path))
  })

  it('takes the file of all that is known about them along', async () => {
    const user = await someone()
    await body(user.one.post('/user/export'))
    await until(async () => (await body(user.two.get('/user/export'))).state === 'done', 'the file is there', 60_000)
    const [row] = await nodes.sql<{ file: string }[]>`select input->>'file' as file from operation where person_id = ${user.id}`
    const path = join(nodes.config.imagesDir, exportPath(row?.file as string))
    assert.ok(existsSync(path))
    await body(leave(user))
    assert.ok(!existsSync(path))
  })

  it('is no longer among the people, the searches and the files that move to another server', async () => {
    const user = await someone({ username: 'Search-for-me' })
    await body(leave(user))
    for (const text of ['search-for', 'deleted-']) {
      assert.deepEqual((await body(admin.two.get(`/admin/users?search=${text}`))).users, [])
      assert.deepEqual(await body(admin.one.get(`/users/match/username/${text}`)), [])
    }
  })

  it('is in a backup that is made afterwards, and back with one that is restored', async (t) => {
    const [user, other] = [await someone({ username: 'Restored-walrus' }), await someone()]
    const { forumID } = await startForum(user.one, 'A forum of theirs')
    await body(leave(user))
    const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-deletion-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'backup.tar')
    const made = await runTool('backup', [file], { DATABASE_URL: nodes.database.url, DATA_DIR: nodes.config.dataDir })
    assert.equal(made.code, 0, made.output)
    const database = await createEmptyDatabase()
    t.after(() => database.drop())
    const dataDir = join(directory, 'data')
    const restored = await runTool('restore', [file], { DATABASE_URL: database.url, DATA_DIR: dataDir, TOKEN_SECRET: testTokenSecret })
    assert.equal(restored.code, 0, restored.output)
    const sql = openClient(database.url)
    t.after(() => sql.end())
    const [row] = await sql`select username, deleted_at, password_hash from account where id = ${user.id}`
    assert.match(row?.['username'], /^deleted-/)
    assert.ok(row?.['deletedAt'])
    assert.equal(row?.['passwordHash'], '')
    assert.deepEqual(await textsOf(sql as never, ['restored-walrus']), [])
    assert.equal((await body(other.one.get(`/forum/${forumID}`))).posts.length, 1)
  })
})

const emptyProfile = {
  header: undefined,
  about: '',
  email: '',
  homeLocation: '',
  message: '',
  preferredPronoun: '',
  realName: '',
  roomNumber: '',
}

/** Tables in which one of these texts stands. */
async function textsOf(sql: ReturnType<typeof openClient>, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await selectTables(sql)) {
    const rows = await sql<{ line: string }[]>`select row(each)::text as line from ${sql(name)} each`
    if (rows.some(({ line }) => texts.some((text) => line.toLowerCase().includes(text)))) found.push(name)
  }
  return found
}
