// HEAD: on every GET there is, with everything that waits for a reader waiting. It says what the GET
// would, and changes nothing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { routes } from '../../src/features.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { sungSong } from '../support/microkaraoke.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { buildWorld, idsOf, kindOf, type World } from '../support/world.ts'

let nodes: TestNodes
let world: World
let reader: Person
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[world, [reader]] = await Promise.all([buildWorld(nodes), people(nodes, {}) as Promise<[Person]>])
})
after(() => nodes.stop())

/** These are there to change something, or to leave an entry in the audit trail, and are asked for with GET all the same. */
const orders = [
  '/admin/bulkuserfile/download',
  '/admin/bulkuserfile/update/apply',
  '/admin/schedule/reload',
  '/admin/regcodes/discord/allocate/somebody',
]

const texts: Readonly<Record<string, string>> = {
  user_search_string: 'nobody',
  search_string: 'first',
  user_role: 'shutternaut',
  hashtag: '#tag',
  date: '0',
  game_name: 'a',
  username: 'somebody',
  page_number: '0',
  backup_name: 'none',
  endpoint_id: '00000000-0000-4000-8000-00000000abcd',
}

/** Every GET with ids of what is open to everybody, but for those given. */
function pathsOf(given: Readonly<Record<string, string>>): string[] {
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) =>
      path.replace(/:(\w+)/g, (_, name: string) => {
        const kind = kindOf(path, name)
        return encodeURIComponent(
          given[name] ??
            (kind && (idsOf(world, kind)['other'] ?? idsOf(world, kind)['missing'])) ??
            texts[name] ??
            assert.fail(`no value for ${name} in ${path}`),
        )
      }),
    )
}

/** What is in each table. */
async function contents(): Promise<Record<string, string>> {
  const tables = await nodes.sql<
    { name: string }[]
  >`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const digests = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await nodes.sql<
        [{ digest: string | null }]
      >`select md5(string_agg(each::text, ',' order by each::text)) as digest from ${nodes.sql(name)} each`
      return [name, row.digest ?? ''] as const
    }),
  )
  return Object.fromEntries(digests)
}

describe('HEAD of every GET', () => {
  let paths: string[]
  let unread: Record<string, number>
  const waiting = async () => {
    const numbers = await body(reader.two.get('/notification/user'))
    return Object.fromEntries(Object.keys(unread).map((name) => [name, numbers[name]]))
  }

  before(async () => {
    const [seamail, { forumID }, song] = await Promise.all([
      createSeamail(world.owner.one, [reader]),
      startForum(world.owner.one, 'News'),
      sungSong(nodes, [reader.id]),
    ])
    const name = `@${reader.username}`
    await Promise.all([
      say(world.owner.one, seamail, 'a letter'),
      body(world.owner.one.post(`/forum/${forumID}/create`, { text: `for ${name}`, images: [] }), 201),
      write(world.owner.one, `to ${name}`),
      body(world.moderator.one.post(`/mod/microkaraoke/approve/${song.songID}`)),
      body(world.tho.one.post('/notification/announcement/create', { text: 'Hear', displayUntil: '2099-01-01T00:00:00Z' }), 201),
    ])
    const own = { fezID: seamail, forum_id: forumID }
    paths = [
      ...pathsOf(own),
      '/microblog?mentionSelf=true',
      `/microblog?mentions=${name}`,
      '/forum/post/search?mentionself=true',
      `/fez/${seamail}?start=0&limit=10`,
    ]
    unread = {
      addedToSeamailCount: 1,
      newAnnouncementCount: 2,
      newForumMentionCount: 1,
      newTwarrtMentionCount: 1,
      microKaraokeFinishedSongCount: 1,
    }
    await until(async () => isDeepStrictEqual(await waiting(), unread), 'the second node knows of it all')
  })

  it('changes no row and no number of what is unread; the GET does, and answers with the same status', async () => {
    const before = await contents()
    const asked: { path: string; who: Person; status: number }[] = []
    for (const who of [reader, world.admin]) {
      for (const path of paths) {
        const { status, body: shown } = await who.one.request('HEAD', path)
        assert.equal(shown, undefined)
        asked.push({ path, who, status })
      }
    }
    assert.deepEqual(await contents(), before)
    assert.deepEqual(await waiting(), unread)

    for (const { path, who, status } of asked) {
      const sent = await who.one.file(path)
      assert.equal(status, who === world.admin && sent.status < 300 && orders.includes(path) ? 404 : sent.status, path)
    }
    assert.deepEqual(await waiting(), Object.fromEntries(Object.keys(unread).map((name) => [name, 0])))
  })
})

describe('HEAD of a GET that is there to change something', () => {
  before(async () => {
    await onlySettings(nodes, { minAccessUserLevel: 'admin' })
    const file = await world.admin.one.file('/admin/bulkuserfile/download')
    await body(world.admin.one.post('/admin/bulkuserfile/upload', file.bytes))
  })

  for (const path of orders) {
    it(`${path}: 404, and nothing is changed`, async () => {
      const before = await contents()
      assert.equal((await world.admin.one.request('HEAD', path)).status, 404)
      assert.equal((await reader.one.request('HEAD', path)).status, 403)
      assert.deepEqual(await contents(), before)
      assert.equal((await world.admin.one.file(path)).status, 200)
      assert.notDeepEqual(await contents(), before)
    })
  }
})
