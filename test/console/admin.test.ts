// /admin: who belongs to the team, and who has which role. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { userRoles } from '../../src/accounts/types.ts'
import { accessLevels, type UserAccessLevel } from '../../src/core/base/viewer.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, createSeamail, names, people, refused, say, type Person } from '../support/fez.ts'

let nodes: TestNodes
let tho: Person
let admin: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[tho, admin] = (await people(nodes, { level: 'tho' }, { level: 'admin' })) as [Person, Person]
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const promote = (client: Client, id: string, level: string): Promise<Answer> => client.post(`/admin/${level}/promote/${id}`)
const demote = (client: Client, id: string): Promise<Answer> => client.post(`/admin/user/demote/${id}`)
const whoami = (client: Client) => body(client.get('/user/whoami'))
const levelOf = async (id: string): Promise<string> => (await nodes.sql`select level from account where id = ${id}`)[0]?.['level']
const logOf = async (id: string): Promise<string[]> =>
  (await nodes.sql`select action_type from moderator_action where content_id = ${id} order by created_at`).map(
    ({ actionType }) => actionType,
  )

describe('POST /admin/…/promote/:user_id', () => {
  const allowed: Record<string, UserAccessLevel[]> = {
    moderator: ['verified'],
    serviceteam: ['verified', 'moderator'],
    tho: ['verified', 'moderator', 'serviceteam'],
    admin: ['verified', 'moderator', 'serviceteam', 'tho'],
  }

  it('changes one account, in force on all nodes when it is answered, with the token it has', async () => {
    const [user] = (await people(nodes, {})) as [Person]
    const [sub] = (await people(nodes, { subAccountOf: user })) as [Person]
    for (const level of ['moderator', 'serviceteam', 'tho', 'admin']) {
      assert.equal(await body(promote(admin.two, user.id.toUpperCase(), level)), undefined)
      for (const client of user.clients) assert.equal((await whoami(client)).accessLevel, level)
    }
    assert.equal((await whoami(sub.two)).accessLevel, 'verified')
    assert.deepEqual(await logOf(user.id), ['accessLevelModerator', 'accessLevelServiceTeam', 'accessLevelTHO'])
    const [entry] =
      await nodes.sql`select actor_id, action, user_id, details from audit where user_id = ${user.id} order by id desc limit 1`
    assert.deepEqual(entry, { actorId: admin.id, action: 'promote', userId: user.id, details: { from: 'tho', to: 'admin' } })
  })

  it('takes whom the team types, by id or name, and no id for a name', async () => {
    const [user, other] = (await people(nodes, {}, {})) as [Person, Person]
    // Somebody who calls themselves by another's id.
    const [impostor] = (await people(nodes, { username: other.id })) as [Person]
    for (const name of [user.username, `@${user.username.toUpperCase()}`, user.id]) {
      await body(promote(admin.one, name, 'moderator'))
      assert.equal(await levelOf(user.id), 'moderator')
      assert.equal((await body(admin.one.get(`/mod/user/${name}`))).header.userID, user.id)
      assert.equal((await body(admin.one.get(`/mod/profile/${name}`))).profile.header?.userID ?? user.id, user.id)
      await body(admin.one.post(`/admin/userroles/karaokemanager/addrole/${name}`))
      assert.ok((await body(admin.one.get('/admin/userroles/karaokemanager'))).some(({ userID }: { userID: string }) => userID === user.id))
      await body(admin.one.post(`/admin/userroles/karaokemanager/removerole/${name}`))
      await body(demote(admin.one, name))
      assert.equal(await levelOf(user.id), 'verified')
    }
    await body(promote(admin.one, other.id, 'moderator'))
    assert.deepEqual([await levelOf(other.id), await levelOf(impostor.id)], ['moderator', 'verified'])
    for (const name of ['nobody of this name', '@', '%00', 'x'.repeat(201)])
      await refused(promote(admin.one, name.startsWith('%') ? name : encodeURIComponent(name), 'moderator'), 400)
  })

  it('opens the shared inbox', async () => {
    const [user, asks] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createSeamail(asks.one, [{ ...user, id: builtIn.moderator }])
    await say(asks.one, fezID, 'help')
    await refused(user.two.get(`/fez/${fezID}`), 400)
    await body(promote(tho.one, user.id, 'moderator'))
    assert.equal((await body(user.two.get(`/fez/${fezID}`))).members.posts[0].text, 'help')
    await body(demote(tho.one, user.id))
    await refused(user.two.get(`/fez/${fezID}`), 400)
  })

  it('needs exactly the levels before it', async () => {
    for (const [level, from] of Object.entries(allowed)) {
      const users = await people(nodes, ...accessLevels.map((each) => ({ level: each })))
      for (const [index, before] of accessLevels.entries()) {
        const { id } = users[index] as Person
        if (from.includes(before)) await body(promote(admin.one, id, level))
        else await refused(promote(admin.one, id, level), 400)
        assert.equal(await levelOf(id), from.includes(before) ? level : before)
      }
    }
  })

  it('refuses users in temporary quarantine, built-in accounts and unknown users', async () => {
    const [now, past] = (await people(
      nodes,
      { tempQuarantineUntil: new Date(Date.now() + 60_000) },
      { tempQuarantineUntil: new Date(Date.now() - 1000) },
    )) as [Person, Person]
    for (const level of Object.keys(allowed)) {
      for (const id of [now.id, ...Object.values(builtIn), nobody, 'x']) await refused(promote(admin.one, id, level), 400)
    }
    await body(promote(tho.one, past.id, 'moderator'))
  })

  it('is for tho and above, to tho and admin for admins', async () => {
    const [user, team] = (await people(nodes, {}, { level: 'serviceteam' })) as [Person, Person]
    for (const level of Object.keys(allowed)) {
      for (const [client, status] of [
        [nodes.client(), 401],
        [user.one, 403],
        [team.two, 403],
      ] as const)
        await refused(promote(client, user.id, level), status)
    }
    for (const level of ['tho', 'admin']) await refused(promote(tho.one, user.id, level), 403)
    await body(promote(tho.one, user.id, 'serviceteam'))
  })
})

describe('POST /admin/user/demote/:user_id', () => {
  it('makes every member of the team verified; tho and admins only for an admin', async () => {
    for (const level of ['moderator', 'serviceteam'] as const) {
      const [user] = (await people(nodes, { level })) as [Person]
      await whoami(user.two)
      assert.equal(await body(demote(tho.one, user.id)), undefined)
      assert.equal((await whoami(user.two)).accessLevel, 'verified')
      await refused(user.two.get(`/mod/user/${user.id}`), 403)
      assert.deepEqual(await logOf(user.id), ['accessLevelVerified'])
    }
    for (const level of ['tho', 'admin'] as const) {
      const [user] = (await people(nodes, { level })) as [Person]
      await refused(demote(tho.one, user.id), 403)
      assert.equal((await whoami(user.two)).accessLevel, level)
      await body(demote(admin.one, user.id))
      assert.equal((await whoami(user.one)).accessLevel, 'verified')
    }
  })

  it('refuses others, built-in accounts and unknown users', async () => {
    const lower = await people(nodes, ...accessLevels.slice(0, accessLevels.indexOf('moderator')).map((level) => ({ level })))
    for (const id of [...lower.map(({ id }) => id), ...Object.values(builtIn), nobody, 'x']) await refused(demote(admin.one, id), 400)
    const [team] = (await people(nodes, { level: 'serviceteam' })) as [Person]
    for (const [client, status] of [
      [nodes.client(), 401],
      [team.one, 403],
    ] as const)
      await refused(demote(client, team.id), status)
  })
})

describe('GET /admin/moderators, /admin/serviceteam, /admin/tho', () => {
  it('list accounts at exactly that level, built-in ones included', async () => {
    const [m, s, t] = (await people(nodes, { level: 'moderator', displayName: 'Mo' }, { level: 'serviceteam' }, { level: 'tho' })) as [
      Person,
      Person,
      Person,
    ]
    const expected = {
      moderators: [m, { username: 'moderator' }],
      serviceteam: [s, { username: 'ServiceTeam' }],
      tho: [t, tho, { username: 'THO' }],
    }
    for (const [path, members] of Object.entries(expected)) {
      const listed = names(await body(tho.two.get(`/admin/${path}`)))
      for (const { username } of members) assert.ok(listed.includes(username), `${username} in ${path}`)
      for (const { username } of Object.values(expected).flat())
        assert.equal(
          listed.includes(username),
          members.some((each) => each.username === username),
        )
    }
    assert.deepEqual(
      (await body(admin.one.get('/admin/moderators'))).find(({ userID }: { userID: string }) => userID === m.id),
      { userID: m.id, username: m.username, displayName: 'Mo' },
    )
    for (const [client, status] of [
      [nodes.client(), 401],
      [s.one, 403],
    ] as const)
      for (const path of Object.keys(expected)) await refused(client.get(`/admin/${path}`), status)
  })
})

describe('/admin/userroles/:user_role', () => {
  const list = (client: Client, role: string): Promise<Answer> => client.get(`/admin/userroles/${role}`)
  const change = (client: Client, verb: 'add' | 'remove', id: string, role: string): Promise<Answer> =>
    client.post(`/admin/userroles/${role}/${verb}role/${id}`)

  it('gives, lists and takes every role, whatever the level', async () => {
    const [user] = (await people(nodes, { level: 'unverified' })) as [Person]
    for (const role of userRoles) {
      assert.equal(await body(change(tho.one, 'add', user.id.toUpperCase(), role.toUpperCase())), undefined)
      assert.ok((await whoami(user.two)).roles.includes(role))
      assert.ok(names(await body(list(tho.two, role))).includes(user.username))
      await refused(change(tho.two, 'add', user.id, role), 400)
    }
    assert.deepEqual((await whoami(user.one)).roles, [...userRoles])
    for (const role of userRoles)
      for (let time = 0; time < 2; time++) assert.equal(await body(change(admin.two, 'remove', user.id, role)), undefined)
    assert.deepEqual((await whoami(user.two)).roles, [])
    const audited = await nodes.sql`select action, details from audit where user_id = ${user.id} order by id`
    assert.deepEqual(
      audited.map(({ action, details }) => `${action} ${details.role}`),
      [...userRoles.map((role) => `addRole ${role}`), ...userRoles.map((role) => `removeRole ${role}`)],
    )
    assert.deepEqual(await logOf(user.id), [])
  })

  it('refuses unknown roles and users, and callers below tho', async () => {
    const [manager, team] = (await people(nodes, { roles: ['shutternautmanager'] }, { level: 'serviceteam' })) as [Person, Person]
    for (const role of ['nonsense', '%00', 'moderator']) {
      await refused(list(tho.one, role), 400)
      for (const verb of ['add', 'remove'] as const) await refused(change(tho.one, verb, manager.id, role), 400)
    }
    for (const id of [nobody, 'x'])
      for (const verb of ['add', 'remove'] as const) await refused(change(tho.one, verb, id, 'shutternaut'), 400)
    for (const [client, status] of [
      [nodes.client(), 401],
      [manager.one, 403],
      [team.one, 403],
    ] as const) {
      await refused(list(client, 'shutternaut'), status)
      for (const verb of ['add', 'remove'] as const) await refused(change(client, verb, manager.id, 'shutternaut'), status)
    }
  })
})
