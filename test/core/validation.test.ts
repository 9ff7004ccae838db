// Which refusal comes first: of credentials, of the request itself, of what the caller may not.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it, test } from 'node:test'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { routes } from '../../src/features.ts'
import { expectations } from '../access-table.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { goodBody } from '../support/bodies.ts'
import { body, createChat, people, refused, say, type Person } from '../support/fez.ts'
import { categories, content, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { knownImage, storedImage } from '../support/images.ts'

let nodes: TestNodes
let owner: Person
let unverified: Person
let quarantined: Person
let temporarily: Person
/** Of the caller, and else of the owner: in the paths of requests. */
let ids: (caller: Person) => Promise<Record<string, string>>
before(async () => {
  nodes = await startTestNodes(1, { env: { WRITES_PER_MINUTE: '0' } })
  ;[owner, unverified, quarantined, temporarily] = (await people(
    nodes,
    {},
    { level: 'unverified' },
    { level: 'quarantined' },
    { tempQuarantineUntil: new Date(Date.now() + 3_600_000) },
  )) as [Person, Person, Person, Person]
  storedImage(nodes, knownImage)
  const { forumID, postID } = await startForum(owner.one, 'A forum')
  const fezID = await createChat(owner.one)
  const fezPostID = await say(owner.one, fezID, 'hello')
  const tweet = await write(owner.one, 'A post')
  ids = async (caller) => ({
    user_id: caller.id,
    category_id: categories.general,
    forum_id: forumID,
    fezID,
    fez_id: fezID,
    post_id: String(postID),
    postID: String(fezPostID),
    microblog: String(tweet),
    item_id: await itemOf(caller),
  })
})
after(() => nodes.stop())

/** An item of the caller's: those who may not post had it before. */
async function itemOf(caller: Person): Promise<string> {
  const id = items.get(caller) ?? randomUUID()
  if (items.has(caller)) return id
  items.set(caller, id)
  await nodes.sql`
    insert into quartermaster_item (id, owner_id, category, name, hides_owner, created_at, changed_at)
    values (${id}, ${caller.id}, 'have', 'A lamp', false, now(), now())`
  return id
}
const items = new Map<Person, string>()

const bodied = routes.filter(
  (route) =>
    route.body &&
    route.path !== '/user/:user_id/username' &&
    route.path !== '/fez/:fezID/update' &&
    (route.access === 'verified' ||
      expectations.some(({ method, path, creates }) => creates && method === route.method && path === route.path)),
)

async function pathOf(path: string, caller: Person): Promise<string> {
  const known = await ids(caller)
  if (/microblog/.test(path)) known['post_id'] = known['microblog'] as string
  return path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? randomUUID())
}

describe('every request that makes or changes something', () => {
  for (const { method, path, access, body: schema } of bodied) {
    it(`${method} ${path}`, async () => {
      const call = async (caller: Person, value: unknown) => {
        const { status, body: answer } = await caller.one.request(method, await pathOf(path, caller), { body: value })
        return `${status} ${/quarantine|access level|change this profile|Only/.test((answer as { reason?: string } | undefined)?.reason ?? '') ? 'right' : 'request'}`
      }
      assert.equal((await nodes.client().request(method, await pathOf(path, owner), { body: [] })).status, 401)
      const profile = path.startsWith('/user/') && access !== 'verified'
      const higher = access !== 'verified' && access !== 'token' && access !== 'either'
      const kept = higher ? [] : [quarantined, temporarily, ...(access === 'verified' ? [unverified] : [])]
      for (const caller of kept) {
        assert.equal(await call(caller, []), '400 request', caller.username)
        assert.equal(await call(caller, goodBody(schema as SchemaNode)), '403 right', caller.username)
      }
      if (profile) assert.equal(await call(unverified, []), '400 request')
    })
  }
})

test('all that is wrong with the content is said before anything about the caller', async () => {
  const long = 'x'.repeat(3000)
  const known = await ids(owner)
  const missing = `${randomUUID().toUpperCase()}.jpg`
  for (const caller of [unverified, quarantined, temporarily]) {
    for (const [path, value, fields] of [
      ['/forum/categories/:category_id/create', { title: '', firstPost: content(long) }, ['title', 'firstPost.text']],
      [
        '/forum/categories/:category_id/create',
        { title: 'A title', firstPost: content('x', { images: [{ filename: missing }] }) },
        ['firstPost.images.0.filename'],
      ],
      ['/forum/:forum_id/create', content(''), ['text']],
      [
        '/forum/:forum_id/create',
        content('x', { images: [{ filename: missing }, { filename: '../x' }] }),
        ['images.0.filename', 'images.1.filename'],
      ],
      ['/forum/post/:post_id/update', content(long), ['text']],
      ['/forum/post/:post_id/image', { filename: missing }, ['filename']],
      ['/forum/post/:post_id/image', {}, ['general']],
      ['/microblog/create', content('', { images: [{}] }), ['text', 'images']],
      ['/microblog/:microblog/reply', content('x', { images: Array.from({ length: 5 }, () => ({ filename: missing })) }), ['images']],
      ['/microblog/:microblog/image', { filename: missing }, ['filename']],
      [
        '/fez/create',
        { fezType: 'gaming', title: '', info: '', minCapacity: -1, maxCapacity: 0, initialUsers: [] },
        ['title', 'info', 'minCapacity'],
      ],
      ['/fez/:fezID/post', content('x', { images: [{ filename: missing }] }), ['images.0.filename']],
      ['/user/add', { username: '!', password: 'x' }, ['username', 'password']],
      ['/microkaraoke/recording', { offerID: randomUUID(), videoData: 'AAAA' }, ['videoData']],
    ] as const) {
      const answer = await body(
        caller.one.post(
          path.replace(/:(\w+)/, (_, name: string) => known[name] as string),
          value,
        ),
        400,
      )
      // The bare name of a field that lies deeper is there, too, where no other field has it.
      const bare = fields.filter((field) => field.includes('.')).map((field) => field.split('.').at(-1) as string)
      assert.deepEqual(
        Object.keys(answer.fieldErrors ?? {}).toSorted(),
        [...new Set([...fields, ...bare])].toSorted(),
        `${path} ${answer.reason}`,
      )
    }
  }
  for (const caller of [quarantined, temporarily]) {
    for (const [path, value, field] of [
      ['/user/profile', { about: long, header: {} }, undefined],
      ['/user/username', { username: '!' }, 'username'],
      ['/user/image', {}, 'general'],
      ['/user/image', { filename: missing }, 'filename'],
    ] as const) {
      const answer = await body(caller.one.post(path, value), 400)
      if (field !== undefined) assert.deepEqual(Object.keys(answer.fieldErrors ?? {}), [field], path)
    }
    await refused(caller.one.post('/user/username', { username: 'another-name' }), 403)
  }
})
