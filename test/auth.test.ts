// /auth: login, logout, recovery.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createAccount, testPassword } from './support/accounts.ts'
import { startTestNodes, type TestNodes } from './support/app.ts'

let nodes: TestNodes
before(async () => { nodes = await startTestNodes(2) })
after(() => nodes.stop())

describe('POST /auth/login', () => {
  it('gives every device the same token, valid on all nodes', async () => {
    const { id, username, token } = await createAccount(nodes.sql)
    const first = await nodes.client().post('/auth/login', undefined, { basic: [username.toUpperCase(), testPassword] })
    assert.equal(first.status, 200)
    assert.deepEqual(first.body, { userID: id, accessLevel: 'verified', token })
    const me = await nodes.client(token, 1).get('/user/whoami')
    assert.deepEqual(me.body, { userID: id, username, isLoggedIn: true, accessLevel: 'verified', roles: [] })
  })
  it('logs demo users and built-in accounts in', async () => {
    const james = await nodes.client().post('/auth/login', undefined, { basic: ['james', 'password'] })
    assert.equal(james.status, 200)
    assert.equal((await nodes.client(james.body.token, 1).get('/user/whoami')).body.username, 'james')
    assert.equal((await nodes.client().post('/auth/login', undefined, { basic: ['admin', 'password'] })).body.accessLevel, 'admin')
  })
})
