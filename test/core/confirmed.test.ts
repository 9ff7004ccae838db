// A change of who may see or do what is in force on every node when it is answered: here the other node
// hears everything late, and is asked at once.
import assert from 'node:assert/strict'
import { after, before, describe, it, test, type TestContext } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, lfg, mute, people, say, unblock, unmute, type Person } from '../support/fez.ts'
import { linkTo, type Link } from '../support/link.ts'
import { listed, write } from '../support/microblog.ts'
import { guard } from '../support/second-factor.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
/** Between the second node and Redis. */
let link: Link
const cleanups: (() => unknown)[] = []

/** Longer than any request takes, and far less than a node that hears nothing is waited for. */
const lateMs = 300

before(async () => {
  const suite = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) } as Pick<TestContext, 'after'>
  const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
  link = await linkTo(suite, redisUrl)
  nodes = await startTestNodes(2, { redisUrls: [redisUrl, link.url] })
  link.slow(lateMs)
})
after(async () => {
  link.mend()
  await nodes.stop()
  for (const cleanup of cleanups) await cleanup()
})

interface Case {
  ann: Person
  bob: Person
  organizer: Person
  /** A chat of the two, with a post by Bob. */
  fezID: string
  postID: number
}

async function newCase(): Promise<Case> {
  const [ann, bob, organizer] = (await people(nodes, {}, {}, { level: 'tho' })) as [Person, Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  return { ann, bob, organizer, fezID, postID: await say(bob.one, fezID, 'by Bob') }
}

const chat = async ({ two }: Person, { fezID }: Case): Promise<unknown> => {
  const { status, body: fez } = await two.get(`/fez/${fezID}?limit=1&peek=true`)
  return status === 200 ? fez : status
}
const postCount = async (person: Person, at: Case) => ((await chat(person, at)) as { members: { postCount: number } }).members.postCount
const title = async (person: Person, at: Case) => ((await chat(person, at)) as { title: string }).title
const isMember = async (person: Person, at: Case) => ((await chat(person, at)) as { members?: object }).members !== undefined
const whoAmI = async ({ two }: Person) => (await two.get('/user/whoami')).status

/** Bob's token for a program. */
const tokens = new Map<string, { tokenID: string; token: string }>()

/** Bob's browser, which signs in through the first node: its cookie. */
const cookies = new Map<string, string>()
async function signInBrowser({ bob }: Case): Promise<void> {
  const headers = { 'X-Session': 'cookie', Origin: nodes.urls[0] as string }
  const login = await nodes.client().post('/auth/login', undefined, { basic: [bob.username, testPassword], headers })
  assert.equal(login.status, 200)
  cookies.set(bob.id, String(login.headers['set-cookie']).split(';')[0] as string)
}
const browserOf = async ({ bob }: Case) =>
  (await nodes.client(undefined, 1).get('/user/whoami', { headers: { Cookie: cookies.get(bob.id) as string } })).status

/** What is done through the first node, and what the second one says before and after. */
const changes: Record<
  string,
  {
    first?: (at: Case) => Promise<unknown>
    change: (at: Case) => Promise<unknown>
    seen: (at: Case) => Promise<unknown>
    from: unknown
    to: unknown
  }
> = {
  'POST /users/:user_id/mute': {
    change: ({ ann, bob }) => mute(ann, bob),
    seen: (at) => postCount(at.ann, at),
    from: 1,
    to: 0,
  },
  'POST /users/:user_id/unmute': {
    first: ({ ann, bob }) => mute(ann, bob),
    change: ({ ann, bob }) => unmute(ann, bob),
    seen: (at) => postCount(at.ann, at),
    from: 0,
    to: 1,
  },
  'POST /users/:user_id/block': {
    change: ({ bob, ann }) => block(bob, ann),
    seen: async (at) => typeof (await chat(at.bob, at)),
    from: 'object',
    to: 'number',
  },
  'POST /users/:user_id/unblock': {
    first: ({ bob, ann }) => block(bob, ann),
    change: ({ bob, ann }) => unblock(bob, ann),
    seen: async (at) => typeof (await chat(at.bob, at)),
    from: 'number',
    to: 'object',
  },
  'POST /user/mutewords/add/:mute_word': {
    first: ({ bob }) => write(bob.one, 'a word about cheese'),
    change: ({ ann }) => body(ann.one.post('/user/mutewords/add/cheese')),
    seen: async ({ ann, bob }) => (await listed(ann.two, `?byuser=${bob.id}`)).length,
    from: 1,
    to: 0,
  },
  'POST /fez/:fezID/mute': {
    change: ({ ann, fezID }) => body(ann.one.post(`/fez/${fezID}/mute`), 201),
    seen: async (at) => ((await chat(at.ann, at)) as { members: { isMuted: boolean } }).members.isMuted,
    from: false,
    to: true,
  },
  'POST /fez/:fezID/join': {
    first: ({ bob, fezID }) => body(bob.one.post(`/fez/${fezID}/unjoin`)),
    change: ({ bob, fezID }) => body(bob.one.post(`/fez/${fezID}/join`), 201),
    seen: (at) => isMember(at.bob, at),
    from: false,
    to: true,
  },
  'POST /fez/:fezID/user/:userID/remove': {
    change: ({ ann, bob, fezID }) => body(ann.one.post(`/fez/${fezID}/user/${bob.id}/remove`)),
    seen: (at) => isMember(at.bob, at),
    from: true,
    to: false,
  },
  'POST /fez/:fezID/update': {
    change: ({ ann, fezID }) => body(ann.one.post(`/fez/${fezID}/update`, lfg({ title: 'Dice' }))),
    seen: (at) => title(at.bob, at),
    from: 'Cards',
    to: 'Dice',
  },
  'DELETE /fez/:fezID': {
    change: ({ organizer, fezID }) => body(organizer.one.delete(`/fez/${fezID}`), 204),
    seen: async (at) => typeof (await chat(at.bob, at)),
    from: 'object',
    to: 'number',
  },
  'DELETE /fez/post/:postID': {
    change: ({ bob, postID }) => body(bob.one.delete(`/fez/post/${postID}`), 204),
    seen: (at) => postCount(at.ann, at),
    from: 1,
    to: 0,
  },
  'POST /mod/fez/:fez_id/setstate/:mod_state': {
    change: ({ organizer, fezID }) => body(organizer.one.post(`/mod/fez/${fezID}/setstate/quarantined`)),
    seen: async (at) => (await title(at.bob, at)) === 'Cards',
    from: true,
    to: false,
  },
  'POST /mod/user/:user_id/setaccesslevel/:access_level': {
    change: ({ organizer, bob }) => body(organizer.one.post(`/mod/user/${bob.id}/setaccesslevel/banned`)),
    seen: ({ bob }) => whoAmI(bob),
    from: 200,
    to: 401,
  },
  'POST /mod/user/:user_id/tempquarantine/:quarantine_length': {
    change: ({ organizer, bob }) => body(organizer.one.post(`/mod/user/${bob.id}/tempquarantine/2`)),
    seen: async ({ bob }) => (await bob.two.post('/microblog/create', { text: 'may I?', images: [] })).status,
    from: 201,
    to: 403,
  },
  'POST /auth/logout': {
    change: ({ bob }) => body(bob.one.post('/auth/logout'), 204),
    seen: ({ bob }) => whoAmI(bob),
    from: 200,
    to: 401,
  },
  'POST /auth/logout/everywhere, of a browser': {
    first: signInBrowser,
    change: ({ bob }) => body(bob.one.post('/auth/logout/everywhere'), 204),
    seen: browserOf,
    from: 200,
    to: 401,
  },
  'DELETE /auth/sessions/:session_id': {
    first: signInBrowser,
    change: async ({ bob }) => {
      const { sessions } = await body(bob.one.get('/auth/sessions'))
      await body(bob.one.delete(`/auth/sessions/${sessions[0].sessionID}`), 204)
    },
    seen: browserOf,
    from: 200,
    to: 401,
  },
  'DELETE /auth/tokens/:token_id': {
    first: async ({ bob }) => {
      tokens.set(bob.id, await body(bob.one.post('/auth/tokens', { name: 'a bot', scope: 'read', days: 1 }), 201))
    },
    change: ({ bob }) => body(bob.one.delete(`/auth/tokens/${tokens.get(bob.id)?.tokenID}`), 204),
    seen: async ({ bob }) => (await nodes.client(tokens.get(bob.id)?.token, 1).get('/user/whoami')).status,
    from: 200,
    to: 401,
  },
  'POST /auth/secondfactor/confirm': {
    change: ({ bob }) => guard(bob.one),
    seen: ({ bob }) => whoAmI(bob),
    from: 200,
    to: 401,
  },
  'POST /admin/users/:user_id/signout': {
    change: ({ organizer, bob }) => body(organizer.one.post(`/admin/users/${bob.id}/signout`)),
    seen: ({ bob }) => whoAmI(bob),
    from: 200,
    to: 401,
  },
  'POST /user/delete': {
    first: async () => {
      const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
      const settings = { allowAccountDeletion: true, enableFeatures: [], disableFeatures: [] }
      await body(admin.one.post('/admin/serversettings/update', settings))
    },
    change: ({ bob }) => body(bob.one.post('/user/delete', { username: bob.username, currentPassword: testPassword })),
    seen: ({ bob }) => whoAmI(bob),
    from: 200,
    to: 401,
  },
  'POST /user/username': {
    change: ({ bob }) => body(bob.one.post('/user/username', { username: `${bob.username}x` }), 201),
    seen: async (at) => {
      const { members } = (await chat(at.ann, at)) as { members: { participants: { username: string }[] } }
      return members.participants.some(({ username }) => username === `${at.bob.username}x`)
    },
    from: false,
    to: true,
  },
  'POST /admin/userroles/:user_role/addrole/:user_id': {
    change: async ({ bob }) => {
      const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
      await body(admin.one.post(`/admin/userroles/karaokemanager/addrole/${bob.id}`))
    },
    seen: async ({ bob }) => (await body(bob.two.get('/user/whoami'))).roles.length,
    from: 0,
    to: 1,
  },
  'POST /user/mutewords/remove/:mute_word': {
    first: async ({ ann, bob }) => {
      await write(bob.one, 'a word about cheese')
      await body(ann.one.post('/user/mutewords/add/cheese'))
    },
    change: ({ ann }) => body(ann.one.post('/user/mutewords/remove/cheese')),
    seen: async ({ ann, bob }) => (await listed(ann.two, `?byuser=${bob.id}`)).length,
    from: 0,
    to: 1,
  },
  'POST /fez/:fezID/unjoin': {
    change: ({ bob, fezID }) => body(bob.one.post(`/fez/${fezID}/unjoin`)),
    seen: (at) => isMember(at.bob, at),
    from: true,
    to: false,
  },
  'POST /fez/:fezID/user/:userID/add': {
    first: ({ bob, fezID }) => body(bob.one.post(`/fez/${fezID}/unjoin`)),
    change: ({ ann, bob, fezID }) => body(ann.one.post(`/fez/${fezID}/user/${bob.id}/add`)),
    seen: (at) => isMember(at.bob, at),
    from: false,
    to: true,
  },
  'POST /fez/:fezID/cancel': {
    change: ({ ann, fezID }) => body(ann.one.post(`/fez/${fezID}/cancel`)),
    seen: async (at) => ((await chat(at.bob, at)) as { cancelled: boolean }).cancelled,
    from: false,
    to: true,
  },
  'POST /mod/fez/:fez_id/slowmode': {
    change: ({ organizer, fezID }) => body(organizer.one.post(`/mod/fez/${fezID}/slowmode`, { seconds: 30 })),
    seen: async (at) => ((await chat(at.bob, at)) as { slowModeSeconds?: number }).slowModeSeconds ?? 0,
    from: 0,
    to: 30,
  },
}

// Nearly all of it is waiting.
describe('in force on another node when it is answered, however late that hears of it', { concurrency: 5 }, () => {
  for (const [endpoint, { first, change, seen, from, to }] of Object.entries(changes)) {
    it(endpoint, async () => {
      const at = await newCase()
      await first?.(at)
      // Also makes the second node remember what is about to change.
      await until(async () => (await seen(at)) === from, 'the second node knows how it is')
      await change(at)
      assert.deepEqual(await seen(at), to)
    })
  }
})

test('POST /auth/logout: a login elsewhere that overtakes it stays in force there', async () => {
  const [{ id, username, one, two }] = (await people(nodes, {})) as [Person]
  await body(one.get('/user/whoami'))
  const leaving = two.post('/auth/logout')
  const isWritten = async () => (await nodes.sql`select from account where id = ${id} and token_digest is null`).length > 0
  await until(isWritten, 'the logout is written')
  // The first node has yet to hear of that, and does before the login is answered.
  const { token } = await body(nodes.client().post('/auth/login', undefined, { basic: [username, testPassword] }))
  assert.equal((await leaving).status, 204)
  const answers = await Promise.all([0, 1].map((node) => nodes.client(token, node).get('/user/whoami')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
})

test('WS /notification/socket: a post that was read elsewhere before its event came is notified, once', async () => {
  const { ann, bob, fezID } = await newCase()
  const [stranger] = (await people(nodes, {})) as [Person]
  const socket = await bob.two.socket('/notification/socket')
  await body(bob.two.get(`/fez/${fezID}`))
  const postID = await say(ann.one, fezID, 'by Ann')
  await body(bob.one.get(`/fez/${fezID}`))
  // The second node reads Bob's chats again, and finds nothing unread.
  await mute(bob, stranger, 1)
  const [read] = await nodes.sql<{ readPostId: number }[]>`
    select read_post_id from fez_member where fez_id = ${fezID} and account_id = ${bob.id}`
  assert.equal(read?.readPostId, postID)
  await socket.until(({ type }) => 'fezUnreadMsg' in type, 'the notice')
  await say(ann.two, fezID, 'by Ann again')
  await socket.until(({ info }) => (info as string).includes('by Ann again'), 'the next one')
  assert.deepEqual(
    socket.frames.map(({ type }) => Object.keys(type)[0]),
    ['fezUnreadMsg', 'fezUnreadMsg'],
  )
})

test('POST /fez/:fezID/post from a shared inbox: who answers there has read it on the other node, too', async () => {
  const [asker, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const fezID = await createChat(asker.one, { initialUsers: [builtIn.moderator] })
  await say(asker.one, fezID, 'help')
  const unread = async () => (await body(moderator.two.get('/notification/user'))).moderatorData.newModeratorSeamailMessageCount
  await until(async () => (await unread()) === 1, 'the second node counts it')
  await say(moderator.one, fezID, 'how?', { postAsModerator: true })
  assert.equal(await unread(), 0)
})

test('POST /auth/login and /logout of a page: its session is known on the other node, and has ended there', async () => {
  const at = await newCase()
  // That node knows which sessions there are.
  assert.equal(await whoAmI(at.bob), 200)
  await signInBrowser(at)
  assert.equal(await browserOf(at), 200)
  const own = { headers: { 'X-Session': 'cookie', Origin: nodes.urls[0] as string, Cookie: cookies.get(at.bob.id) as string } }
  assert.equal((await nodes.client().post('/auth/logout', undefined, own)).status, 204)
  assert.equal(await browserOf(at), 401)
})
