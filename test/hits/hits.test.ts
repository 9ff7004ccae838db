// Mentions and alertwords in forum posts: who is hit, what is counted, what sockets hear, and when it
// counts as looked at. Two nodes and a worker.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client, TestSocket } from '../support/client.ts'
import { block, body, mute, people, refused, unmute, type Person } from '../support/fez.ts'
import { content, newCategory, postIn, startForum } from '../support/forum.ts'
import { jobsDone } from '../support/jobs.ts'
import { write } from '../support/microblog.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
  await nodes.startWorker()
})
after(() => nodes.stop())

/** What one node shows of hits. */
async function hits(client: Client): Promise<{ mentions: [number, number]; words: Record<string, [number, number]> }> {
  const { forumMentionCount, newForumMentionCount, alertWords } = await body(client.get('/notification/user'))
  return {
    mentions: [forumMentionCount, newForumMentionCount],
    words: Object.fromEntries(
      alertWords.map((each: { alertword: string; forumMentionCount: number; newForumMentionCount: number }) => [
        each.alertword,
        [each.forumMentionCount, each.newForumMentionCount],
      ]),
    ),
  }
}

/** Waits until both nodes show these numbers. */
async function shows(person: Person, mentions: [number, number], words: Record<string, [number, number]> = {}): Promise<void> {
  for (const client of person.clients) {
    let last: unknown
    await until(
      async () => {
        last = await hits(client)
        return JSON.stringify(last) === JSON.stringify({ mentions, words })
      },
      `${JSON.stringify({ mentions, words })}`,
    ).catch((error: unknown) => assert.fail(`${String(error)}, but ${JSON.stringify(last)}`))
  }
}

const socketOf = (client: Client): Promise<TestSocket> => client.socket('/notification/socket')
const told = (socket: TestSocket): string[] => socket.frames.map(({ type, contentID }) => `${Object.keys(type).join()} ${contentID}`)
const add = (person: Person, word: string) => body(person.one.post(`/user/alertwords/add/${word}`))

/** Resolves when no job waits or is under way. */
const idle = () => jobsDone(nodes)

describe('a mention in a forum post', () => {
  it('is counted and told once, and looked at with the list of mentions', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const sockets = await Promise.all(reader.clients.map(socketOf))
    const { forumID, postID } = await startForum(writer.one, 'Mentions', {
      text: `hello @${reader.username}. and @${reader.username.toUpperCase()}`,
    })
    const second = await postIn(writer.two, forumID, `again @${reader.username}`)
    await shows(reader, [2, 2])
    for (const socket of sockets) {
      await socket.count(2)
      assert.deepEqual(told(socket).toSorted(), [`forumMention ${postID}`, `forumMention ${second}`].toSorted())
      assert.match(socket.frames[0].info, new RegExp(`@${writer.username}`))
    }
    await body(reader.two.get('/forum/mentions'))
    assert.deepEqual(await hits(reader.one), { mentions: [2, 0], words: {} })
    assert.deepEqual(await hits(reader.two), { mentions: [2, 0], words: {} })
  })

  it('comes and goes with edits, deletions and the deletion of the forum', async () => {
    const [writer, reader, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const { forumID } = await startForum(writer.one, 'Edits')
    const post = await postIn(writer.one, forumID, 'nobody')
    const socket = await socketOf(reader.one)
    await shows(reader, [0, 0])
    await body(writer.one.post(`/forum/post/${post}/update`, content(`now @${reader.username}`)))
    await shows(reader, [1, 1])
    await body(writer.two.post(`/forum/post/${post}/update`, content(`still @${reader.username}!`)))
    await body(writer.one.post(`/forum/post/${post}/update`, content('nobody again')))
    await shows(reader, [0, 0])
    const other = await postIn(writer.one, forumID, `@${reader.username} one`)
    await postIn(writer.one, forumID, `@${reader.username} two`)
    await shows(reader, [2, 2])
    await body(writer.two.delete(`/forum/post/${other}`), 204)
    await shows(reader, [1, 1])
    await body(moderator.one.delete(`/forum/${forumID}`), 204)
    await shows(reader, [0, 0])
    assert.equal(socket.frames.length, 3)
  })
})

describe('the numbers of mentions', () => {
  it('are right for whoever asks after the answer was sent, on the node that sent it', async () => {
    const [writer, ...readers] = (await people(nodes, {}, ...Array.from({ length: 8 }, () => ({})))) as [Person, ...Person[]]
    const names = readers.map(({ username }) => `@${username}`).join(' ')
    // In memory on that node, so that nothing is read anew.
    for (const { one } of readers) await socketOf(one)
    const { forumID } = await startForum(writer.one, 'At once')
    const numbers = () =>
      Promise.all(
        readers.map(async ({ one }) => {
          const { forumMentionCount, twarrtMentionCount } = await body(one.get('/notification/user'))
          return [forumMentionCount, twarrtMentionCount]
        }),
      )
    for (let round = 1; round <= 20; round++) {
      const forumPost = await postIn(writer.one, forumID, `hello ${names}`)
      const microblogPost = await write(writer.one, `hello ${names}`)
      assert.deepEqual(
        await numbers(),
        readers.map(() => [1, 1]),
        `round ${round}`,
      )
      await body(writer.one.post(`/forum/post/${forumPost}/update`, content('nobody')))
      await body(writer.one.post(`/microblog/${microblogPost}/update`, content('nobody')))
      assert.deepEqual(
        await numbers(),
        readers.map(() => [0, 0]),
        `edits of round ${round}`,
      )
      await body(writer.one.post(`/forum/post/${forumPost}/update`, content(names)))
      await body(writer.one.delete(`/microblog/${microblogPost}`), 204)
      assert.deepEqual(
        await numbers(),
        readers.map(() => [1, 0]),
        `deletions of round ${round}`,
      )
      await body(writer.one.delete(`/forum/post/${forumPost}`), 204)
      assert.deepEqual(
        await numbers(),
        readers.map(() => [0, 0]),
        `deletions of round ${round}`,
      )
    }
  })
})

describe('an alertword in a forum post', () => {
  it('is counted and told once, and looked at with a search for it', async () => {
    const [writer, reader, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await Promise.all([add(reader, 'stargazing'), add(writer, 'stargazing'), add(other, 'telescope')])
    const sockets = await Promise.all(reader.clients.map(socketOf))
    const own = await socketOf(writer.one)
    const { postID } = await startForum(writer.one, 'Words', { text: 'Star-gazing!\nStargazing, stargazing' })
    await shows(reader, [0, 0], { stargazing: [1, 1] })
    await shows(writer, [0, 0], { stargazing: [1, 0] })
    await shows(other, [0, 0])
    await idle()
    for (const socket of sockets) {
      await socket.count(1)
      assert.deepEqual(told(socket), [`alertwordPost ${postID}`])
    }
    await own.flushed()
    assert.deepEqual(told(own), [])
    await body(reader.two.get('/forum/post/search?search=Stargazing'))
    assert.deepEqual(await hits(reader.one), { mentions: [0, 0], words: { stargazing: [1, 0] } })
    await body(reader.two.post('/user/alertwords/remove/stargazing'))
    assert.deepEqual(await hits(reader.one), { mentions: [0, 0], words: {} })
  })

  it('is not told to whom the category is closed', async () => {
    const [writer, reader, moderator] = (await people(nodes, { level: 'moderator' }, {}, { level: 'moderator' })) as [
      Person,
      Person,
      Person,
    ]
    await Promise.all([add(reader, 'secretplan'), add(moderator, 'secretplan')])
    await startForum(writer.one, 'Closed', {
      category: await newCategory(nodes, { viewLevel: 'moderator' }),
      text: `secretplan @${reader.username} @${moderator.username}`,
    })
    await shows(moderator, [1, 1], { secretplan: [1, 1] })
    await idle()
    await shows(reader, [0, 0])
  })
})

describe('@moderator and @serviceteam', () => {
  it('are counted and told to everybody of that level but the writer, and looked at with a search for them', async () => {
    const [writer, moderator, team] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, { level: 'serviceteam' })) as [
      Person,
      Person,
      Person,
    ]
    const numbers = async (person: Person, node: number) => {
      const { moderatorData, forumMentionCount } = await body((person.clients[node] as Client).get('/notification/user'))
      return [forumMentionCount, moderatorData.newModeratorForumMentionCount, moderatorData.newTTForumMentionCount]
    }
    const all = [writer, moderator, team]
    const sockets = await Promise.all(all.map(({ two }) => socketOf(two)))
    const { postID } = await startForum(writer.one, 'Groups', { text: '@Moderator @SERVICETEAM @moderators' })
    await (sockets[2] as TestSocket).count(2)
    await (sockets[1] as TestSocket).count(1)
    await sockets[0]?.flushed()
    assert.deepEqual(
      sockets.map((socket) => told(socket).toSorted()),
      [[], [`moderatorForumMention ${postID}`], [`moderatorForumMention ${postID}`, `serviceTeamForumMention ${postID}`]],
    )
    for (const node of [0, 1])
      assert.deepEqual(await Promise.all(all.map((person) => numbers(person, node))), [
        [0, 0, 0],
        [0, 1, 0],
        [0, 1, 1],
      ])
    for (const { one } of [moderator, team]) await body(one.get('/forum/post/search?mentionname=serviceteam'))
    assert.deepEqual(await Promise.all(all.map((person) => numbers(person, 1))), [
      [0, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
    ])
    for (const { one } of [moderator, team]) await body(one.get('/forum/post/search?mentionname=@Moderator'))
    assert.deepEqual(await Promise.all(all.map((person) => numbers(person, 1))), [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ])
  })
})

describe('what counts as looking at it', () => {
  it("is a search for one's own name in any form, and none for another", async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const { forumID } = await startForum(writer.one, 'Looking')
    for (const [search, looks] of [
      ['mentionself=true', true],
      [`mentionname=${reader.username.toUpperCase()}`, true],
      [`mentionname=@${reader.username}`, true],
      [`mentionid=${reader.id}`, true],
      [`mentionname=${writer.username}`, false],
      [`mentionid=${writer.id}`, false],
      [`search=${reader.username}`, false],
      ['', false],
      ['mentionself=true&category=wrong', false],
    ] as const) {
      await body(reader.one.get('/forum/mentions'))
      await postIn(writer.one, forumID, `@${reader.username}`)
      await until(async () => (await hits(reader.two)).mentions[1] === 1, 'the mention is counted')
      await reader.two.get(`/forum/post/search?${search}`)
      for (const client of reader.clients) assert.equal((await hits(client)).mentions[1], looks ? 0 : 1, search)
    }
    await body(reader.one.get(`/forum/${forumID}`))
    assert.equal((await hits(reader.one)).mentions[1], 1)
  })

  it('is a search for the one word, from its beginning', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    await add(reader, 'lifeboat')
    const { forumID } = await startForum(writer.one, 'Searching')
    for (const [path, looks] of [
      ['post/search?search=LifeBoat', true],
      ['post/search?search=%20lifeboat%20', true],
      ['post/search/lifeboat', true],
      [`${forumID}/search/lifeboat`, true],
      ['post/search?search=lifeboat&start=1', false],
      ['post/search?search=lifeboat%20drill', false],
      ['post/search?search=lifeboats', false],
      ['post/search?hashtag=lifeboat', false],
    ] as const) {
      await body(reader.one.get('/forum/post/search?search=lifeboat'))
      await postIn(writer.one, forumID, 'lifeboat')
      await until(async () => hits(reader.two).then(({ words }) => words['lifeboat']?.[1] === 1), 'the word is counted')
      await body(reader.two.get(`/forum/${path}`))
      for (const client of reader.clients) assert.equal((await hits(client)).words['lifeboat']?.[1], looks ? 0 : 1, path)
    }
  })

  it('costs a statement only when there is something new', async () => {
    const [reader] = (await people(nodes, {})) as [Person]
    await hits(reader.one)
    assert.equal(await countStatements(nodes.apps[0] as App, () => body(reader.one.get('/forum/mentions'))), 1)
  })
})

describe('alertwords with all kinds of first letters', () => {
  it('are found, each on both nodes, from when they are added until they are removed', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const words = ['anchor', 'quay', 'queue', 'ñandutí', 'überfahrt', 'якорь', '船の旅人', '𝒶nchorage']
    for (const [index, word] of words.entries())
      await body((index % 2 === 0 ? reader.one : reader.two).post(`/user/alertwords/add/${encodeURIComponent(word)}`))
    const { forumID } = await startForum(writer.two, 'Letters', { text: words.join(' ') })
    await shows(reader, [0, 0], Object.fromEntries(words.map((word) => [word, [1, 1]])))
    await body(reader.two.post('/user/alertwords/remove/queue'))
    await body(reader.one.post('/user/alertwords/remove/quay'))
    await body(reader.one.post('/user/alertwords/add/quayside'))
    await postIn(writer.one, forumID, 'queue quay QuaySide')
    const left = words.filter((word) => !word.startsWith('qu'))
    await shows(reader, [0, 0], Object.fromEntries([left[0], 'quayside', ...left.slice(1)].map((word) => [word, [1, 1]])))
  })

  it('are in memory also when there are hundreds of thousands: a post asks for none', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const [app] = nodes.apps as [App]
    const { forumID } = await startForum(writer.one, 'Many words')
    const statements = (text: string, warm: boolean) => countStatements(app, () => postIn(writer.one, forumID, text), { warm })
    try {
      // No statement has longer than eight seconds.
      for (let from = 1; from < 250_000; from += 50_000)
        await nodes.sql`
          insert into alertword (account_id, word, created_at)
          select ${reader.id}, translate(md5(n::text), '0123456789', 'ghijklmnop'), now()
          from generate_series(${from}::int, ${from + 49_999}::int) n`
      await statements('nobody watches these words', false)
      assert.equal(await statements('nobody watches these words', true), await statements('12 34', true))
    } finally {
      await nodes.sql`delete from alertword where account_id = ${reader.id}`
      app.node.versions.reset()
    }
  })
})

describe('who is in a block with the author or mutes him', () => {
  it('is not hit: all accounts of a blocked person, and no other of one that mutes', async () => {
    const [writer, blocker, muter] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const [writersOther, blockersOther, mutersOther] = (await people(
      nodes,
      { subAccountOf: writer },
      { subAccountOf: blocker },
      { subAccountOf: muter },
    )) as [Person, Person, Person]
    const readers = [blocker, blockersOther, muter, mutersOther]
    await Promise.all(readers.map((each) => add(each, 'snorkel')))
    await block(blocker, writer)
    await mute(muter, writersOther)
    await startForum(writersOther.two, 'Hidden', { text: `snorkel ${readers.map(({ username }) => `@${username}`).join(' ')}` })
    await shows(mutersOther, [1, 1], { snorkel: [1, 1] })
    for (const each of [blocker, blockersOther, muter]) await shows(each, [0, 0])
  })
})

describe('an edit', () => {
  it('hits whom it names anew, and not those whom the post has named before, whoever mutes whom by now', async () => {
    const [writer, named, later] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await mute(named, writer)
    const { postID } = await startForum(writer.one, 'Who comes?', { text: `@${named.username}` })
    await unmute(named, writer)
    await body(writer.two.post(`/forum/post/${postID}/update`, content(`@${named.username} and @${later.username}`)))
    await shows(later, [1, 1])
    await shows(named, [0, 0])
  })
})

describe('what stands for an alertword', () => {
  it('is not new again when the post names somebody else by now', async () => {
    const [writer, reader, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await add(reader, 'sextant')
    const { postID } = await startForum(writer.one, 'Instruments', { text: 'who has a sextant' })
    await shows(reader, [0, 0], { sextant: [1, 1] })
    await body(reader.two.get('/forum/post/search?search=sextant'))
    await shows(reader, [0, 0], { sextant: [1, 0] })
    await body(writer.one.post(`/forum/post/${postID}/update`, content(`who has a sextant, @${other.username}`)))
    await idle()
    await shows(other, [1, 1])
    await shows(reader, [0, 0], { sextant: [1, 0] })
  })

  it('comes and goes with edits', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    await add(reader, 'quadrant')
    const { postID } = await startForum(writer.one, 'Old instruments', { text: 'nothing to be seen' })
    await idle()
    await body(writer.one.post(`/forum/post/${postID}/update`, content('there, a quadrant')))
    await shows(reader, [0, 0], { quadrant: [1, 1] })
    await body(writer.two.post(`/forum/post/${postID}/update`, content('it is gone')))
    await shows(reader, [0, 0])
  })

  it('is forgotten with the word, in forums and in the microblog', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    await add(reader, 'astrolabe')
    await startForum(writer.one, 'More instruments', { text: 'an astrolabe' })
    await write(writer.two, 'an astrolabe')
    await idle()
    const counts = async () => {
      const { alertWords } = await body(reader.two.get('/notification/user'))
      return alertWords.map((word: Record<string, number>) => [word['forumMentionCount'], word['twarrtMentionCount']])
    }
    await until(async () => JSON.stringify(await counts()) === '[[1,1]]', 'both are counted')
    await body(reader.one.post('/user/alertwords/remove/astrolabe'))
    await add(reader, 'astrolabe')
    await idle()
    await nodes.apps[1]?.node.bus.reset()
    assert.deepEqual(await counts(), [])
  })
})

describe('who writes as a shared account', () => {
  it('is as little hit by his own words as the account', async () => {
    const [writer, reader] = (await people(nodes, { level: 'moderator' }, {})) as [Person, Person]
    await Promise.all([writer, reader].map((each) => add(each, 'disguise')))
    const socket = await socketOf(writer.one)
    await startForum(writer.one, 'Disguised', {
      text: `disguise @${writer.username} @moderator @${reader.username}`,
      postAsModerator: true,
    })
    await shows(reader, [1, 1], { disguise: [1, 1] })
    await shows(writer, [0, 0], { disguise: [1, 0] })
    await socket.flushed()
    assert.deepEqual(told(socket), [])
  })
})

describe('a name that was changed', () => {
  it('is mentioned by its new form only, from then on', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const { forumID } = await startForum(writer.one, 'Renamed', { text: `@${reader.username}` })
    await shows(reader, [1, 1])
    await body(reader.one.post('/user/username', { username: `New${reader.username}` }), 201)
    await postIn(writer.two, forumID, `@${reader.username} @new${reader.username}`)
    await shows(reader, [2, 2])
  })
})

describe('GET /notification/hashtags/:search_string', () => {
  it('completes hashtags of posts, in order, for everybody', async () => {
    const [writer] = (await people(nodes, {})) as [Person]
    await startForum(writer.one, 'Tags', { text: '#Qdab #qdabc! #qdab9-x x#qdabno #qdabé' })
    const list = (beginning: string) => body(nodes.client().get(`/notification/hashtags/${encodeURIComponent(beginning)}`))
    assert.deepEqual(await list('qdab'), ['qdab9', 'qdabc', 'qdabé'])
    for (const beginning of ['#Qd', 'Qdab']) assert.deepEqual(await list(beginning), ['Qdab'])
    const many = [...'abcdefghijkl'].map((letter) => `manytags${letter}`)
    await startForum(writer.one, 'Many', { text: many.map((tag) => `#${tag}`).join(' ') })
    assert.deepEqual(await list('manytags'), many.slice(0, 10))
    for (const wrong of ['##qd', 'a-b', '#', 'a b', 'x'.repeat(50)])
      await refused(nodes.client().get(`/notification/hashtags/${encodeURIComponent(wrong)}`), 400)
  })
})
