// Lists and searches of the microblog: every parameter, anchors and pages, the path forms, and who is
// spared what. Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { App } from '../../src/app.ts'
import { builtInBarrelId, builtInBarrels } from '../../src/user/barrels.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, mute, people, refused, type Person } from '../support/fez.ts'
import { answer, listed, write } from '../support/microblog.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

let words = 0
/** A word that is in no other test's posts. */
const ownWord = () => `zqxword${String.fromCharCode(97 + words++)}`
const setState = async (postID: number, status: string) => {
  await nodes.sql`update microblog_post set moderation_status = ${status}::moderation_status where id = ${postID}`
}
const barrelOf = async (owner: Person, ...users: Person[]) =>
  (await body(owner.one.post('/user/barrel', { name: 'Some people', uuidList: users.map(({ id }) => id) }), 201)).barrelID as string

/** Several posts by one account, straight into the database, a minute apart; returns their ids. */
async function fill(authorID: string, count: number, text: string): Promise<number[]> {
  const rows = await nodes.sql<{ id: number }[]>`
    insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at)
    select ${authorID}, ${authorID}, ${text} || ' ' || number, '{}', '{}', '{}', timestamptz '2026-01-01T00:00:00Z' + number * interval '1 minute' from generate_series(1, ${count}::int) number returning id`
  return rows.map(({ id }) => id)
}

it('a newest page shows an old mark of somebody who has marked hundreds of posts since, which are gone', async () => {
  const [writer, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const old = await write(writer.one, 'an old one')
  await body(viewer.one.post(`/microblog/${old}/bookmark`), 201)
  const gone = await fill(writer.id, 500, 'gone')
  await nodes.sql`insert into microblog_post_mark (account_id, post_id, is_bookmarked) select ${viewer.id}, unnest(${gone}::int[]), true`
  await nodes.sql`update microblog_post set deleted_at = now() where id = any (${gone}::int[])`
  for (const client of [viewer.one, viewer.two]) {
    const page = await body<{ twarrtID: number; isBookmarked: boolean }[]>(client.get('/microblog?limit=10'))
    assert.equal(page.find(({ twarrtID }) => twarrtID === old)?.isBookmarked, true)
  }
})

it('newest pages leave out whom a block hides, and nobody else, on every node and at once', async () => {
  const [viewer, foe, friend] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const ids = [await write(foe.one, 'by the foe'), await write(friend.one, 'by the friend')] as const
  const shown = async (person: Person) => {
    const pages = await Promise.all(person.clients.map((client) => listed(client, '?limit=10')))
    return pages.map((page) => ids.map((id) => page.includes(id)))
  }
  assert.deepEqual(await shown(viewer), [
    [true, true],
    [true, true],
  ])
  await block(viewer, foe)
  for (const person of [viewer, foe])
    assert.deepEqual(
      await shown(person),
      person === viewer
        ? [
            [false, true],
            [false, true],
          ]
        : [
            [true, true],
            [true, true],
          ],
    )
})

it('newest pages, which come from the post cache, are what searches make of the same rows, after every kind of change', async () => {
  const [writer, other, viewer] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const first = await write(writer.one, 'plain text, "quotes", and a \\ line\nbreak')
  const second = await write(other.two, 'schön 👩‍👩‍👧 \u2028')
  await nodes.sql`update microblog_post set images = ${[`${randomUUID().toUpperCase()}.jpg`]} where id = ${second}`
  const same = async (when: string) => {
    for (const { one, two } of [viewer, writer]) {
      for (const client of [one, two]) {
        const found = (await body<unknown[]>(client.get(`/microblog?after=${first - 1}&limit=50`))) as { twarrtID: number }[]
        // Twice: as it is read, and as it is then in memory.
        for (let times = 0; times < 2; times++) {
          const page = (await body<{ twarrtID: number }[]>(client.get('/microblog?limit=50'))).filter(({ twarrtID }) => twarrtID >= first)
          assert.deepEqual(
            page,
            found.toSorted((a, b) => b.twarrtID - a.twarrtID),
            when,
          )
        }
      }
    }
  }
  await same('new')
  await answer(other.one, first, 'an answer')
  await same('answered')
  await body(viewer.one.post(`/microblog/${second}/love`))
  await body(viewer.two.post(`/microblog/${first}/bookmark`), 201)
  await same('reactions and bookmarks')
  await body(writer.one.post(`/microblog/${first}/update`, { text: 'changed', images: [] }))
  await same('changed')
  await setState(first, 'quarantined')
  await setState(second, 'autoQuarantined')
  await same('under review')
  await setState(first, 'modReviewed')
  await same('reviewed')
  await body(
    other.one.post('/user/profile', {
      displayName: 'Somebody "else" 漢',
      realName: '',
      preferredPronoun: '',
      homeLocation: '',
      roomNumber: '',
      email: '',
      about: '',
      message: '',
    }),
  )
  await same('another name')
  await body(writer.two.delete(`/microblog/${first}`), 204)
  await same('deleted')
})

describe('GET /microblog', () => {
  it('the 50 newest, newest first; limit from 0 to the setting', async () => {
    const [writer, admin] = (await people(nodes, {}, { level: 'admin' })) as [Person, Person]
    const changeMaximum = (maximumTwarrts: number) =>
      body(admin.one.post('/admin/serversettings/update', { maximumTwarrts, enableFeatures: [], disableFeatures: [] }))
    const all = (await fill(writer.id, 210, 'many')).toReversed()
    assert.deepEqual(await listed(writer.two, ''), all.slice(0, 50))
    for (const [query, start, limit] of [
      ['limit=3', 0, 3],
      ['start=2&limit=3', 2, 3],
      ['START=2&Limit=3', 2, 3],
      ['start=-5&limit=2', 0, 2],
      ['limit=0', 0, 1],
      ['limit=-1', 0, 1],
      ['limit=1000', 0, 200],
      ['start=100000', 300, 50],
    ] as const) {
      assert.deepEqual(await listed(writer.two, `?${query}`), all.slice(start, start + limit), query)
    }
    await changeMaximum(7)
    assert.deepEqual(await listed(writer.two, '?limit=50'), all.slice(0, 7))
    assert.deepEqual(await listed(writer.two, ''), all.slice(0, 7))
    await changeMaximum(200)
  })

  it('a value of the wrong kind is refused, and names its parameter', async () => {
    const reader = (await people(nodes, {}))[0] as Person
    for (const query of [
      'start=x',
      'limit=1.5',
      'limit=',
      'before=x',
      'after=9999999999',
      'replyGroup=x',
      'replygroup=x',
      'hideReplies=maybe',
      'mentionSelf=2',
      'bookmarked=x',
      'byUser=x',
      'byuser=',
      'inBarrel=1',
      'likeType=hate',
      'liketype=LIKE',
      'from=middle',
      'afterDate=yesterday',
      'beforeDate=2026-02-30T00:00:00Z',
      `search=${'x'.repeat(201)}`,
    ]) {
      const [name = ''] = query.split('=')
      for (const path of ['', '/user', '/likes', '/search/x']) {
        const answered = await reader.two.get(`/microblog${path}?${query}`)
        if (path === '/search/x' && name === 'search') continue
        assert.equal(answered.status, 400, `${path}?${query}`)
        assert.match(answered.body.reason.toLowerCase(), new RegExp(name.toLowerCase()))
      }
    }
    for (const query of ['unknown=1', 'hashtag=', 'search=%20', 'mentions=', 'byUsername='])
      assert.equal((await listed(reader.two, `?limit=1&${query}`)).length, 1, query)
    await refused(nodes.client().get('/microblog'), 401)
  })

  it('anchors: which posts, counted from which end, in which order they win', async () => {
    const writer = (await people(nodes, {}))[0] as Person
    const ids = await fill(writer.id, 20, 'anchors')
    const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
    const page = async (query: string) =>
      (await listed(writer.two, `?byUser=${writer.id}&limit=3&${query}`)).map((id) => ids.indexOf(id) + 1)
    const of = (n: number) => ids[n - 1]
    for (const [query, expected] of [
      ['', [20, 19, 18]],
      ['from=last', [20, 19, 18]],
      ['from=first', [3, 2, 1]],
      ['from=first&start=2', [5, 4, 3]],
      [`before=${of(10)}`, [10, 9, 8]],
      [`before=${of(10)}&start=2`, [8, 7, 6]],
      [`before=${of(1)}`, [1]],
      ['before=0', []],
      ['before=2000000000', [20, 19, 18]],
      [`after=${of(10)}`, [13, 12, 11]],
      [`after=${of(10)}&start=2`, [15, 14, 13]],
      [`after=${of(19)}`, [20]],
      [`after=${of(20)}`, []],
      ['after=0', [3, 2, 1]],
      ['after=-7', [3, 2, 1]],
      [`afterDate=${minute(10)}`, [13, 12, 11]],
      [`afterdate=${Date.parse(minute(10)) / 1000 - 0.5}`, [12, 11, 10]],
      [`beforeDate=${minute(10)}`, [9, 8, 7]],
      [`beforedate=${Date.parse(minute(10)) / 1000}`, [9, 8, 7]],
      // Of several, the first of these: after, before, afterDate, beforeDate, from.
      [`from=first&beforeDate=${minute(10)}`, [9, 8, 7]],
      [`beforeDate=${minute(5)}&afterDate=${minute(10)}`, [13, 12, 11]],
      [`afterDate=${minute(2)}&before=${of(10)}`, [10, 9, 8]],
      [`before=${of(3)}&after=${of(10)}`, [13, 12, 11]],
    ] as const)
      assert.deepEqual(await page(query), expected, query)
  })

  it('before and after are steady while others write', async () => {
    const writer = (await people(nodes, {}))[0] as Person
    const word = ownWord()
    const ids = await fill(writer.id, 6, word)
    const page = (start: number) => listed(writer.two, `?search=${word}&before=${ids.at(-1)}&start=${start}&limit=2`)
    const seen: number[] = []
    for (const start of [0, 2, 4]) {
      seen.push(...(await page(start)))
      await write(writer.one, word)
    }
    assert.deepEqual(seen, ids.toReversed())
    await body(writer.one.delete(`/microblog/${ids[5]}`), 204)
    // An anchor need not exist.
    assert.deepEqual(await page(0), [ids[4], ids[3]])
  })

  it('groups of answers, oldest first; and no answers at all', async () => {
    const [a, b] = (await people(nodes, {}, {})) as [Person, Person]
    const word = ownWord()
    const head = await write(a.one, word)
    const answers = [await answer(b.one, head, word), await answer(a.one, head, word), await answer(b.one, head, word)] as const
    const lone = await write(b.one, word)
    assert.deepEqual(await listed(a.two, `?search=${word}&hideReplies=true`), [lone, head])
    assert.deepEqual(await listed(a.two, `?search=${word}&hidereplies=false`), [lone, ...answers.toReversed(), head])
    const group = async (query: string) => await listed(a.two, `?replyGroup=${head}&${query}`)
    assert.deepEqual(await group(''), [head, ...answers])
    // Selected from the anchor, shown oldest first all the same.
    assert.deepEqual(await group('limit=2'), answers.slice(1))
    assert.deepEqual(await group('limit=2&from=first'), [head, answers[0]])
    assert.deepEqual(await group(`limit=2&after=${head}`), answers.slice(0, 2))
    assert.deepEqual(await group(`before=${answers[1]}&limit=2`), [answers[0], answers[1]])
    assert.deepEqual(await group('hideReplies=true'), [head, ...answers])
    assert.deepEqual(await group(`byUser=${b.id}`), [answers[0], answers[2]])
    // An answer heads no group; a post without answers is alone in its own.
    assert.deepEqual(await listed(a.two, `?replygroup=${answers[0]}`), [answers[0]])
    assert.deepEqual(await listed(a.two, `?replyGroup=${lone}`), [lone])
    assert.deepEqual(await listed(a.two, '?replyGroup=2000000000'), [])
  })

  it('words, tags and names', async () => {
    const [writer, other] = (await people(nodes, {}, { username: 'Zoë.Zqx' })) as [Person, Person]
    const [word, tag] = [ownWord(), `Tag${ownWord()}`]
    const a = await write(writer.one, `running with ${word}, #${tag}! @${other.username}.`)
    const b = await write(other.one, `he runs ${word} #${tag}2020 x@${other.username}`)
    const c = await write(other.one, `walks ${word} (#${tag}) @${other.username}s #${tag.toUpperCase()} @${other.username}-more`)
    const d = await write(other.one, `${tag} is no tag here`)
    const found = (query: string) => listed(writer.two, `?${query}`)
    for (const [query, expected] of [
      [`search=${tag}`, [d, c, a]],
      [`search=${word}`, [c, b, a]],
      [`search=run%20${word}`, [b, a]],
      [`search=${word}%20-walk`, [b, a]],
      [`search=walks%20${word}%20or%20"runs%20${word}"`, [c, b]],
      ['search=the', []],
      [`search=%20${word}%20`, [c, b, a]],
      ...[tag, `%23${tag}`, `%23${tag.toLowerCase()}`].map((value) => [`hashtag=${value}`, [c, a]] as const),
      [`search=%23${tag}`, [c, a]],
      [`search=%23${tag}&byUser=${writer.id}`, [a]],
      [`search=${word}&hashtag=${tag}2020`, [b]],
      [`search=%23${tag}2020&hashtag=${tag}`, []],
      ...['Zoë.Zqx', '@zoë.zqx', '@ZOË.ZQX'].map((name) => [`mentions=${encodeURIComponent(name)}`, [b, a]] as const),
      [`mentions=${encodeURIComponent('zoë')}`, []],
      ['mentions=nobody-here', []],
      [`search=${encodeURIComponent('@Zoë.Zqx')}`, [b, a]],
      [`search=${word}&mentions=${encodeURIComponent('zoë.zqx')}&byUser=${other.id}`, [b]],
    ] as const)
      assert.deepEqual(await found(query), expected, query)
    assert.deepEqual(await listed(other.two, '?mentionSelf=true'), [b, a])
    assert.deepEqual(await listed(other.two, '?mentionself=1&mentions=nobody'), [])
    assert.deepEqual(await listed(other.two, '/mentions'), [b, a])
    assert.deepEqual(await listed(writer.two, `/search/${word}?limit=2`), [c, b])
    assert.deepEqual(await listed(writer.two, `/search/%23${tag}`), [c, a])
    assert.deepEqual(await listed(writer.two, `/hashtag/%23${tag}?start=1`), [a])
    await refused(writer.two.get(`/microblog/hashtag/${tag}`), 400)
  })

  it('authors by id and by name; one and the other', async () => {
    const [a, b, foe] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const [byA, byB] = [await write(a.one, 'by a'), await write(b.one, 'by b')]
    await write(foe.one, 'by foe')
    await block(foe, a)
    assert.deepEqual(await listed(a.two, '/user'), [byA])
    for (const query of [
      `?byUser=${b.id.toUpperCase()}`,
      `?byuser=${b.id}`,
      `?byUsername=${b.username.toUpperCase()}`,
      `?byUser=${b.id}&byUsername=${b.username}`,
      `/user/${b.id}`,
    ])
      assert.deepEqual(await listed(a.two, query), [byB], query)
    assert.deepEqual(await listed(a.two, `?byUser=${b.id}&byUsername=${a.username}`), [])
    for (const id of [randomUUID(), foe.id]) assert.deepEqual(await listed(a.two, `?byUser=${id}`), [])
    const reasons = [
      await refused(a.two.get('/microblog?byUsername=nobody-of-this-name'), 400),
      await refused(a.two.get(`/microblog?byUsername=${foe.username}`), 400),
    ]
    assert.equal(reasons[0], reasons[1])
    const unknown = [
      await refused(a.two.get(`/microblog/user/${randomUUID()}`), 400),
      await refused(a.two.get(`/microblog/user/${foe.id}`), 400),
    ]
    assert.equal(unknown[0], unknown[1])
    await refused(a.two.get('/microblog/user/x'), 400)
  })

  it('users of a list, whoever has made it; nothing else is one', async () => {
    const [reader, owner, a, b, foe] = (await people(nodes, {}, {}, {}, {}, {})) as [Person, Person, Person, Person, Person]
    const [byA, byB] = [await write(a.one, 'x'), await write(b.one, 'y')]
    await write(foe.one, 'z')
    await block(foe, reader)
    const barrel = await barrelOf(owner, a, b, foe)
    for (const path of [`?inBarrel=${barrel}`, `?inbarrel=${barrel.toUpperCase()}`, `/barrel/${barrel}`])
      assert.deepEqual(await listed(reader.two, path), [byB, byA], path)
    assert.deepEqual(await listed(reader.two, `/barrel/${barrel}?limit=1&start=1`), [byA])
    // What a mute hides is asked for by the filter, not by the path.
    await mute(reader, b)
    assert.deepEqual(await listed(reader.two, `?inBarrel=${barrel}`), [byB, byA])
    assert.deepEqual(await listed(reader.two, `/barrel/${barrel}`), [byA])
    const wordList = (await body(owner.one.post('/user/barrel', { name: 'Words', stringList: ['x'] }), 201)).barrelID
    const builtIn = builtInBarrels.map((each) => builtInBarrelId(reader.id, each))
    for (const id of [randomUUID(), wordList, ...builtIn, 'x']) {
      await refused(reader.two.get(`/microblog?inBarrel=${id}`), 400)
      await refused(reader.two.get(`/microblog/barrel/${id}`), 400)
    }
    assert.deepEqual(await listed(reader.two, `?inBarrel=${await barrelOf(owner)}`), [])
  })

  it('blocks always, mutes unless certain people or own marks are asked for, mutewords after the page', async () => {
    const [reader, foe, bore, writer, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const word = ownWord()
    const [byFoe, byBore, muted, plain] = [
      await write(foe.one, word),
      await write(bore.one, word),
      await write(writer.one, `${word} SPOILERS`),
      await write(writer.one, word),
    ]
    for (const id of [byFoe, byBore, muted, plain]) {
      await body(reader.one.post(`/microblog/${id}/like`))
      await body(reader.one.post(`/microblog/${id}/bookmark`), 201)
    }
    await block(reader, foe)
    await mute(reader, bore)
    await body(reader.one.post('/user/mutewords/add/spoiler'))
    assert.deepEqual(await listed(reader.two, `?search=${word}`), [plain])
    assert.deepEqual(await listed(reader.two, `?search=${word}&start=1&limit=1`), [])
    assert.deepEqual(await listed(reader.two, `?search=${word}&bookmarked=false`), [plain])
    for (const query of ['?bookmarked=true', '?likeType=like', '?likeType=all', '/bookmarks', '/likes'])
      assert.deepEqual(await listed(reader.two, query), [plain, byBore], query)
    for (const query of [`?byUser=${bore.id}`, `?byUsername=${bore.username}`, `/user/${bore.id}`])
      assert.deepEqual(await listed(reader.two, query), [byBore], query)
    assert.deepEqual(await listed(foe.two, `?byUser=${reader.id}`), [])
    assert.deepEqual(await listed(bore.two, `?search=${word}`), [plain, muted, byBore, byFoe])
    assert.deepEqual(await listed(moderator.two, `?search=${word}`), [plain, muted, byBore, byFoe])
    // Own words are no exception, and what is under review is looked through as well.
    const own = await write(reader.one, `${word} spoiler`)
    assert.ok(!(await listed(reader.two, '/user')).includes(own))
  })

  it('nobody but moderators finds what is under review by its text', async () => {
    const [writer, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
    const word = ownWord()
    const postID = await write(writer.one, `${word} #${word} @${moderator.username}`)
    const queries = [`?search=${word}`, `?hashtag=${word}`, `?mentions=${moderator.username}`]
    for (const [state, found] of [
      ['quarantined', false],
      ['autoQuarantined', false],
      ['locked', true],
      ['modReviewed', true],
    ] as const) {
      await setState(postID, state)
      for (const query of queries) {
        assert.deepEqual(await listed(writer.two, query), found ? [postID] : [], `${state} ${query}`)
        assert.deepEqual(await listed(moderator.two, query), [postID], `${state} ${query}`)
      }
      assert.deepEqual(await listed(writer.two, '/user'), [postID])
    }
  })

  it('costs one statement a page of posts that were read before, and one more to look up a name or a list', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    await fill(writer.id, 30, 'costs')
    const barrel = await barrelOf(reader, writer)
    await body(reader.two.get('/notification/user'))
    await listed(reader.two, '')
    const cost = async (path: string) => {
      await listed(reader.two, path)
      return await countStatements(nodes.apps[1] as App, () => listed(reader.two, path))
    }
    for (const path of [
      '?search=costs',
      '?hashtag=x',
      '?mentions=x&hideReplies=true',
      '?after=1',
      '?replyGroup=1',
      '/bookmarks',
      '/likes',
      '/mentions',
      '/user',
      `/user/${writer.id}`,
      '/hashtag/%23x',
      '/search/costs',
    ])
      assert.equal(await cost(path), 1, path)
    // The newest posts of all, and the marks of the reader.
    assert.equal(await cost(''), 2)
    for (const path of [`?inBarrel=${barrel}`, `/barrel/${barrel}`, `?byUsername=${writer.username}`])
      assert.equal(await cost(path), 2, path)
  })
})

describe('lists of many posts', () => {
  it('are read from indexes', async () => {
    const writer = (await people(nodes, {}))[0] as Person
    for (let i = 0; i < 8; i++) await fill((await people(nodes, {}))[0]?.id ?? '', 1000, 'filler')
    const [head = 0] = await fill(writer.id, 30, 'rare')
    await nodes.sql`update microblog_post set reply_group = ${head} where author_id = ${writer.id}`
    await nodes.sql`vacuum analyze microblog_post`
    const plan = async (query: string) => (await nodes.sql.unsafe(`explain ${query}`)).map((row) => Object.values(row)[0]).join('\n')
    const select = 'select id from microblog_post where deleted_at is null'
    for (const [query, index] of [
      [`${select} order by id desc limit 50`, 'microblog_post_(newest|pkey)'],
      [`${select} and id <= 4000 order by id desc limit 50`, 'microblog_post_(newest|pkey)'],
      [`${select} and author_id = '${writer.id}' order by id desc limit 50`, 'microblog_post_of_author'],
      [`${select} and (reply_group = ${head} or id = ${head}) order by id desc limit 50`, 'microblog_post_group'],
      [`${select} and created_at > '2026-01-01T16:38:00Z' order by id limit 50`, 'microblog_post_(created|newest|pkey)'],
      [`${select} and search @@ websearch_to_tsquery('english', 'rare')`, 'microblog_post_search'],
      [`${select} and hashtags @> '{#x}' order by id + 0 desc limit 50`, 'microblog_post_hashtags'],
      [`${select} and mentions @> '{x}' order by id + 0 desc limit 50`, 'microblog_post_mentions'],
    ] as const)
      assert.match(await plan(query), new RegExp(index), query)
  })
})

it('every path of a list takes the filters of all others', async () => {
  const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const word = ownWord()
  const [first, second] = [
    await write(writer.one, `${word} @${reader.username} #${word}`),
    await write(writer.one, `${word} @${reader.username}`),
  ]
  for (const id of [first, second]) {
    await body(reader.one.post(`/microblog/${id}/love`))
    await body(reader.one.post(`/microblog/${id}/bookmark`), 201)
  }
  const of = async (client: Client, path: string) => [
    await listed(client, path),
    await listed(client, `${path}?hashtag=${word}`),
    await listed(client, `${path}?limit=1&from=first`),
  ]
  for (const path of [
    '/bookmarks',
    '/likes',
    '/mentions',
    `/user/${writer.id}`,
    `/search/${word}`,
    `/barrel/${await barrelOf(reader, writer)}`,
  ]) {
    assert.deepEqual(await of(reader.two, path), [[second, first], [first], [first]], path)
  }
  assert.deepEqual(await of(writer.two, '/user'), [[second, first], [first], [first]])
})
