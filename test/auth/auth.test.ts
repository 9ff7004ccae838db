// /auth: login, logout, recovery. Two nodes on one database: what one does holds on the other.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAccount, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { createChat, people, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const login = (username: string, password: string, node = 0): Promise<Answer> =>
  nodes.client(undefined, node).post('/auth/login', undefined, { basic: [username, password] })

const whoAmI = (token: string, node: number): Promise<Answer> => nodes.client(token, node).get('/user/whoami')

async function withoutToken(account: TestAccount): Promise<TestAccount> {
  await nodes.sql`update account set token_nonce = null, token_digest = null where id = ${account.id}`
  return account
}

describe('POST /auth/login', () => {
  it('gives every device the same token, valid on all nodes', async () => {
    const { id, username } = await withoutToken(await createAccount(nodes.sql))
    // Known to the other node without a token: it has to learn of it.
    await nodes.client(undefined, 1).get('/user/whoami', { basic: [username, testPassword] })
    const first = await login(username, testPassword)
    assert.equal(first.status, 200)
    const { token } = first.body
    assert.match(token, /^[A-Za-z0-9+/]{22}==$/)
    assert.deepEqual(first.body, { userID: id, accessLevel: 'verified', token })
    assert.deepEqual((await login(username, testPassword, 1)).body, first.body)
    assert.deepEqual((await whoAmI(token, 1)).body, { userID: id, username, isLoggedIn: true, accessLevel: 'verified', roles: [] })
  })

  it('gives two logins at once the same token', async () => {
    const { username } = await withoutToken(await createAccount(nodes.sql))
    const answers = await Promise.all([login(username, testPassword), login(username, testPassword, 1)])
    assert.equal(answers[0].body.token, answers[1].body.token)
  })

  it('does not look at the case of the name', async () => {
    const { username, token } = await createAccount(nodes.sql, { username: 'Ölaf.Αθήνα' })
    assert.equal((await login(username.toUpperCase(), testPassword)).body.token, token)
    assert.equal((await login(username.toLowerCase(), testPassword)).body.token, token)
  })

  it('keeps neither tokens nor passwords in the database', async () => {
    const { id } = await createAccount(nodes.sql)
    const { username, token } = await createAccount(nodes.sql)
    await login(username, testPassword)
    const [dump] = await nodes.sql<
      { text: string }[]
    >`select string_agg(account::text, ' ') as text from account where id in (${id}, (select id from account where username = ${username}))`
    assert.ok(
      !dump?.text.includes(token) &&
        !dump?.text.includes(Buffer.from(token, 'base64').toString('hex')) &&
        !dump?.text.includes(testPassword),
    )
  })

  it('replaces a token that was made with another secret', async () => {
    const { id, username, token } = await createAccount(nodes.sql)
    await nodes.sql`update account set token_digest = decode(md5('other') || md5('secret'), 'hex') where id = ${id}`
    const answer = await login(username, testPassword)
    assert.notEqual(answer.body.token, token)
    assert.equal((await whoAmI(answer.body.token, 1)).status, 200)
  })

  for (const level of ['unverified', 'quarantined', 'client', 'moderator'] as const) {
    it(`lets ${level} accounts in`, async () => {
      const { username } = await createAccount(nodes.sql, { level })
      assert.equal((await login(username, testPassword)).body.accessLevel, level)
    })
  }

  it('lets the accounts of the seeds in', async () => {
    for (const [name, accessLevel] of [
      ['james', 'verified'],
      ['admin', 'admin'],
      ['tho', 'tho'],
      ['prometheus', 'client'],
      ['testclient', 'client'],
      ['unverified', 'unverified'],
    ] as const) {
      assert.equal((await login(name, 'password')).body.accessLevel, accessLevel)
    }
  })

  it('refuses shared accounts whatever the password', async () => {
    for (const name of ['moderator', 'ServiceTeam', 'MicroKaraoke']) assert.equal((await login(name, 'password')).status, 401)
  })

  it('answers a wrong name and a wrong password alike', async () => {
    const { username } = await createAccount(nodes.sql)
    const [wrongPassword, wrongName] = [await login(username, 'not this one'), await login('nobody-at-all', testPassword)]
    assert.equal(wrongPassword.status, 401)
    assert.deepEqual(wrongPassword.body, wrongName.body)
  })

  it('refuses a banned account with 403, once the password is right', async () => {
    const { username } = await createAccount(nodes.sql, { level: 'banned' })
    assert.equal((await login(username, 'not this one')).status, 401)
    assert.equal((await login(username, testPassword)).status, 403)
  })

  it('refuses what is no Basic authorization', async () => {
    const { token } = await createAccount(nodes.sql)
    for (const authorization of [
      undefined,
      `Bearer ${token}`,
      'Basic',
      'Basic ****',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Basic ${Buffer.from('a\0b:c\0d').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xed]).toString('base64')}`,
    ]) {
      const answer = await nodes.client().post('/auth/login', undefined, { headers: authorization === undefined ? {} : { authorization } })
      assert.equal(answer.status, 401, authorization)
    }
  })

  it('asks to wait after ten wrong passwords from one address, on all nodes, and says how long', async () => {
    const { username } = await createAccount(nodes.sql)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => login(username, 'wrong', index % 2)))
    assert.ok(answers.every(({ status }) => status === 401 || status === 429))
    // Those of the ten that were refused for waiting did not count.
    for (let more = 0; more < 10 && (await login(username, 'wrong')).status === 401; more++);
    const refused = await login(username, testPassword, 1)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    const { username: other } = await createAccount(nodes.sql)
    assert.equal((await login(other, testPassword)).status, 200, 'others on the same ship are not affected')
  })
})

describe('POST /auth/logout', () => {
  it('ends the token and its sockets on all nodes', async () => {
    const { token, username } = await createAccount(nodes.sql)
    const clients = [nodes.client(token), nodes.client(token, 1)] as const
    const sockets = await Promise.all(clients.map((client) => client.socket('/notification/socket')))
    const answer = await clients[0].post('/auth/logout')
    assert.equal(answer.status, 204)
    for (const client of clients) assert.equal((await client.get('/user/whoami')).status, 401)
    await Promise.all(sockets.map((socket) => socket.closed()))
    const again = await login(username, testPassword, 1)
    assert.notEqual(again.body.token, token)
    assert.equal((await whoAmI(token, 0)).status, 401)
    assert.equal((await whoAmI(again.body.token, 0)).status, 200)
  })

  for (const [how, renew] of [
    [
      'changed',
      (token: string) => nodes.client(token).post('/user/password', { currentPassword: testPassword, newPassword: 'a new password' }),
    ],
    [
      'recovered',
      (_token: string, username: string) =>
        nodes.client().post('/auth/recovery', { username, recoveryKey: testRecoveryKey, newPassword: 'a new password' }),
    ],
  ] as const) {
    it(`ends a stolen token everywhere after the password was ${how}, however fast its thief is`, async () => {
      const { token, username, id } = await createAccount(nodes.sql)
      const [friend] = (await people(nodes, {})) as [Person]
      const chat = await createChat(friend.one, { initialUsers: [id] })
      const thief = [nodes.client(token), nodes.client(token, 1)] as const
      const sockets = (
        await Promise.all(thief.flatMap((client) => [client.socket('/notification/socket'), client.socket(`/fez/${chat}/socket`)]))
      ).map((socket) => socket.closed())
      assert.ok([200, 201].includes((await renew(token, username)).status))
      for (const client of thief) assert.equal((await client.get('/user/whoami')).status, 200, 'a new password alone ends nothing')

      let ended = false
      let began = 0
      const lateSuccesses: string[] = []
      const keepTrying = thief.flatMap((client) =>
        ['/user/whoami', '/fez/joined', '/user/alertwords'].map(async (path) => {
          for (let after = 0; after < 20;) {
            const afterLogout = ended
            began++
            const { status } = await client.get(path)
            if (afterLogout && status !== 401) lateSuccesses.push(`${path} ${status}`)
            if (afterLogout) after++
          }
        }),
      )
      const reconnect = thief.map(async (client) => {
        for (let after = 0; after < 5;) {
          const afterLogout = ended
          const opened = await client.socket('/notification/socket').then(
            (socket) => socket,
            () => undefined,
          )
          if (afterLogout && opened) lateSuccesses.push('a socket')
          // One that came just before must end all the same.
          if (opened) assert.equal(await opened.closed(), 1001)
          if (afterLogout) after++
        }
      })
      await until(() => began > 50, 'the thief is at work')
      const answer = await nodes.client(token, 1).post('/auth/logout')
      ended = true
      assert.equal(answer.status, 204)
      await Promise.all([...keepTrying, ...reconnect])
      assert.deepEqual(lateSuccesses, [])
      assert.deepEqual(new Set(await Promise.all(sockets)), new Set([1001]))
      const again = await login(username, 'a new password')
      assert.notEqual(again.body.token, token)
      assert.equal((await login(username, testPassword)).status, 401)
      for (const client of thief) assert.equal((await client.get('/user/whoami')).status, 401)
    })
  }

  it('leaves the other accounts of the person alone', async () => {
    const primary = await createAccount(nodes.sql)
    const sub = await createAccount(nodes.sql, { subAccountOf: primary })
    await nodes.client(primary.token).post('/auth/logout')
    assert.equal((await whoAmI(sub.token, 1)).status, 200)
  })

  it('refuses who is not logged in', async () => {
    const { username } = await createAccount(nodes.sql)
    assert.equal((await nodes.client().post('/auth/logout')).status, 401)
    assert.equal((await nodes.client('AAAAAAAAAAAAAAAAAAAAAA==').post('/auth/logout')).status, 401)
    assert.equal((await nodes.client().post('/auth/logout', undefined, { basic: [username, testPassword] })).status, 401)
  })

  it('answers the second of two at once with 409 or 401', async () => {
    const { token } = await createAccount(nodes.sql)
    const statuses = (await Promise.all([nodes.client(token).post('/auth/logout'), nodes.client(token, 1).post('/auth/logout')])).map(
      ({ status }) => status,
    )
    assert.ok(statuses.includes(204) && (statuses.includes(409) || statuses.includes(401)), String(statuses))
  })

  it('lets logins and logouts in any order end with nodes that agree', async () => {
    const { username } = await createAccount(nodes.sql)
    for (let round = 0; round < 5; round++) {
      const { body } = await login(username, testPassword, round % 2)
      assert.equal((await whoAmI(body.token, (round + 1) % 2)).status, 200)
      await Promise.all([nodes.client(body.token, 0).post('/auth/logout'), login(username, testPassword, 1)])
      const { body: last } = await login(username, testPassword)
      assert.deepEqual(await Promise.all([0, 1].map(async (node) => (await whoAmI(last.token, node)).status)), [200, 200])
    }
  })
})

describe('POST /auth/recovery', () => {
  const newPassword = 'a new password'
  const recover = (username: string, recoveryKey: string, node = 0): Promise<Answer> =>
    nodes.client(undefined, node).post('/auth/recovery', { username, recoveryKey, newPassword })
  const failures = async ({ id }: TestAccount) =>
    (await nodes.sql<{ n: number }[]>`select recovery_failures as n from account where id = ${id}`)[0]?.n
  async function withCode(code: string, account?: TestAccount) {
    const owner = account ?? (await createAccount(nodes.sql))
    await nodes.sql`insert into registration_code (code, person_id) values (${code}, ${owner.personId})`
    return owner
  }

  for (const [what, credential] of [
    ['recovery key', 'Three TEST words'],
    ['password', testPassword],
  ] as const) {
    it(`takes the ${what}, sets the password and gives the existing token`, async () => {
      const { id, username, token } = await createAccount(nodes.sql)
      assert.deepEqual((await recover(username.toUpperCase(), credential)).body, { userID: id, accessLevel: 'verified', token })
      assert.equal((await login(username, testPassword)).status, 401)
      assert.equal((await login(username, newPassword, 1)).status, 200)
    })
  }

  it('gives a new token when there is none', async () => {
    const { username } = await withoutToken(await createAccount(nodes.sql))
    const { token } = (await recover(username, testRecoveryKey)).body
    assert.equal((await whoAmI(token, 1)).status, 200)
  })

  it('takes the registration code once per person', async () => {
    const account = await withCode('rec001')
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    assert.equal((await recover(account.username, 'REC 001')).status, 200)
    for (const { username } of [account, sub]) {
      const refused = await recover(username, 'rec001')
      assert.equal(refused.status, 400)
      assert.match(refused.body.reason, /recovery key/)
    }
    assert.deepEqual([await failures(account), await failures(sub)], [0, 0], 'a used code is no failure')
    assert.equal((await recover(sub.username, testRecoveryKey)).status, 200)
  })

  it('takes the code once more, with a key, for the password that it has set: the answer may have been lost', async () => {
    const account = await withoutToken(await withCode('rec011'))
    const again = (sent: object = {}, node = 0) =>
      nodes
        .client(undefined, node)
        .post(
          '/auth/recovery',
          { username: account.username, recoveryKey: 'rec011', newPassword, ...sent },
          { headers: { 'idempotency-key': 'k' } },
        )
    const first = await recover(account.username, 'rec011')
    const second = await again({ username: account.username.toUpperCase(), recoveryKey: 'rec 011' }, 1)
    assert.deepEqual([second.status, second.body], [200, first.body])
    assert.equal((await whoAmI(second.body.token, 1)).status, 200)
    assert.equal((await again({ newPassword: 'quite another one' })).status, 400)
    assert.equal((await recover(account.username, 'rec011')).status, 400, 'without a key')
    await nodes.sql`update account set level = 'banned' where id = ${account.id}`
    assert.equal((await again()).status, 403)
  })

  it('takes the code for only one of two at once', async () => {
    const account = await withCode('rec002')
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    const answers = await Promise.all([recover(account.username, 'rec002'), recover(sub.username, 'rec002', 1)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  })

  it('takes a password of six characters when the code is used up', async () => {
    const account = await withCode('rec003')
    await recover(account.username, 'rec003')
    assert.equal(
      (await nodes.client().post('/auth/recovery', { username: account.username, recoveryKey: newPassword, newPassword: 'sixsix' })).status,
      200,
    )
    assert.equal((await recover(account.username, 'sixsix')).status, 200)
  })

  it('does not take the code of somebody else', async () => {
    await withCode('rec004')
    const { username } = await createAccount(nodes.sql)
    assert.equal((await recover(username, 'rec004')).status, 400)
  })

  it('refuses after five successive failures, whatever comes then', async () => {
    const account = await withCode('rec005')
    for (let attempt = 0; attempt < 5; attempt++) assert.equal((await recover(account.username, 'wrong one', attempt % 2)).status, 400)
    for (const credential of ['wrong one', testRecoveryKey, testPassword, 'rec005'])
      assert.equal((await recover(account.username, credential)).status, 403)
    assert.equal((await login(account.username, testPassword)).status, 200, 'logging in is something else')
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    assert.equal((await recover(sub.username, testRecoveryKey)).status, 200, 'each account counts for itself')
  })

  it('counts failures that come at once', async () => {
    const account = await createAccount(nodes.sql)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => recover(account.username, `wrong number ${index}`, index % 2)),
    )
    assert.equal(answers.filter(({ status }) => status === 400).length, 5)
    assert.equal(await failures(account), 5)
    assert.equal((await recover(account.username, testRecoveryKey)).status, 403)
  })

  it('starts counting anew after a success', async () => {
    const account = await createAccount(nodes.sql)
    for (let attempt = 0; attempt < 4; attempt++) await recover(account.username, 'wrong one')
    assert.equal((await recover(account.username, testRecoveryKey)).status, 200)
    assert.equal(await failures(account), 0)
  })

  it('answers an unknown name as a wrong credential, also when it is closed', async () => {
    const { username } = await createAccount(nodes.sql)
    for (let attempt = 0; attempt < 7; attempt++) {
      const [known, unknown] = [await recover(username, 'wrong one', attempt % 2), await recover('nobody-here', 'wrong one', attempt % 2)]
      assert.equal(known.status, attempt < 5 ? 400 : 403)
      assert.deepEqual([unknown.status, unknown.body], [known.status, known.body])
    }
  })

  it('tells of a ban after the right credential only', async () => {
    const { username } = await createAccount(nodes.sql, { level: 'banned' })
    assert.equal((await recover(username, 'wrong one')).status, 400)
    const answer = await recover(username, testRecoveryKey)
    assert.equal(answer.status, 403)
    assert.match(answer.body.reason, /banned/)
  })

  it('refuses accounts without a recovery key and shared accounts', async () => {
    const { username, id } = await createAccount(nodes.sql)
    await nodes.sql`update account set recovery_key_hash = null where id = ${id}`
    assert.equal((await recover(username, testRecoveryKey)).status, 400)
    assert.equal((await recover('moderator', 'recovery key')).status, 400)
  })

  it('lists everything that is wrong with a request', async () => {
    const { status, body } = await nodes.client().post('/auth/recovery', { username: '_a b-', recoveryKey: '12345', newPassword: 'short' })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.fieldErrors).sort(), ['newPassword', 'recoveryKey', 'username'])
    assert.equal(body.fieldErrors.username.split(' and ').length >= 3, true)
  })
})
