// /users/userrole: shutternauts, managed by holders of a role. Two nodes on one database.
import { userRoles } from '../../src/accounts/types.ts'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, names, people, refused, type Person } from '../support/fez.ts'
import { disable } from '../support/settings.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const list = (client: Client, role = 'shutternaut'): Promise<Answer> => client.get(`/users/userrole/${role}`)
const change = (client: Client, verb: 'add' | 'remove', { id }: { id: string }, role = 'shutternaut'): Promise<Answer> =>
  client.post(`/users/userrole/${role}/${verb}role/${id}`)
const rolesOf = async (client: Client): Promise<string[]> => (await body(client.get('/user/whoami'))).roles
const manager = async (): Promise<Person> => (await people(nodes, { roles: ['shutternautmanager'] }))[0] as Person
const everyCall = (client: Client, role = 'shutternaut', target = { id: builtIn.admin as string }) => [
  list(client, role),
  change(client, 'add', target, role),
  change(client, 'remove', target, role),
]

describe('/users/userrole/:user_role', () => {
  it('gives and takes the role, in force on all nodes when it is answered', async () => {
    const me = await manager()
    const [other] = (await people(nodes, { roles: ['karaokeambassador'] })) as [Person]
    for (const client of other.clients) assert.deepEqual(await rolesOf(client), ['karaokeambassador'])
    assert.equal(await body(change(me.one, 'add', { id: other.id.toUpperCase() }, 'ShutterNaut')), undefined)
    for (const client of other.clients) assert.deepEqual(await rolesOf(client), ['karaokeambassador', 'shutternaut'])
    assert.equal(await body(change(me.two, 'remove', other)), undefined)
    for (const client of other.clients) assert.deepEqual(await rolesOf(client), ['karaokeambassador'])
  })

  it('lists who has the role, in order of username', async () => {
    const me = await manager()
    const [b, a, none] = (await people(
      nodes,
      { username: 'Naut-b' },
      { username: 'naut-A', displayName: 'Photographer' },
      { roles: ['shutternautmanager'] },
    )) as [Person, Person, Person]
    const listed = async () =>
      (await body(list(me.two))).filter(({ userID }: { userID: string }) => [b, a, none].some(({ id }) => id === userID))
    for (const person of [b, a]) await body(change(me.one, 'add', person))
    assert.deepEqual(await listed(), [
      { userID: a.id, username: 'naut-A', displayName: 'Photographer' },
      { userID: b.id, username: 'Naut-b' },
    ])
    await block(a, me)
    assert.deepEqual(names(await listed()), ['Naut-b'])
    await body(change(me.one, 'remove', b))
    assert.deepEqual(await listed(), [])
  })

  it('is of one account, whatever its level', async () => {
    const me = await manager()
    for (const level of ['banned', 'unverified', 'quarantined', 'moderator'] as const) {
      const [other] = (await people(nodes, { level })) as [Person]
      const [sub] = (await people(nodes, { subAccountOf: other })) as [Person]
      await body(change(me.one, 'add', other))
      assert.ok(names(await body(list(me.one))).includes(other.username))
      assert.deepEqual(await rolesOf(sub.one), [])
    }
  })

  it('refuses a role that is there already, and takes one away that is not', async () => {
    const me = await manager()
    const [other] = (await people(nodes, {})) as [Person]
    assert.equal(await body(change(me.one, 'remove', other)), undefined)
    const answers = await Promise.all([me.one, me.two, me.one, me.two].map((client) => change(client, 'add', other)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    await refused(change(me.one, 'add', other), 400)
    assert.deepEqual(await rolesOf(other.two), ['shutternaut'])
    for (let time = 0; time < 2; time++) await body(change(me.two, 'remove', other))
    assert.deepEqual(await rolesOf(other.one), [])
  })

  it('refuses other roles, unknown ones, and unknown and hidden users alike', async () => {
    const me = await manager()
    const [enemy] = (await people(nodes, {})) as [Person]
    for (const role of [...userRoles.filter((role) => role !== 'shutternaut'), 'nonsense', '%00', 'shutternaut%20'])
      for (const answer of everyCall(me.one, role)) await refused(answer, 400)
    await block(enemy, me)
    for (const verb of ['add', 'remove'] as const) {
      const missing = await refused(change(me.one, verb, { id: nobody }), 400)
      assert.equal(await refused(change(me.two, verb, enemy), 400), missing)
      await refused(change(me.one, verb, { id: 'nonsense' }), 400)
    }
    assert.deepEqual(await rolesOf(enemy.one), [])
  })

  it('refuses whoever does not have the managing role, whatever the level', async () => {
    const callers = await people(nodes, {}, { roles: ['shutternaut'] }, { level: 'moderator' }, { level: 'tho' })
    for (const { one } of callers) for (const answer of everyCall(one)) assert.match(await refused(answer, 400), /shutternautmanager/)
    for (const answer of everyCall(nodes.client())) await refused(answer, 401)
  })

  it('is refused on all nodes once the managing role is gone', async () => {
    const me = await manager()
    const [row] = await nodes.sql`
      update account set roles = '{}', rev = rev + 1 where id = ${me.id} returning id, person_id, username, level, display_name, user_image, preferred_pronoun, rev`
    await nodes.apps[0]?.node.channels.publishConfirmed('user', me.id, { type: 'changed', account: row })
    for (const client of me.clients) await refused(list(client), 400)
  })

  it('is hidden with the feature users, before the role is looked at', async () => {
    const me = await manager()
    const [other] = (await people(nodes, {})) as [Person]
    await disable(nodes, 'users')
    try {
      for (const { two } of [me, other]) for (const answer of everyCall(two)) await refused(answer, 451)
    } finally {
      await disable(nodes)
    }
  })
})
