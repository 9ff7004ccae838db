// The minimum access level: to whom the server is closed, what stays open, and what pre-registration keeps open.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { routes, socketRoutes } from '../../src/features.ts'
import { createAccount, testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Refused, type RequestOptions } from '../support/client.ts'
import { body, createChat, listen, people, refused, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const key = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

/** By the reference, whether it is there or not. */
const open = [
  /^\w+ \/users\//,
  /^GET \/image\/(full|thumb|user)\//,
  /^GET \/image\/qrcode$/,
  /^POST \/auth\/(logout|recovery|username)$/,
  /^POST \/user\/create$/,
  /^GET \/notification\/hashtags\//,
  /^GET \/auth\/sessions\/ended$/,
  /^GET \/oidc\/return$/,
  /^POST \/oidc\/(login|account)$/,
  /^POST \/auth\/passkeys\/(challenge|login)$/,
  /^GET \/client\/(health|settings|metrics)$/,
  /^POST \/client\/alert$/,
  /^GET \/admin\/timezonechanges$/,
]
const preregistration = [
  /^POST \/auth\/login$/,
  /^POST \/oidc\/connect$/,
  /^GET \/user\/(whoami|profile)$/,
  /^POST \/user\/(password|recoverykey|username|profile|image|image\/remove)$/,
  /^DELETE \/user\/image$/,
  /^GET \/events$/,
  /^GET \/events\/(favorites|:event_id|:event_id\/calendarevent\.ics)$/,
  /^POST \/events\/:event_id\/(favorite|needsphotographer|photographer)(\/remove)?$/,
  /^DELETE \/events\/:event_id\/(favorite|needsphotographer|photographer)$/,
  /^GET \/performer\/(official|shadow|self|:performer_id)$/,
  /^POST \/performer\/(forevent\/:event_id|self\/delete)$/,
  /^DELETE \/performer\/(forevent\/:event_id|self)$/,
  /^DELETE \/admin\/performer\/:performer_id$/,
  /^GET \/notification\/announcements$/,
  /^GET \/client\/start$/,
]
const among = (list: readonly RegExp[], name: string): boolean => list.some((pattern) => pattern.test(name))

/** Of the routes that look at their callers, those that tell this one that the server is closed. */
async function closedRoutes(call: (name: string, path: string) => RequestOptions & { token?: string | undefined }): Promise<string[]> {
  const closed: string[] = []
  for (const route of routes) {
    const name = key(route)
    const path = route.path.replace(/:\w+/g, nobody)
    const { token, ...options } = call(name, path)
    const answer = await nodes
      .client(token, 1)
      .request<{ reason?: string } | undefined>(route.method, path, { ...(route.body ? { body: {} } : {}), ...options })
    if (/closed at the moment/.test(answer.body?.reason ?? '')) {
      closed.push(name)
      assert.equal(answer.status, token === undefined && !options.basic ? 401 : 403, name)
    }
  }
  return closed.toSorted()
}

describe('minUserAccessLevel', () => {
  for (const enablePreregistration of [false, true]) {
    it(`closes the server to everybody below it, ${enablePreregistration ? 'but for pre-registration' : 'but for a few calls'}`, async () => {
      const isOpen = (name: string) => among(open, name) || (enablePreregistration && among(preregistration, name))
      const looksAt = (...access: string[]) => routes.filter((route) => access.includes(route.access)).map(key)
      await onlySettings(nodes)
      const [user] = (await people(nodes, {})) as [Person]
      await onlySettings(nodes, { minAccessUserLevel: 'moderator', enablePreregistration })
      const none = looksAt('none', 'service')
      const withPassword = looksAt('basic')
      assert.deepEqual(
        await closedRoutes((name) => {
          if (withPassword.includes(name)) return { basic: [user.username, testPassword] }
          // It would end what the others are called with.
          return { token: name === 'POST /auth/logout' ? undefined : user.one.token }
        }),
        routes
          .map(key)
          .filter((name) => !none.includes(name) && !isOpen(name))
          .toSorted(),
      )
      assert.deepEqual(
        await closedRoutes(() => ({})),
        looksAt('flex')
          .filter((name) => !isOpen(name))
          .toSorted(),
      )
      assert.deepEqual(
        none.filter((name) => !among(open, name)),
        [],
      )
      assert.equal((await user.two.post('/auth/logout')).status, 204)
    })
  }

  it('lets in whoever has the level, and closes sockets and calendars too', async () => {
    await onlySettings(nodes)
    const [user, moderator, client] = (await people(nodes, {}, { level: 'moderator' }, { level: 'client' })) as [Person, Person, Person]
    await onlySettings(nodes, { minAccessUserLevel: 'moderator' })
    await body(moderator.one.get('/forum/categories'))
    await body(nodes.client().request('POST', '/auth/login', { basic: [moderator.username, testPassword] }))
    for (const path of ['/fez/open', '/forum/categories', '/events']) {
      await refused(user.one.get(path), 403)
      await refused(client.one.get(path), 403)
    }
    for (const { path } of socketRoutes) {
      const address = path.replace(/:\w+/g, nobody)
      await assert.rejects(
        user.one.socket(address),
        (error) => error instanceof Refused && error.status === 403 && /closed/.test(JSON.stringify(error.body)),
      )
    }
    ;(await moderator.one.socket('/notification/socket')).terminate()
    const calendars = ['//events/abc/calendarevent.ics', `//events/subscribe/${user.username}/following.ics`]
    assert.deepEqual(
      await Promise.all(
        calendars.map(async (path) => (await nodes.client().request('GET', path, { basic: [user.username, testPassword] })).status),
      ),
      [401, 403],
    )
    await onlySettings(nodes, { minAccessUserLevel: 'tho' })
    await refused(moderator.one.get('/fez/open'), 403)
    await onlySettings(nodes)
    await body(user.one.get('/fez/open'))
  })

  it('closes the open sockets of those below it on all nodes, and no others', async () => {
    await onlySettings(nodes)
    const [admin, user, friend, moderator, leaving] = (await people(
      nodes,
      { level: 'admin' },
      {},
      {},
      { level: 'moderator' },
      { level: 'moderator' },
    )) as [Person, Person, Person, Person, Person]
    const fezID = await createChat(user.one)
    await body(user.one.post(`/users/${friend.id}/favorite`), 201)
    await body(friend.one.post(`/users/${user.id}/favorite`), 201)
    const ringing = await listen(friend)
    const shut = [
      ...ringing,
      ...(await listen(user)),
      await user.one.socket(`/fez/${fezID}/socket`),
      await user.two.socket(`/fez/${fezID}/socket`),
      await user.one.socket(`/phone/socket/initiate/${randomUUID()}/to/${friend.id}`),
    ]
    const [stay, later] = await Promise.all([listen(moderator), listen(leaving)])
    await ringing[1]?.until(({ type }) => 'incomingPhoneCall' in type)
    const set = (minUserAccessLevel: string) =>
      body(admin.one.post('/admin/serversettings/update', { minUserAccessLevel, enableFeatures: [], disableFeatures: [] }))
    await set('moderator')
    assert.deepEqual(
      await Promise.all(shut.map((socket) => socket.closed())),
      shut.map(() => 1001),
    )
    await Promise.all([...stay, ...later].map((socket) => socket.flushed()))
    await body(admin.two.post(`/admin/user/demote/${leaving.id}`))
    assert.deepEqual(await Promise.all(later.map((socket) => socket.closed())), [1001, 1001], 'of somebody who is demoted meanwhile')
    await set('banned')
    await Promise.all([...stay, ...(await listen(user))].map((socket) => socket.flushed()))
  })

  it('can be set and taken back by an admin, on all nodes at once', async () => {
    await onlySettings(nodes)
    const admin = await createAccount(nodes.sql, { level: 'admin' })
    const [user] = (await people(nodes, {})) as [Person]
    const update = (minUserAccessLevel: string) =>
      body(nodes.client(admin.token).post('/admin/serversettings/update', { minUserAccessLevel, enableFeatures: [], disableFeatures: [] }))
    await update('moderator')
    for (const one of user.clients) await refused(one.get('/fez/open'), 403)
    await update('banned')
    for (const one of user.clients) await body(one.get('/fez/open'))
  })
})
