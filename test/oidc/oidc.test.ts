// Signing in by a provider of OpenID Connect, a real one: there and back, new accounts and those that are there, and what does not
// work. Two nodes on one database; each request may go to the other one.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts'
import { ProviderVisit } from '../support/provider-visit.ts'
import { guard } from '../support/second-factor.ts'
import { onlySettings } from '../support/settings.ts'

const address = 'http://lantern.example'
const minuteMs = 60_000
const clock = new LeapingClock()
let provider: IdentityProvider
let nodes: TestNodes
let trusting: TestNodes
before(async () => {
  provider = await startIdentityProvider(address)
  nodes = await startTestNodes(2, { clock, env: { ...provider.env } })
  trusting = await startTestNodes(1, { clock, env: { ...provider.env, OIDC_VERIFIES: 'true' } })
})
after(async () => {
  await nodes.stop()
  await trusting.stop()
  await provider.close()
})
let count = 0
beforeEach(async () => {
  await onlySettings(nodes)
  provider.isUp = true
  count++
  provider.person = { sub: `subject-${count}`, email: `person${count}@college.example` }
})

/** Somebody who has been at the provider and is back. */
async function back(path = '/oidc/begin', on = nodes): Promise<ProviderVisit> {
  const visit = new ProviderVisit(on, address)
  assert.equal((await visit.follow(path)).page, '/login/provider')
  return visit
}

async function connected(options: Parameters<typeof people>[1] = {}): Promise<{ person: Person; visit: ProviderVisit }> {
  const [person] = (await people(nodes, options)) as [Person]
  const visit = await back()
  await body(visit.ask('POST', '/oidc/connect', undefined, { basic: [person.username, testPassword], node: 1 }))
  return { person, visit }
}

const whoIs = async (visit: ProviderVisit, node = 0) => (await body(visit.ask('GET', '/user/whoami', undefined, { node }))).username
const codeOf = ({ status, body: { code } }: Awaited<ReturnType<ProviderVisit['ask']>>) => [status, code]
const name = () => `newcomer-${process.pid}-${count}`

describe('a new account', () => {
  it('is made with a name and a password, connected, and signed in by the provider from then on', async () => {
    const visit = await back()
    assert.deepEqual(await body(visit.ask('GET', '/oidc/return')), {
      provider: 'Lantern College',
      name: `person${count}@college.example`,
      suggestedUsername: `person${count}`,
      verifies: false,
      to: '/',
    })
    assert.deepEqual(codeOf(await visit.ask('POST', '/oidc/login', {})), [400, 'identity_unconnected'])
    const made = await body(visit.ask('POST', '/oidc/account', { username: name(), password: 'a good long password' }), 201)
    assert.match(made.recoveryKey, /^\w+ \w+ \w+$/)
    assert.equal((await body(visit.ask('GET', '/oidc/return', undefined, { node: 1 }))).username, name())
    assert.equal((await body(visit.ask('POST', '/oidc/login', {}, { node: 1 }))).accessLevel, 'unverified')
    assert.equal(await whoIs(visit), name())
    // The password is for apps.
    await body(nodes.client().post('/auth/login', undefined, { basic: [name(), 'a good long password'] }))

    const again = await back('/oidc/begin?to=/seamail')
    const found = await body(again.ask('GET', '/oidc/return'))
    assert.deepEqual([found.username, found.to], [name(), '/seamail'])
    await body(again.ask('POST', '/oidc/login', {}))
    assert.equal(await whoIs(again, 1), name())
  })

  it('is verified where the operator trusts the provider, else by a registration code', async () => {
    const visit = await back('/oidc/begin', trusting)
    assert.equal((await body(visit.ask('GET', '/oidc/return'))).verifies, true)
    await body(visit.ask('POST', '/oidc/account', { username: name(), password: 'a good long password' }), 201)
    assert.equal((await body(visit.ask('POST', '/oidc/login', {}))).accessLevel, 'verified')

    const code = `qd${String(count).padStart(4, '0')}`
    await nodes.sql`insert into registration_code (code) values (${code})`
    const other = await back()
    await body(other.ask('POST', '/oidc/account', { username: name(), password: 'a good long password', verification: code }), 201)
    assert.equal((await body(other.ask('POST', '/oidc/login', {}))).accessLevel, 'verified')
  })

  it('belongs to one person of the provider, once: also when two ask at the same time', async () => {
    const visit = await back()
    const make = (username: string, node: number) =>
      visit.ask('POST', '/oidc/account', { username, password: 'a good long password' }, { node })
    const answers = await Promise.all([make(`${name()}-a`, 0), make(`${name()}-b`, 1)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
    const refusal = answers.find(({ status }) => status === 409)
    assert.equal(refusal?.body.code, 'identity_connected')
    const [{ accounts } = { accounts: 0 }] = await nodes.sql<{ accounts: number }[]>`
      select count(*)::int as accounts from account where username in (${`${name()}-a`}, ${`${name()}-b`})`
    assert.equal(accounts, 1)
  })

  it('follows the rules of names and passwords, and of a server that is closed for new people', async () => {
    const visit = await back()
    const make = (wanted: object) => visit.ask('POST', '/oidc/account', { username: name(), password: 'a good long password', ...wanted })
    assert.equal((await make({ username: '-' })).status, 400)
    assert.equal((await make({ password: 'short' })).status, 400)
    const [taken] = (await people(nodes, {})) as [Person]
    assert.deepEqual(codeOf(await make({ username: taken.username })), [409, 'username_taken'])
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const closed = { disableFeatures: [{ app: 'all', feature: 'registration' }], enableFeatures: [] }
    await body(admin.one.post('/admin/serversettings/update', closed))
    assert.equal((await make({})).status, 451)
  })

  it('is answered again to whoever did not get the answer', async () => {
    const visit = await back()
    const wanted = { username: name(), password: 'a good long password' }
    const headers = { cookie: visit.cookie, origin: nodes.urls[0] as string, 'idempotency-key': `lost-${process.pid}-${count}` }
    const first = await body(nodes.client().post('/oidc/account', wanted, { headers }), 201)
    assert.deepEqual(await body(nodes.client().post('/oidc/account', wanted, { headers }), 201), first)
  })
})

describe('the name that is suggested', () => {
  for (const [claims, suggested] of [
    [{ preferred_username: 'heidi.h', email: 'h@college.example' }, 'heidi.h'],
    [{ email: 'heidi.h@college.example' }, 'heidi.h'],
    [{ preferred_username: 'Heidi H!' }, ''],
    [{}, ''],
  ] as const)
    it(`is ${suggested || 'none'} for ${JSON.stringify(claims)}`, async () => {
      provider.person = { sub: `subject-${count}`, ...claims }
      const found = await body((await back()).ask('GET', '/oidc/return'))
      assert.deepEqual([found.suggestedUsername, found.name], [suggested, Object.values(claims).at(-1) ?? `subject-${count}`])
    })
})

describe('an account that is there', () => {
  it('is connected with its password, and shows it to its owner, who can take it away', async () => {
    const { person, visit } = await connected()
    assert.equal(await whoIs(visit), person.username)
    const { identities } = await body(person.two.get('/oidc/identities'))
    const [{ identityID, createdAt, lastUsedAt, ...more }] = identities
    assert.deepEqual(more, { issuer: provider.issuer, name: `person${count}@college.example` })
    assert.equal(createdAt, lastUsedAt)
    clock.leap(minuteMs)
    await body((await back()).ask('POST', '/oidc/login', {}))
    const [used] = (await body(person.one.get('/oidc/identities'))).identities
    assert.ok(Date.parse(used.lastUsedAt) >= Date.parse(createdAt) + minuteMs)

    // Connected once more, it is the same one, by what it is called now.
    provider.person = { sub: `subject-${count}`, email: 'another.name@college.example' }
    const again = await back()
    await body(again.ask('POST', '/oidc/connect', undefined, { basic: [person.username, testPassword] }))
    const { identities: after } = await body(person.two.get('/oidc/identities'))
    assert.deepEqual(
      after.map((each: { identityID: string; name: string }) => [each.identityID, each.name]),
      [[identityID, 'another.name@college.example']],
    )

    const [stranger] = (await people(nodes, {})) as [Person]
    await refused(stranger.one.delete(`/oidc/identities/${identityID}`), 400)
    assert.equal((await body(person.one.get('/oidc/identities'))).identities.length, 1)
    await body(person.one.delete(`/oidc/identities/${identityID}`), 204)
    await refused(person.two.delete(`/oidc/identities/${identityID}`), 400)
    const later = await back()
    assert.equal((await body(later.ask('GET', '/oidc/return'))).username, undefined)
    assert.deepEqual(codeOf(await later.ask('POST', '/oidc/login', {})), [400, 'identity_unconnected'])
    const acts = await nodes.sql<{ action: string }[]>`
      select action from audit where actor_id = ${person.id} order by id`
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['connectIdentity', 'connectIdentity', 'removeIdentity'],
    )
  })

  it('shows it to the team, and a host takes it away: of members of the team an admin alone', async () => {
    const [team, tho, admin] = (await people(nodes, { level: 'serviceteam' }, { level: 'tho' }, { level: 'admin' })) as [
      Person,
      Person,
      Person,
    ]
    const { person } = await connected()
    const { identities } = await body(team.one.get(`/admin/users/${person.id}/identities`))
    assert.deepEqual(identities, (await body(person.two.get('/oidc/identities'))).identities)
    const at = `/admin/identities/${identities[0].identityID}`
    await refused(team.one.delete(at), 403)
    await body(tho.two.delete(at), 204)
    await refused(tho.one.delete(at), 400)
    assert.deepEqual(codeOf(await (await back()).ask('POST', '/oidc/login', {})), [400, 'identity_unconnected'])
    const [removed] = await nodes.sql`select actor_id from audit where action = 'removeIdentity' and user_id = ${person.id}`
    assert.equal(removed?.['actorId'], tho.id)

    const { person: moderator } = await connected({ level: 'moderator' })
    const [ofTeam] = (await body(moderator.one.get('/oidc/identities'))).identities
    await refused(tho.one.delete(`/admin/identities/${ofTeam.identityID}`), 403)
    assert.equal((await body(moderator.one.get('/oidc/identities'))).identities.length, 1)
    await body(admin.one.delete(`/admin/identities/${ofTeam.identityID}`), 204)
  })

  it('is none of a program that the operator has made', async () => {
    const [program] = (await people(nodes, { level: 'client' })) as [Person]
    const visit = await back()
    const answer = await visit.ask('POST', '/oidc/connect', undefined, { basic: [program.username, testPassword] })
    assert.deepEqual(codeOf(answer), [403, 'account_fixed'])
  })

  it('is not connected with a wrong password, nor one that is connected with another account', async () => {
    const [person] = (await people(nodes, {})) as [Person]
    const visit = await back()
    assert.deepEqual(codeOf(await visit.ask('POST', '/oidc/connect', undefined, { basic: [person.username, 'not this'] })), [
      401,
      'credentials_wrong',
    ])
    assert.equal((await body(visit.ask('GET', '/oidc/return'))).username, undefined)
    await connected()
    const [other] = (await people(nodes, {})) as [Person]
    const same = await back()
    assert.deepEqual(codeOf(await same.ask('POST', '/oidc/connect', undefined, { basic: [other.username, testPassword] })), [
      409,
      'identity_connected',
    ])
    await refused(same.ask('GET', '/user/whoami'), 401)
    assert.deepEqual((await body(other.one.get('/oidc/identities'))).identities, [])
  })

  it('asks for its second factor, at connecting and at every sign-in', async () => {
    const [person] = (await people(nodes, {})) as [Person]
    // One that is only being set up counts for nothing.
    const first = await back()
    await body(first.ask('POST', '/oidc/connect', undefined, { basic: [person.username, testPassword] }))
    await body(person.one.post('/auth/secondfactor', { currentPassword: testPassword }), 201)
    await body((await back()).ask('POST', '/oidc/login', {}))
    const { phone } = await guard(person.one, clock)
    const visit = await back()
    const connect = (password: string) => visit.ask('POST', '/oidc/connect', undefined, { basic: [person.username, password] })
    assert.deepEqual(codeOf(await connect(testPassword)), [401, 'second_factor_needed'])
    await body(connect(testPassword + phone.next()))
    const later = await back()
    assert.deepEqual(codeOf(await later.ask('POST', '/oidc/login', {})), [400, 'second_factor_needed'])
    assert.deepEqual(codeOf(await later.ask('POST', '/oidc/login', { code: phone.at(9) })), [400, 'second_factor_wrong'])
    await refused(later.ask('GET', '/user/whoami'), 401)
    await body(later.ask('POST', '/oidc/login', { code: phone.next() }))
    assert.equal(await whoIs(later), person.username)
  })

  it('is not signed in while it is banned, and not at all once it is deleted', async () => {
    const { person } = await connected()
    const visit = await back()
    await nodes.sql`update account set level = 'banned' where id = ${person.id}`
    assert.deepEqual(codeOf(await visit.ask('POST', '/oidc/login', {})), [403, 'banned'])
    await nodes.sql`update account set level = 'verified' where id = ${person.id}`
    await body(visit.ask('POST', '/oidc/login', {}))

    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const allowed = { allowAccountDeletion: true, enableFeatures: [], disableFeatures: [] }
    await body(admin.one.post('/admin/serversettings/update', allowed))
    await body(person.one.post('/user/delete', { username: person.username, currentPassword: testPassword }))
    const later = await back()
    assert.equal((await body(later.ask('GET', '/oidc/return'))).username, undefined)
    assert.deepEqual(codeOf(await later.ask('POST', '/oidc/login', {})), [400, 'identity_unconnected'])
  })

  it('is in the log of the team when it is of the team', async () => {
    const { person } = await connected({ level: 'moderator' })
    await body((await back()).ask('POST', '/oidc/login', {}))
    const signIns = await nodes.sql<{ details: { with: string } }[]>`
      select details from audit where actor_id = ${person.id} and action = 'signIn' order by id`
    assert.deepEqual(
      signIns.map(({ details }) => details.with),
      ['password', 'identity'],
    )
  })
})

describe('the way there and back', () => {
  it('is of one browser, of one departure, once, and not for long', async () => {
    const visit = new ProviderVisit(nodes, address)
    const { returned } = await visit.follow('/oidc/begin')
    // Somebody else is given the address that the provider has sent it to.
    const other = new ProviderVisit(nodes, address)
    assert.equal((await other.follow(returned)).page, '/login/provider?failed')
    // One that has been at the provider itself, too.
    const third = new ProviderVisit(nodes, address)
    provider.isUp = false
    provider.person = undefined
    assert.equal((await third.follow('/oidc/begin').catch(() => ({ page: 'nowhere' }))).page, 'nowhere')
    provider.isUp = true
    assert.equal((await third.follow(returned)).page, '/login/provider?failed')
    assert.equal((await third.ask('GET', '/oidc/return')).status, 204)
    // The code was used, and so was the cookie of the departure.
    await body(visit.ask('GET', '/oidc/return'))
    assert.equal((await visit.follow(returned)).page, '/login/provider?failed')

    // What comes back has to be what was sent, whatever else is right.
    provider.person = { sub: `changed-${count}` }
    const changed = new ProviderVisit(nodes, address)
    const { returned: right } = await changed.follow('/oidc/begin', 0, true)
    assert.equal((await changed.follow(right.replace(/state=[^&]*/, 'state=other'))).page, '/login/provider?failed')
    // That way is over.
    assert.equal((await changed.follow(right)).page, '/login/provider?failed')

    provider.person = { sub: `late-${count}` }
    const late = await back()
    clock.leap(16 * minuteMs)
    assert.equal((await late.ask('GET', '/oidc/return')).status, 204)
    assert.deepEqual(codeOf(await late.ask('POST', '/oidc/account', { username: name(), password: 'a good long password' })), [
      400,
      'identity_missing',
    ])
  })

  it('is over with the sign-in: nobody else at this browser gets in by it', async () => {
    const { visit } = await connected()
    await body(visit.ask('POST', '/auth/logout'), 204)
    assert.equal((await visit.ask('GET', '/oidc/return')).status, 204)
    const again = await back()
    await body(again.ask('POST', '/oidc/login', {}))
    await body(again.ask('POST', '/auth/logout'), 204)
    assert.deepEqual(codeOf(await again.ask('POST', '/oidc/login', {})), [400, 'identity_missing'])
  })

  it('is for pages of this server: another site can neither sign in nor connect', async () => {
    const { person } = await connected()
    const visit = await back()
    const headers = { cookie: visit.cookie, origin: 'http://evil.example', 'x-session': 'cookie' }
    for (const path of ['/oidc/login', '/oidc/account', '/oidc/connect']) {
      const basic: [string, string] = [person.username, testPassword]
      const wanted =
        path === '/oidc/login' ? {} : path === '/oidc/account' ? { username: name(), password: 'a good long password' } : undefined
      const answer = await nodes.client().post(path, wanted, { headers, ...(path === '/oidc/connect' ? { basic } : {}) })
      assert.deepEqual(codeOf(answer), [403, 'origin_foreign'], path)
    }
  })

  it('says that somebody did not want to, and that the provider is away', async () => {
    provider.person = undefined
    assert.equal((await new ProviderVisit(nodes, address).follow('/oidc/begin')).page, '/login/provider?refused')
    // Of a server that has never reached it; once it is back, so is the way there.
    const fresh = await startTestNodes(1, { env: { ...provider.env } })
    try {
      const visit = new ProviderVisit(fresh, address)
      provider.isUp = false
      assert.equal((await visit.follow('/oidc/begin')).page, '/login/provider?away')
      provider.isUp = true
      assert.equal((await visit.follow('/oidc/begin')).page, '/login/provider?refused')
    } finally {
      await fresh.stop()
    }
  })

  it('believes nothing that is not signed with the key of the provider', async () => {
    const fresh = await startTestNodes(1, { env: { ...provider.env } })
    provider.isForged = true
    try {
      assert.equal((await new ProviderVisit(fresh, address).follow('/oidc/begin')).page, '/login/provider?failed')
    } finally {
      provider.isForged = false
      await fresh.stop()
    }
  })

  it('leads back to pages of the app alone', async () => {
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', `/${'x'.repeat(400)}`]) {
      const visit = await back(`/oidc/begin?to=${encodeURIComponent(to)}`)
      assert.equal((await body(visit.ask('GET', '/oidc/return'))).to, '/', to)
    }
  })

  it('is carried by a cookie that no script and no other site can use, over TLS none that anybody else can have set', async () => {
    const tls = await startTestNodes(1, { env: { ...provider.env, SWIFTARR_EXTERNAL_URL: 'https://lantern.example' } })
    try {
      const begin = async (host?: string) => {
        const { headers } = await tls.client().file('//oidc/begin', host === undefined ? {} : { host })
        return String(headers['set-cookie'])
      }
      const attributes = 'Path=/; Max-Age=1800; HttpOnly; SameSite=Lax'
      assert.match(await begin('lantern.example'), new RegExp(`^__Host-quarterdeck-state-443=[\\w-]+; ${attributes}; Secure$`))
      const plain = await begin()
      assert.match(plain, new RegExp(`^quarterdeck-state-443=[\\w-]+; ${attributes}$`))
      const [cookie = ''] = plain.split(';')
      const back = (host: Record<string, string>) => tls.client().file('//oidc/return?error=access_denied', { cookie, ...host })
      assert.equal((await back({})).headers['location'], '/login/provider?refused')
      assert.equal((await back({ host: 'lantern.example' })).headers['location'], '/login/provider?failed')
    } finally {
      await tls.stop()
    }
  })

  it('is nowhere where the operator has named no provider', async () => {
    const off = await startTestNodes(1)
    try {
      const visit = new ProviderVisit(off, address)
      for (const path of ['/oidc/begin', '/oidc/return?code=1&state=2']) assert.equal((await visit.follow(path)).page, '/login')
      assert.equal((await body(off.client().get('/client/settings'))).identityProvider, undefined)
      assert.equal((await visit.ask('GET', '/oidc/return')).status, 204)
    } finally {
      await off.stop()
    }
    assert.equal((await body(nodes.client().get('/client/settings'))).identityProvider, 'Lantern College')
  })
})
