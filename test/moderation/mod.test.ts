// /mod/user: what moderators do with persons. Two nodes on one database: what one does holds on the other.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { accessLevels } from '../../src/core/base/viewer.ts'
import { testPassword, type AccountOptions } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, createChat, lfg, names, people, refused, say, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'

let nodes: TestNodes
let moderator: Person
let tho: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator, tho] = (await people(nodes, { level: 'moderator' }, { level: 'tho' })) as [Person, Person]
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const hourMs = 3_600_000

const look = (client: Client, id: string): Promise<Answer> => client.get(`/mod/user/${id}`)
const setLevel = (client: Client, id: string, level: string): Promise<Answer> => client.post(`/mod/user/${id}/setaccesslevel/${level}`)
const quarantine = (client: Client, id: string, hours: number | string): Promise<Answer> =>
  client.post(`/mod/user/${id}/tempquarantine/${hours}`)

async function person(...options: AccountOptions[]): Promise<[Person, ...Person[]]> {
  const [primary] = (await people(nodes, options[0])) as [Person]
  const subs = await people(nodes, ...options.slice(1).map((each) => ({ ...each, subAccountOf: primary })))
  return [primary, ...subs]
}

const levelsOf = async ({ personId }: Person): Promise<string[]> =>
  (
    await nodes.sql<
      { level: string }[]
    >`select level from account where person_id = ${personId} order by id <> person_id, created_at, username`
  ).map(({ level }) => level)
const logOf = async ({ personId }: Person) =>
  await nodes.sql`select action_type, content_type, content_id, moderator_id, target_user_id from moderator_action where content_id = ${personId} order by created_at`
const auditOf = async ({ personId }: Person) =>
  await nodes.sql`select actor_id, action, subject_type, subject_id, user_id, details, request_id from audit where user_id = ${personId} order by id`

describe('GET /mod/user/:user_id', () => {
  it('shows the person of any account: primary first, all reports on any of them, newest first', async () => {
    const [primary, a, b] = (await person({ displayName: 'Captain' }, {}, {})) as [Person, Person, Person]
    const [reporter, other] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(a.one)
    const postID = await say(b.one, await createChat(b.one), 'hello')
    await body(reporter.one.post(`/users/${primary.id}/report`, { message: 'first' }), 201)
    await body(reporter.one.post(`/fez/${fezID}/report`, { message: 'second' }), 201)
    await body(other.two.post(`/fez/post/${postID}/report`, { message: '' }), 201)
    await body(other.two.post(`/users/${reporter.id}/report`, { message: 'somebody else' }), 201)
    const seen = await body(look(moderator.two, b.id.toUpperCase()))
    assert.deepEqual(seen.header, { userID: primary.id, username: primary.username, displayName: 'Captain' })
    assert.deepEqual(names(seen.subAccounts).toSorted(), [a.username, b.username].toSorted())
    assert.equal(seen.accessLevel, 'verified')
    assert.ok(!('tempQuarantineEndTime' in seen))
    assert.deepEqual(
      seen.reports.map(({ type, reportedID, submitterMessage }: Record<string, unknown>) => [type, reportedID, submitterMessage]),
      [
        ['fezPost', String(postID), ''],
        ['fez', fezID, 'second'],
        ['userProfile', primary.id, 'first'],
      ],
    )
    const { id: _id, creationTime, updateTime, ...report } = seen.reports[1]
    assert.equal(creationTime, updateTime)
    assert.deepEqual(report, {
      type: 'fez',
      reportedID: fezID,
      reportedUser: { userID: a.id, username: a.username },
      submitterMessage: 'second',
      author: { userID: reporter.id, username: reporter.username },
      isClosed: false,
    })
    assert.deepEqual(await body(look(moderator.one, primary.id)), seen)
  })

  it('is refused to others, and for users who do not exist', async () => {
    const [user, client] = (await people(nodes, {}, { level: 'client' })) as [Person, Person]
    await refused(look(nodes.client(), user.id), 401)
    for (const { one } of [user, client]) await refused(look(one, user.id), 403)
    for (const id of [nobody, 'x', '1']) await refused(look(moderator.one, id), 400)
  })
})

describe('POST /mod/user/:user_id/setaccesslevel/:access_level', () => {
  it('changes all accounts, ends their tokens and closes their sockets on all nodes before it answers', async () => {
    const [primary, sub] = (await person({}, {})) as [Person, Person]
    const sockets = await Promise.all([primary.one, primary.two, sub.one, sub.two].map((client) => client.socket('/notification/socket')))
    const chat = await createChat(sub.one)
    sockets.push(await sub.two.socket(`/fez/${chat}/socket`))
    const headers = { 'x-request-id': 'the-request-of-the-audit' }
    assert.equal(
      await body(moderator.two.post(`/mod/user/${sub.id.toUpperCase()}/setaccesslevel/Quarantined`, undefined, { headers })),
      undefined,
    )
    for (const client of [primary.one, primary.two, sub.one, sub.two]) await refused(client.get('/user/whoami'), 401)
    for (const socket of sockets) await socket.closed()
    assert.deepEqual(await levelsOf(primary), ['quarantined', 'quarantined'])
    assert.deepEqual(
      [...(await logOf(primary))],
      [
        {
          actionType: 'accessLevelQuarantined',
          contentType: 'userProfile',
          contentId: primary.id,
          moderatorId: moderator.id,
          targetUserId: primary.id,
        },
      ],
    )
    assert.deepEqual(
      [...(await auditOf(primary))],
      [
        {
          actorId: moderator.id,
          action: 'setAccessLevel',
          subjectType: 'user',
          subjectId: sub.id,
          userId: primary.id,
          details: { from: 'verified', to: 'quarantined', accounts: 2 },
          requestId: 'the-request-of-the-audit',
        },
      ],
    )
    assert.equal((await body(look(moderator.one, sub.id))).accessLevel, 'quarantined')

    const token = (await body(nodes.client().post('/auth/login', undefined, { basic: [sub.username, testPassword] }))).token
    await refused(nodes.client(token, 1).post('/fez/create', lfg()), 403)
    await body(setLevel(moderator.one, primary.id, 'verified'))
    await refused(nodes.client(token, 1).get('/user/whoami'), 401)
    assert.deepEqual(await levelsOf(primary), ['verified', 'verified'])
  })

  it('bans and un-verifies only for tho and above; the banned cannot come back by themselves', async () => {
    const [primary, sub] = (await person({}, {})) as [Person, Person]
    for (const level of ['banned', 'unverified']) await refused(setLevel(moderator.one, primary.id, level), 400)
    await body(setLevel(tho.one, primary.id, 'banned'))
    for (const { username } of [primary, sub])
      await refused(nodes.client(undefined, 1).post('/auth/login', undefined, { basic: [username, testPassword] }), 403)
    for (const level of ['verified', 'quarantined']) await refused(setLevel(moderator.two, sub.id, level), 400)
    assert.deepEqual(await levelsOf(primary), ['banned', 'banned'])
    await body(setLevel(tho.two, sub.id, 'unverified'))
    assert.deepEqual(await levelsOf(primary), ['unverified', 'unverified'])
    const token = (await body(nodes.client().post('/auth/login', undefined, { basic: [sub.username, testPassword] }))).token
    assert.equal((await body(nodes.client(token).get('/user/whoami'))).accessLevel, 'unverified')
    assert.deepEqual(
      (await logOf(primary)).map(({ actionType }) => actionType),
      ['accessLevelBanned', 'accessLevelUnverified'],
    )
  })

  it('refuses other levels before anything else, and unknown users', async () => {
    const [user] = await person({})
    for (const level of [...accessLevels.slice(accessLevels.indexOf('client')), 'nonsense', '%00', 'verified%20']) {
      for (const id of [user.id, nobody, builtIn.admin]) await refused(setLevel(tho.one, id, level), 400)
    }
    assert.match(await refused(setLevel(tho.one, nobody, 'moderator'), 400), /unverified/)
    assert.match(await refused(setLevel(moderator.one, nobody, 'banned'), 400), /tho/)
    for (const id of [nobody, 'x']) await refused(setLevel(moderator.one, id, 'verified'), 400)
    for (const [client, status] of [
      [nodes.client(), 401],
      [user.one, 403],
    ] as const)
      await refused(setLevel(client, user.id, 'verified'), status)
    assert.equal((await logOf(user)).length, 0)
  })

  it('refuses built-in and client accounts, also as a part of a person', async () => {
    const [withClient] = await person({}, { level: 'client' })
    for (const id of [...Object.values(builtIn), withClient.id]) {
      for (const level of ['verified', 'quarantined', 'banned']) await refused(setLevel(tho.one, id, level), 400)
    }
    assert.deepEqual(await levelsOf(withClient), ['verified', 'client'])
  })

  it('refuses a person with an account of the team, unless the level is verified', async () => {
    const [primary, team] = (await person({ level: 'quarantined' }, { level: 'serviceteam' }, {})) as [Person, Person, Person]
    const reason = await refused(setLevel(tho.one, primary.id, 'quarantined'), 400)
    assert.ok(reason.includes(team.username) && reason.includes('3'), reason)
    for (const level of ['banned', 'unverified']) await refused(setLevel(tho.one, team.id, level), 400)
    await body(team.one.get('/user/whoami'))
    await body(setLevel(tho.one, primary.id, 'verified'))
    // The token is gone although the level has stayed.
    for (const client of team.clients) await refused(client.get('/user/whoami'), 401)
    assert.deepEqual((await levelsOf(primary)).toSorted(), ['serviceteam', 'verified', 'verified'])
  })

  it('signs nobody out who has an account above the caller: neither by that account nor by another of theirs', async () => {
    for (const [caller, level] of [
      [moderator, 'serviceteam'],
      [moderator, 'tho'],
      [moderator, 'admin'],
      [tho, 'admin'],
    ] as const) {
      const [primary, sub] = (await person({ level }, {})) as [Person, Person]
      const socket = await primary.two.socket('/notification/socket')
      for (const id of [primary.id, sub.id]) assert.match(await refused(setLevel(caller.one, id, 'verified'), 400), /higher level/)
      for (const { two } of [primary, sub]) await body(two.get('/user/notes'))
      await socket.flushed()
      assert.ok(socket.open)
      assert.deepEqual([await levelsOf(primary), [...(await logOf(primary))], [...(await auditOf(primary))]], [[level, 'verified'], [], []])
    }
    // One of the same level is not above.
    const [peer] = (await person({ level: 'moderator' })) as [Person]
    await body(setLevel(moderator.one, peer.id, 'verified'))
  })

  it('leaves no gap for a sub-account made at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [primary] = await person({})
      await Promise.all([
        setLevel(tho.one, primary.id, 'banned'),
        ...Array.from({ length: 4 }, (_, index) =>
          primary.two.post('/user/add', { username: `late${round}${index}-${primary.id.slice(0, 8)}`, password: 'password' }),
        ),
      ])
      assert.deepEqual([...new Set(await levelsOf(primary))], ['banned'])
    }
  })

  it('leaves no token to a login at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const [primary] = await person({})
      const [, ...logins] = await Promise.all([
        setLevel(tho.one, primary.id, 'banned'),
        ...Array.from({ length: 3 }, () =>
          nodes.client(undefined, 1).post('/auth/login', undefined, { basic: [primary.username, testPassword] }),
        ),
      ])
      for (const { status, body: answer } of logins)
        if (status === 200) await refused(nodes.client(answer.token, 1).get('/user/whoami'), 401)
      await refused(primary.two.get('/user/whoami'), 401)
    }
  })
})

describe('POST /mod/user/:user_id/tempquarantine/:quarantine_length', () => {
  const creates = (client: Client) => client.post('/fez/create', lfg())

  it('keeps all accounts of a person from creating, on all nodes, and leaves them logged in', async () => {
    const [primary, sub] = (await person({}, {})) as [Person, Person]
    const socket = await sub.two.socket('/notification/socket')
    const fezID = await createChat(primary.one)
    const earliest = Date.now()
    assert.equal(await body(quarantine(moderator.one, sub.id, 199)), undefined)
    const end = Date.parse((await body(look(moderator.two, primary.id))).tempQuarantineEndTime)
    assert.ok(end >= earliest + 199 * hourMs && end <= Date.now() + 199 * hourMs)
    for (const { clients } of [primary, sub]) {
      for (const client of clients) {
        await refused(creates(client), 403)
        await refused(client.post('/user/profile', {}), 403)
        await refused(client.post('/user/add', { username: 'never-made', password: 'password' }), 403)
        await body(client.get('/fez/joined'))
      }
    }
    await refused(primary.two.post(`/fez/${fezID}/update`, lfg({ title: 'Other' })), 403)
    await refused(primary.two.post(`/fez/${fezID}/post`, { text: 'x', images: [] }), 403)
    const open = await createChat(moderator.one)
    await body(sub.one.post(`/fez/${open}/join`), 201)
    await body(sub.two.post(`/fez/${open}/report`, { message: '' }), 201)
    await socket.flushed()
    assert.ok(socket.open)
    assert.deepEqual(await levelsOf(primary), ['verified', 'verified'])

    await body(quarantine(moderator.two, primary.id, 0))
    assert.ok(!('tempQuarantineEndTime' in (await body(look(moderator.one, primary.id)))))
    for (const client of sub.clients) await body(creates(client), 201)
    assert.deepEqual(
      (await logOf(primary)).map(({ actionType }) => actionType),
      ['tempQuarantine', 'tempQuarantineCleared'],
    )
    assert.deepEqual(
      (await auditOf(primary)).map(({ action }) => action),
      ['tempQuarantine', 'tempQuarantine'],
    )
  })

  it('logs every change of the length, and a clearing only where there was an end, even a past one', async () => {
    const [user] = await person({})
    await body(quarantine(moderator.one, user.id, 0))
    assert.deepEqual([...(await logOf(user))], [])
    for (const hours of [1, 24]) await body(quarantine(moderator.one, user.id, hours))
    await nodes.sql`update account set temp_quarantine_until = now() - interval '1 day' where id = ${user.id}`
    for (let time = 0; time < 2; time++) await body(quarantine(moderator.one, user.id, 0))
    assert.deepEqual(
      (await logOf(user)).map(({ actionType }) => actionType),
      ['tempQuarantine', 'tempQuarantine', 'tempQuarantineCleared'],
    )
  })

  it('refuses other lengths, the team, clients and unknown users', async () => {
    const [user, team, client] = (await people(nodes, {}, { level: 'moderator' }, { level: 'client' })) as [Person, Person, Person]
    for (const hours of ['-1', '200', '1.5', 'x', '1e2', '99999999999', '%00']) await refused(quarantine(tho.one, user.id, hours), 400)
    for (const id of [team.id, client.id, ...Object.values(builtIn), nobody, 'x']) await refused(quarantine(tho.one, id, 1), 400)
    for (const [caller, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [client.one, 403],
    ] as const)
      await refused(quarantine(caller, user.id, 1), status)
    await body(creates(user.two), 201)
  })

  it('does not reach somebody above the caller through another account of theirs', async () => {
    const [primary, sub] = (await person({ level: 'tho' }, {})) as [Person, Person]
    assert.match(await refused(quarantine(moderator.one, sub.id, 1), 400), /higher level/)
    for (const { two } of [primary, sub]) await body(creates(two), 201)
    await body(quarantine(tho.one, sub.id, 1))
    await refused(creates(primary.two), 403)
  })

  it('reaches the account of a moderator through another account of his', async () => {
    const [primary, team] = (await person({}, { level: 'moderator' })) as [Person, Person]
    await refused(quarantine(tho.one, team.id, 1), 400)
    await body(quarantine(tho.one, primary.id, 1))
    await refused(creates(team.two), 403)
    // What moderators are for stays possible.
    await body(look(team.two, primary.id))
  })

  it('ends by the clock', async () => {
    const [user] = (await people(nodes, { tempQuarantineUntil: new Date(Date.now() - 1000) })) as [Person]
    await body(creates(user.one), 201)
  })
})

describe('/mod/templates', () => {
  const letter = { title: 'A letter', content: 'Hello' }
  const most = 100

  it('are added once by a request that is repeated', async () => {
    const headers = { 'idempotency-key': 'letter-once' }
    const { templateID } = await body(moderator.one.post('/mod/templates', letter, { headers }), 201)
    assert.equal((await body(moderator.two.post('/mod/templates', letter, { headers }), 201)).templateID, templateID)
  })

  it('are a hundred at most, also when two are added at once', async () => {
    await nodes.sql`delete from seamail_template`
    await nodes.sql`
      insert into seamail_template (id, title, content, author_id, updated_at)
      select gen_random_uuid(), 'Letter ' || number, 'Hello', ${moderator.id}, now() from generate_series(1, ${most - 1}) number`
    // Both get as far as they can before either is there.
    const lock = await hold(nodes.database.url, 'lock table seamail_template in share mode')
    const answers = Promise.all(moderator.clients.map((client) => client.post('/mod/templates', letter)))
    await lock.awaited(2)
    await lock.release()
    assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [201, 400])
    assert.match(await refused(moderator.one.post('/mod/templates', letter), 400), /100 templates/)
    const [one] = await body(moderator.two.get('/mod/templates'))
    await body(moderator.one.post(`/mod/templates/${one.templateID}`, { ...letter, content: 'Another text' }))
    await body(moderator.one.delete(`/mod/templates/${one.templateID}`))
    // Whoever changes it after that does not make it again.
    await refused(moderator.two.post(`/mod/templates/${one.templateID}`, letter), 400)
    assert.equal((await body(moderator.two.get('/mod/templates'))).length, 99)
    await body(moderator.two.post('/mod/templates', letter), 201)
  })
})

describe('names and profiles', () => {
  it('of somebody above the caller stay as they are, those of their other accounts too', async () => {
    const [primary, sub] = (await person({ level: 'tho' }, {})) as [Person, Person]
    const [low] = (await person({})) as [Person]
    for (const { id } of [primary, sub]) {
      await refused(moderator.one.post(`/user/${id}/username`, { username: `taken-${id.slice(0, 8)}` }), 403)
      await refused(moderator.one.post(`/user/${id}/profile`, { about: 'About them' }), 403)
      await refused(moderator.two.delete(`/user/${id}/image`), 403)
    }
    for (const [caller, { id }] of [
      [moderator, low],
      [tho, sub],
      [primary, primary],
    ] as const)
      await body(caller.one.post(`/user/${id}/profile`, { about: 'About them' }))
  })
})
