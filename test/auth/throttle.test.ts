// Guessing passwords: how often, from where, and that the owner gets in meanwhile. Two nodes on one
// database, which believe a proxy's word for the address.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Agent, request } from 'undici'
import { hashesMade } from '../../src/auth/passwords.ts'
import { networkOf } from '../../src/auth/throttle.service.ts'
import { usernameKey } from '../../src/text/usernames.ts'
import { createAccount, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { env: { TRUST_PROXY: 'true' } })
})
after(() => nodes.stop())

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const login = (username: string, password: string, address: string, node = 0): Promise<Answer> =>
  nodes.client(undefined, node).post('/auth/login', undefined, { ...from(address), basic: [username, password] })
let addresses = 0
const newAddress = () => `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
/** Counts so many attempts, as if they had been made. */
const count = async (name: string, points: number, key: string, times: number): Promise<void> => {
  const { rateLimiter } = (nodes.apps[0] as App).node
  const together = 1000
  for (let left = times; left > 0; left -= together)
    await rateLimiter.takeAll(Array.from({ length: Math.min(left, together) }, () => [{ name, points, seconds: 600 }, key] as const))
}
const countOf = (answers: readonly { status: number }[], wanted: number) => answers.filter(({ status }) => status === wanted).length

/** As many wrong passwords as an account takes, the last of them from ten addresses. */
async function attack({ username }: Pick<TestAccount, 'username'>): Promise<void> {
  await count('password-account', 100, usernameKey(username), 90)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, node) => login(username, 'wrong', newAddress(), node % 2)))
  assert.equal(countOf(answers, 401), 10)
}

describe('wrong passwords', () => {
  it('are judged ten times for one account from one address, however many come at once', async () => {
    const { username } = await createAccount(nodes.sql)
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => login(username, 'wrong', address, index % 2)))
    const judged = countOf(answers, 401)
    assert.ok(judged >= 10 && judged <= 10 + nodes.apps.length - 1, `${judged} were judged`)
    assert.equal(countOf(answers, 429), 60 - judged)
    const refused = await login(username, testPassword, address, 1)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0 && Number(refused.headers['retry-after']) <= 600)
    assert.equal((await login(username, testPassword, newAddress())).status, 200, 'the owner, from elsewhere')
    assert.equal((await login((await createAccount(nodes.sql)).username, testPassword, address)).status, 200, 'his neighbour')
  })

  it('of an unknown name are counted alike', async () => {
    const address = newAddress()
    const username = `nobody${randomInt(1e9)}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(username, 'wrong', address)))
    assert.deepEqual([countOf(answers, 401), countOf(answers, 429)], [10, 10])
  })

  it('from everywhere do not keep the owner out where any of his accounts was used before', async () => {
    const account = await createAccount(nodes.sql)
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    const home = newAddress()
    assert.equal((await login(sub.username, testPassword, home, 1)).status, 200)
    await attack(account)
    for (const node of [0, 1]) {
      assert.equal(
        (await login(account.username.toUpperCase(), testPassword, newAddress(), node)).status,
        429,
        'the account is closed to strangers',
      )
      assert.equal((await login(account.username, testPassword, home, node)).status, 200)
    }
    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await login(account.username, 'wrong', home)).status, 401)
    assert.equal((await login(account.username, testPassword, home)).status, 429, 'ten wrong ones count there too')
  })

  it('at a recently used address close the account to strangers like others, and right ones do not', async () => {
    const account = await createAccount(nodes.sql)
    const home = newAddress()
    assert.equal((await login(account.username, testPassword, home)).status, 200)
    await count('password-account', 100, usernameKey(account.username), 94)
    for (let attempt = 0; attempt < 5; attempt++) {
      assert.equal((await login(account.username, 'wrong', home)).status, 401)
      assert.equal((await login(account.username, testPassword, home)).status, 200)
    }
    assert.equal((await login(account.username, 'wrong', newAddress())).status, 401, 'the hundredth')
    assert.equal((await login(account.username, testPassword, newAddress(), 1)).status, 429)
  })

  it('from everywhere do not keep the owner out where the account was made or recovered', async () => {
    const username = `fresh${randomInt(1e9)}`
    const [birthplace, refuge] = [newAddress(), newAddress()]
    const created = await nodes.client().post('/user/create', { username, password: testPassword }, from(birthplace))
    assert.equal(created.status, 201)
    await attack({ username })
    assert.equal((await login(username, testPassword, birthplace)).status, 200)
    assert.equal((await login(username, testPassword, refuge)).status, 429)
    const recovered = await nodes
      .client()
      .post('/auth/recovery', { username, recoveryKey: created.body.recoveryKey, newPassword: testPassword }, from(refuge))
    assert.equal(recovered.status, 200)
    assert.equal((await login(username, testPassword, refuge, 1)).status, 200)
  })

  it('from everywhere do not concern who is logged in', async () => {
    const account = await createAccount(nodes.sql)
    await attack(account)
    const client = nodes.client(account.token, 1)
    assert.equal((await client.get('/user/whoami')).status, 200)
    assert.equal(
      (await client.post('/user/password', { currentPassword: testPassword, newPassword: 'another one' }, from(newAddress()))).status,
      201,
    )
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        nodes.client(account.token, index % 2).post('/user/password', { currentPassword: 'wrong', newPassword: 'another one' }),
      ),
    )
    assert.ok(countOf(answers, 400) <= 11, 'but a stolen token does not give the password away')
    assert.equal(countOf(answers, 400) + countOf(answers, 429), 30)
  })

  it('that are right are not counted', async () => {
    const { username } = await createAccount(nodes.sql)
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => login(username, testPassword, address, index % 2)))
    assert.equal(countOf(answers, 200), 30)
  })
})

describe('failed recoveries', () => {
  const recover = (username: string, recoveryKey: string, address: string, node = 0): Promise<Answer> =>
    nodes.client(undefined, node).post('/auth/recovery', { username, recoveryKey, newPassword: testPassword }, from(address))

  it('are judged five times for one account, from wherever and however many come at once', async () => {
    const { username } = await createAccount(nodes.sql)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => recover(username, `wrong key ${index}`, newAddress(), index % 2)),
    )
    assert.deepEqual([countOf(answers, 400), countOf(answers, 403)], [5, 15])
    assert.equal((await recover(username, testRecoveryKey, newAddress())).status, 403)
    assert.equal((await login(username, testPassword, newAddress())).status, 200, 'logging in is something else')
  })

  it('of an unknown name are counted alike: five are judged, from wherever, and then it is closed for good', async () => {
    const username = `nobody${randomInt(1e9)}`
    const { username: known } = await createAccount(nodes.sql)
    const both = async (address: string, node: number) => {
      const [a, b] = await Promise.all([recover(username, 'wrong key', address, node), recover(known, 'wrong key', address, node)])
      assert.deepEqual([a.status, a.body], [b.status, b.body])
      return a.status
    }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 8; attempt++) statuses.push(await both(newAddress(), attempt % 2))
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 403, 403, 403])
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => recover(`${username}x`, 'wrong key', newAddress(), index % 2)))
    assert.deepEqual([countOf(many, 400), countOf(many, 403)], [5, 15])
  })

  it('take as long for a name that nobody has', async () => {
    const known = await Promise.all(Array.from({ length: 15 }, async () => (await createAccount(nodes.sql)).username))
    const timesMs: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    // In turn, so that whatever else the machine does takes from both alike.
    for (const name of known)
      for (const [kind, username] of [
        ['known', name],
        ['unknown', `${name}x`],
      ] as const) {
        const began = performance.now()
        await recover(username, 'wrong key', newAddress())
        timesMs[kind].push(performance.now() - began)
      }
    const least = { known: Math.min(...timesMs.known), unknown: Math.min(...timesMs.unknown) }
    assert.ok(least.unknown > least.known / 2 && least.unknown < least.known * 2, JSON.stringify(least))
  })

  it('of a banned account look like others; only the right credential shows the ban', async () => {
    const { username } = await createAccount(nodes.sql, { level: 'banned' })
    assert.equal((await recover(username, 'wrong key', newAddress())).status, 400)
    const { status, body } = await recover(username, testRecoveryKey, newAddress())
    assert.deepEqual([status, body.code], [403, 'banned'])
  })

  it('are bounded for one address', async () => {
    const address = newAddress()
    await count('recovery-network', 500, address, 499)
    assert.equal((await recover(`nobody${randomInt(1e12)}`, 'wrong key', address, 1)).status, 400)
    const { status, headers } = await recover(`nobody${randomInt(1e12)}`, 'wrong key', address, 1)
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 600)
    assert.equal((await recover(`nobody${randomInt(1e12)}`, 'wrong key', newAddress())).status, 400, 'elsewhere')
  })
})

describe('a flood of logins', () => {
  /** All at once: each on a connection of its own. */
  const agent = new Agent({ connections: 1000 })
  after(() => agent.close())
  const loginOver = async (username: string, password: string, address: string, node: number) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const answer = await request(`${nodes.urls[node] as string}/api/v3/auth/login`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization, 'x-forwarded-for': address },
    })
    await answer.body.dump()
    return { status: answer.statusCode, headers: answer.headers }
  }
  const flood = (address: string, size: number) =>
    Array.from({ length: size }, (_, index) => loginOver(`nobody${randomInt(1e12)}`, 'wrong', address, index % 2))
  /** Hashes that may be made while one login is judged: alone on two processors that is a quarter of a second. */
  const mostBefore = 50

  for (const [who, loggedInBefore] of [
    ['where they have logged in before', true],
    ['who has never logged in there', false],
  ] as const) {
    it(`keeps nobody out ${who}`, async (t) => {
      const { username } = await createAccount(nodes.sql)
      const address = newAddress()
      if (loggedInBefore) assert.equal((await login(username, testPassword, address)).status, 200)
      const answers = flood(address, 1000)
      await Promise.race(answers)
      const madeBefore = hashesMade()
      const beganMs = performance.now()
      const { status } = await login(username, testPassword, address)
      const made = hashesMade() - madeBefore
      t.diagnostic(`${Math.round(performance.now() - beganMs)} ms, ${made} hashes were made meanwhile`)
      assert.equal(status, 200)
      assert.ok(made <= mostBefore, `${made} hashes were made first`)
      for (const answer of await Promise.all(answers)) {
        assert.ok(answer.status === 401 || answer.status === 429)
        if (answer.status === 429) assert.ok(Number(answer.headers['retry-after']) > 0)
      }
    })
  }

  it('is looked up together', async () => {
    const [app] = nodes.apps as [App]
    const address = newAddress()
    const statements = await countStatements(app, async () => {
      const answers = await Promise.all(Array.from({ length: 300 }, () => loginOver(`nobody${randomInt(1e12)}`, 'wrong', address, 0)))
      assert.equal(countOf(answers, 401), 300)
    })
    assert.ok(statements < 100, `${statements} statements for 300 logins`)
  })

  for (const loggedInBefore of [true, false]) {
    it(`keeps nobody out who comes with it, ${loggedInBefore ? 'known there' : 'new there'}`, async (t) => {
      const { username } = await createAccount(nodes.sql)
      const address = newAddress()
      if (loggedInBefore) assert.equal((await login(username, testPassword, address)).status, 200)
      const [madeBefore, beganMs] = [hashesMade(), performance.now()]
      const own = loginOver(username, testPassword, address, 0)
      const answers = flood(address, 1000)
      assert.equal((await own).status, 200)
      const made = hashesMade() - madeBefore
      t.diagnostic(`${Math.round(performance.now() - beganMs)} ms, ${made} hashes were made meanwhile`)
      assert.ok(made <= mostBefore, `${made} hashes were made first`)
      for (const { status } of await Promise.all(answers)) assert.ok(status === 401 || status === 429)
    })
  }

  it('is refused beyond its bound; who is known there gets in all the same', async () => {
    const { username } = await createAccount(nodes.sql)
    const address = newAddress()
    assert.equal((await login(username, testPassword, address)).status, 200)
    await count('password-network', 1500, address, 1500)
    const answer = await login(`nobody${randomInt(1e12)}`, 'wrong', address, 1)
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers['retry-after']) > 0 && Number(answer.headers['retry-after']) <= 600)
    assert.equal((await login(username, testPassword, address, 1)).status, 200)
    assert.equal((await login(`nobody${randomInt(1e12)}`, 'wrong', newAddress())).status, 401, 'elsewhere')
  })
})

describe('new accounts', () => {
  const create = (address: string, { node = 0, username = `new${randomInt(1e12)}`, verification = '' } = {}): Promise<Answer> =>
    nodes
      .client(undefined, node)
      .post('/user/create', { username, password: testPassword, ...(verification && { verification }) }, from(address))
  const newCode = async (): Promise<string> => {
    const code = randomInt(36 ** 5, 36 ** 6).toString(36)
    await nodes.sql`insert into registration_code (code) values (${code})`
    return code
  }
  /** As many as one address may make in an hour without codes: more than a ship has passengers. */
  const most = 40_000

  it('without a code are bounded for one address; whoever has a code that is free gets in all the same', async () => {
    const address = newAddress()
    await count('newcomers-network', most, address, most - 2)
    for (const node of [0, 1]) assert.equal((await create(address, { node })).status, 201)
    const refused = await create(address)
    assert.deepEqual([refused.status, Number(refused.headers['retry-after']) > 0], [429, true])
    assert.equal((await create(newAddress())).status, 201, 'elsewhere')

    const verification = await newCode()
    assert.equal((await create(address, { verification: 'zzzzzz' })).status, 400, 'no such code')
    assert.equal((await create(address, { verification })).status, 201)
    assert.equal((await create(address, { verification })).status, 409, 'it is not free any more')
  })

  it('of one code are one, however many ask at once; nothing is done for the others', async () => {
    const [address, verification] = [newAddress(), await newCode()]
    const madeBefore = hashesMade()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(address, { verification })))
    assert.deepEqual([countOf(answers, 201), countOf(answers, 409)], [1, 19])
    assert.equal(hashesMade() - madeBefore, 2)
    assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'code_used'))
  })

  it('of a crowd at one address are made in the order in which people came: nobody is refused, nobody is left behind', async () => {
    const address = newAddress()
    const people = 12
    const answered: { sent: number; done: number }[] = []
    let events = 0
    await Promise.all(
      Array.from({ length: people }, async () => {
        for (let times = 0; times < 8; times++) {
          const sent = events++
          assert.equal((await create(address)).status, 201)
          answered.push({ sent, done: events++ })
        }
      }),
    )
    for (const { sent, done } of answered) {
      const overtaken = answered.filter((other) => other.sent > sent && other.done < done).length
      assert.ok(overtaken <= people, `${overtaken} who came later were served before`)
    }
  })

  it('of a crowd do not keep those waiting who log in at the same address', async () => {
    const { username } = await createAccount(nodes.sql)
    const address = newAddress()
    const crowd = Array.from({ length: 40 }, async () => {
      // On a slow machine the last ones wait too long for their turn, and ask again, as apps do.
      for (;;) {
        const answer = await create(address)
        if (answer.status !== 503) return answer
      }
    })
    await Promise.race(crowd)
    const madeBefore = hashesMade()
    assert.equal((await login(username, testPassword, address)).status, 200)
    const made = hashesMade() - madeBefore
    assert.ok(made <= 40, `${made} of 80 hashes were made first`)
    assert.equal(countOf(await Promise.all(crowd), 201), 40)
  })
})

it('of IPv6 addresses a whole network counts', () => {
  const network = networkOf('2001:db8:1:2:3:4:5:6')
  for (const other of ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff']) assert.equal(networkOf(other), network)
  for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '::1', '10.0.0.1', '']) assert.notEqual(networkOf(other), network)
  assert.equal(networkOf('::ffff:10.1.2.3'), '10.1.2.3')
  assert.equal(networkOf('0000:0000:0000:0000:0000:ffff:10.1.2.3'), '10.1.2.3')
})

it('addresses are remembered as digests, once each', async () => {
  const account = await createAccount(nodes.sql)
  const address = newAddress()
  for (let time = 0; time < 3; time++) await login(account.username, testPassword, address)
  const rows = await nodes.sql<
    { text: string }[]
  >`select known_address::text as text from known_address where person_id = ${account.personId}`
  assert.equal(rows.length, 1)
  assert.ok(!rows[0]?.text.includes(address) && !rows[0]?.text.includes(Buffer.from(address).toString('hex')))

  await nodes.sql`update known_address set seen_at = seen_at - interval '31 days' where person_id = ${account.personId}`
  const other = newAddress()
  await login(account.username, testPassword, other)
  assert.equal((await nodes.sql`select from known_address where person_id = ${account.personId}`).length, 1, 'for a month')
})
