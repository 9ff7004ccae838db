// Posts of the microblog: writing, answering, changing and deleting them, and what users say about them.
// Two nodes on one database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, mute, people, refused, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { answer, listed, write } from '../support/microblog.ts'
import { until } from '../support/until.ts'
import { storedImage } from '../support/images.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
})
after(() => nodes.stop())

const soon = () => new Date(Date.now() + 3_600_000)
const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const get = (client: Client, postID: number) => body(client.get(`/microblog/${postID}`))
const setState = async (postID: number, status: string) => {
  await nodes.sql`update microblog_post set moderation_status = ${status}::moderation_status where id = ${postID}`
}
const stateOf = async (postID: number) =>
  (await nodes.sql`select moderation_status as status from microblog_post where id = ${postID}`)[0]?.['status']
const editsOf = (postID: number) =>
  nodes.sql`select text, images, editor_id from microblog_post_edit where post_id = ${postID} order by created_at`
const actionsOf = (postID: number) =>
  nodes.sql`select action_type, content_type, moderator_id, target_user_id from moderator_action where content_id = ${String(postID)} and content_type = 'twarrt' order by created_at`
const image = async () =>
  (
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
  ).toString('base64')
const stored = () => storedImage(nodes)

describe('POST /microblog/create', () => {
  it('answers with the post, which everybody gets from then on', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const filename = stored()
    const post = await body(writer.one.post('/microblog/create', content('one\rtwo', { images: [{ filename }] })), 201)
    assert.match(post.createdAt, /Z$/)
    assert.deepEqual(post, {
      twarrtID: post.twarrtID,
      createdAt: post.createdAt,
      author: headerOf(writer),
      text: 'one\ntwo',
      images: [filename],
      isBookmarked: false,
      likeCount: 0,
    })
    assert.deepEqual((await body(reader.two.get('/microblog')))[0], post)
    const { likeCount: _, ...rest } = post
    assert.deepEqual(await get(reader.two, post.twarrtID), { ...rest, laughs: [], likes: [], loves: [] })
  })

  it('broken rules of content first, then the number of images, then rights', async () => {
    const [plain, temporarily, unverified, quarantined, photographer, moderator] = (await people(
      nodes,
      {},
      { tempQuarantineUntil: soon() },
      { level: 'unverified' },
      { level: 'quarantined' },
      { roles: ['shutternaut'] },
      { level: 'moderator', tempQuarantineUntil: soon() },
    )) as [Person, Person, Person, Person, Person, Person]
    const create = (person: Person, value: unknown) => person.one.post('/microblog/create', value)
    for (const [value, fields] of [
      [content(''), ['text']],
      [content('x'.repeat(2048)), ['text']],
      [content('x\n'.repeat(25)), ['text']],
      [content('', { images: Array.from({ length: 9 }, () => ({ filename: stored() })) }), ['images', 'text']],
      [content('x', { images: [{}] }), ['images']],
    ] as const)
      assert.deepEqual(Object.keys((await body(create(temporarily, value), 400)).fieldErrors).toSorted(), fields)
    for (const value of [{ text: 'x' }, { images: [] }, { text: 1, images: [] }, [], 'x']) await refused(create(plain, value), 400)
    await refused(create(plain, undefined), 422)
    const five = content('x', { images: Array.from({ length: 5 }, () => ({ filename: stored() })) })
    for (const person of [plain, temporarily, photographer]) await refused(create(person, five), 400)
    for (const person of [temporarily, unverified, quarantined, moderator]) await refused(create(person, content('x')), 403)
    await refused(nodes.client().post('/microblog/create', content('x')), 401)
    await write(plain.one, `${'é'.repeat(2046)}👩‍👩‍👧‍👦`, { images: Array.from({ length: 4 }, () => ({ filename: stored() })) })
    await write(plain.one, 'x\r\n'.repeat(24))
  })

  it('stores new images, for those who may post, in the order given', async () => {
    const [writer, temporarily] = (await people(nodes, {}, { tempQuarantineUntil: soon() })) as [Person, Person]
    const [data, kept] = [await image(), stored()]
    const post = await body(
      writer.one.post(
        '/microblog/create',
        content('look', { images: [{ image: data }, { filename: kept }, { image: data, filename: kept }] }),
      ),
      201,
    )
    assert.match(post.images[0], /^[0-9A-F-]{36}\.png$/)
    assert.equal(post.images[1], kept)
    assert.notEqual(post.images[2], kept)
    assert.equal((await writer.two.file(`/image/full/${post.images[0]}`)).status, 200)
    await refused(temporarily.one.post('/microblog/create', content('x', { images: [{ image: data }] })), 403)
    await refused(
      writer.one.post('/microblog/create', content('x', { images: [{ image: Buffer.from('no picture').toString('base64') }] })),
      400,
    )
    await refused(writer.one.post('/microblog/create', content('x', { images: [{ filename: '../secret' }] })), 400)
  })

  it('as a shared account, for moderators; the wish of others is ignored', async () => {
    const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
    const post = async (person: Person, more: object) => body(person.one.post('/microblog/create', content('x', more)), 201)
    assert.equal((await post(plain, { postAsModerator: true })).author.username, plain.username)
    assert.equal((await post(moderator, { postAsServiceTeam: true })).author.username, 'ServiceTeam')
    const { twarrtID, author } = await post(moderator, { postAsModerator: true, postAsServiceTeam: true })
    assert.equal(author.username, 'moderator')
    assert.deepEqual(
      [...(await actionsOf(twarrtID))],
      [{ actionType: 'post', contentType: 'twarrt', moderatorId: moderator.id, targetUserId: builtIn.moderator }],
    )
  })

  it('once per Idempotency-Key; ids rise, whoever writes where', async () => {
    const writers = await people(nodes, ...Array.from({ length: 8 }, () => ({})))
    const first = writers[0] as Person
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      [0, 1, 0].map((node) => body((first.clients[node] as Client).post('/microblog/create', content('once'), { headers }), 201)),
    )
    for (const each of answers) assert.deepEqual(each, answers[0])
    const before = answers[0].twarrtID as number
    // A reader who asks for what is new misses nothing, however many write.
    const seen: number[] = []
    const writing = Promise.all(writers.flatMap(({ one, two }, index) => [write(one, `one ${index}`), write(two, `two ${index}`)]))
    await until(async () => {
      seen.push(...(await listed(first.two, `?after=${seen.at(-1) ?? before}`)).reverse())
      return seen.length >= 2 * writers.length
    }, 'everything was read')
    assert.deepEqual(
      seen,
      (await writing).toSorted((a, b) => a - b),
    )
  })
})

describe('several writers at once', () => {
  it('whoever has read up to a post misses none before it, however long that takes to be written', async () => {
    const [slow, quick, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    let posts: Promise<number>[] = []
    let seen: number[] = []
    await nodes.apps[0]?.node.db.transaction(async (sql) => {
      // The first one gets its id, and cannot be committed yet: somebody else is adding its hashtag.
      await sql`insert into hashtag (tag) values ('unhurried')`
      posts = [write(slow.one, 'a post with a #unhurried tag')]
      const waiting = async () =>
        (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length
      await until(async () => (await waiting()) === 1, 'the first post waits')
      posts.push(write(quick.two, 'a post of one statement'))
      let isWritten = false
      void posts[1]?.then(() => (isWritten = true))
      await until(async () => isWritten || (await waiting()) === 2, 'the second post is written or waits')
      seen = await listed(reader.two, '?limit=1')
    })
    const written = await Promise.all(posts)
    const since = await listed(reader.one, `?after=${seen[0]}`)
    assert.deepEqual(
      [...seen, ...since].filter((id) => written.includes(id)).toSorted((a, b) => a - b),
      written,
    )
  })
})

describe('POST /microblog/:post_id/reply', () => {
  it('makes one group of all answers and answers to answers', async () => {
    const [a, b] = (await people(nodes, {}, {})) as [Person, Person]
    const head = await write(a.one, 'question')
    const lone = await write(a.one, 'nobody answers')
    const first = await body(b.one.post(`/microblog/${head}/reply`, content('answer')), 201)
    assert.deepEqual([first.replyGroupID, first.author], [head, headerOf(b)])
    const second = await answer(a.two, first.twarrtID, 'answer to the answer')
    for (const postID of [head, first.twarrtID, second]) assert.equal((await get(b.two, postID)).replyGroupID, head)
    assert.ok(!('replyGroupID' in (await get(b.two, lone))))
    assert.deepEqual(await listed(a.two, `?replyGroup=${head}`), [head, first.twarrtID, second])
    assert.deepEqual(await listed(a.two, `?replyGroup=${lone}`), [lone])
    // Deleting a member leaves the others as they are, the first one included.
    await body(b.one.delete(`/microblog/${first.twarrtID}`), 204)
    assert.deepEqual(await listed(a.two, `?replyGroup=${head}`), [head, second])
    await body(a.one.delete(`/microblog/${head}`), 204)
    assert.deepEqual(await listed(a.two, `?replyGroup=${head}`), [second])
    assert.equal((await get(a.two, second)).replyGroupID, head)
    assert.equal((await get(b.two, await answer(b.one, second, 'late'))).replyGroupID, head)
  })

  it('two first answers at once are in one group', async () => {
    const [a, b, c] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    for (let round = 0; round < 5; round++) {
      const head = await write(a.one, 'question')
      const answers = await Promise.all([answer(b.one, head, 'b'), answer(c.two, head, 'c')])
      assert.deepEqual(await listed(a.one, `?replyGroup=${head}`), [head, ...answers.toSorted((x, y) => x - y)])
    }
  })

  it('only moderators hide a post from answers; a locked one takes them', async () => {
    const [a, b, moderator, temporarily] = (await people(nodes, {}, {}, { level: 'moderator' }, { tempQuarantineUntil: soon() })) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const head = await write(a.one, 'question')
    for (const status of ['quarantined', 'autoQuarantined']) {
      await setState(head, status)
      for (const { one } of [a, b, moderator]) await refused(one.post(`/microblog/${head}/reply`, content('x')), 400)
    }
    for (const status of ['locked', 'modReviewed', 'normal']) {
      await setState(head, status)
      await answer(b.one, head, 'x')
    }
    assert.ok((await body(temporarily.one.post(`/microblog/${head}/reply`, content('')), 400)).fieldErrors)
    await refused(temporarily.one.post('/microblog/2000000000/reply', content('x')), 400)
    await refused(temporarily.one.post(`/microblog/${head}/reply`, content('x')), 403)
    await refused(a.one.post(`/microblog/${head}/reply`), 422)
    const post = await body(moderator.one.post(`/microblog/${head}/reply`, content('official', { postAsModerator: true })), 201)
    assert.deepEqual([post.author.username, post.replyGroupID], ['moderator', head])
  })
})

describe('every endpoint of one post', () => {
  it('missing, deleted and hidden answer alike', async () => {
    const [plain, foe, bore, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
    const [byFoe, byBore, said, gone] = [
      await write(foe.one, 'x'),
      await write(bore.one, 'y'),
      await write(moderator.one, 'such spoilers'),
      await write(plain.one, 'z'),
    ]
    await body(plain.one.delete(`/microblog/${gone}`), 204)
    await block(foe, plain)
    await mute(plain, bore)
    await body(plain.one.post('/user/mutewords/add/spoiler'))
    const reasons = new Set<string>()
    for (const postID of [2_000_000_000, -1, gone, byFoe, byBore, said])
      reasons.add(await refused(plain.two.get(`/microblog/${postID}`), 400))
    const calls: [string, string, unknown?][] = [
      ['POST', '/reply', content('x')],
      ['POST', '/update', content('x')],
      ['POST', '/delete'],
      ['DELETE', ''],
      ['POST', '/image', { filename: stored() }],
      ['POST', '/image/remove'],
      ...['laugh', 'like', 'love'].flatMap((word): [string, string][] => [
        ['POST', `/${word}`],
        ['DELETE', `/${word}`],
      ]),
      ['POST', '/unreact'],
      ['POST', '/bookmark'],
      ['POST', '/report', { message: '' }],
    ]
    for (const [method, path, value] of calls) {
      for (const postID of [2_000_000_000, gone, byFoe])
        reasons.add(await refused(plain.two.request(method, `/microblog/${postID}${path}`, { body: value }), 400))
      await refused(plain.one.request(method, `/microblog/x${path}`, { body: value }), 400)
      await refused(nodes.client().request(method, `/microblog/${said}${path}`, { body: value }), 401)
    }
    assert.equal(reasons.size, 1, [...reasons].join(' | '))
    // What one has muted oneself is hidden from reading only.
    await body(plain.two.post(`/microblog/${byBore}/like`))
    await answer(plain.two, byBore, 'x')
    // Moderators hide nothing by blocks.
    await block(moderator, foe)
    await get(moderator.two, byFoe)
  })

  it('a post under review has another text and no images, for everybody', async () => {
    const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
    const postID = await write(owner.one, 'secret text', { images: [{ filename: stored() }] })
    for (const status of ['quarantined', 'autoQuarantined']) {
      await setState(postID, status)
      for (const { two } of [owner, moderator]) {
        for (const post of [
          await get(two, postID),
          (await body(two.get('/microblog?limit=1')))[0],
          await body(moderator.one.post(`/microblog/${postID}/like`)),
        ]) {
          assert.match(post.text, /moderator review/)
          assert.ok(!('images' in post))
        }
      }
    }
    await setState(postID, 'locked')
    assert.equal((await get(owner.two, postID)).text, 'secret text')
  })
})

describe('POST /microblog/:post_id/update', () => {
  it('replaces text and images, and keeps what was before', async () => {
    const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const [postID, filename] = [await write(owner.one, 'first'), stored()]
    const update = (person: Person, value: object) => person.two.post(`/microblog/${postID}/update`, value)
    const changed = await body(update(owner, content('two\r\nlines', { images: [{ filename }] })))
    assert.deepEqual([changed.twarrtID, changed.text, changed.images, changed.author], [postID, 'two\nlines', [filename], headerOf(owner)])
    assert.deepEqual((await body(plain.one.get('/microblog?limit=1')))[0], changed)
    // Nothing changes, nothing is kept.
    await body(update(owner, content('two\r\nlines', { images: [{ filename }] })))
    assert.deepEqual([...(await editsOf(postID))], [{ text: 'first', images: [], editorId: owner.id }])
    await refused(update(plain, content('mine now')), 403)
    await refused(update(moderator, content('x', { images: Array.from({ length: 5 }, () => ({ filename })) })), 400)
    await body(update(moderator, content('by moderator', { postAsModerator: true })))
    assert.deepEqual((await editsOf(postID))[1], { text: 'two\nlines', images: [filename], editorId: moderator.id })
    assert.deepEqual(
      [...(await actionsOf(postID))],
      [{ actionType: 'edit', contentType: 'twarrt', moderatorId: moderator.id, targetUserId: owner.id }],
    )
    assert.deepEqual((await get(plain.two, postID)).author, headerOf(owner))
    const newImage = await body(update(owner, content('by moderator', { images: [{ image: await image() }] })))
    assert.equal((await plain.one.file(`/image/full/${newImage.images[0]}`)).status, 200)
  })

  it('refusals in order, by state of the post', async () => {
    const [owner, moderator, temporarily] = (await people(
      nodes,
      {},
      { level: 'moderator' },
      { level: 'moderator', tempQuarantineUntil: soon() },
    )) as [Person, Person, Person]
    const postID = await write(owner.one, 'text')
    let texts = 0
    const update = (person: Person) => person.one.post(`/microblog/${postID}/update`, content(`text ${++texts}`))
    assert.ok((await body(temporarily.one.post(`/microblog/${postID}/update`, content('')), 400)).fieldErrors)
    await refused(update(temporarily), 403)
    for (const status of ['locked', 'quarantined', 'autoQuarantined']) {
      await setState(postID, status)
      await refused(update(owner), 403)
      await refused(owner.one.delete(`/microblog/${postID}`), 403)
      await refused(owner.one.post(`/microblog/${postID}/image/remove`), 403)
      await body(update(moderator))
    }
    await setState(postID, 'modReviewed')
    await body(update(moderator))
    assert.equal(await stateOf(postID), 'modReviewed')
    await body(update(owner))
    assert.equal(await stateOf(postID), 'normal')
  })

  it('is found by what it says now', async () => {
    const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
    const word = `zqxedit${process.pid}`
    const postID = await write(owner.one, `${word} #${word} @${other.username}`)
    const found = async () =>
      await Promise.all([`?search=${word}`, `?hashtag=${word}`, `?mentions=${other.username}`].map((query) => listed(owner.two, query)))
    assert.deepEqual(await found(), [[postID], [postID], [postID]])
    await body(owner.one.post(`/microblog/${postID}/update`, content('nothing')))
    assert.deepEqual(await found(), [[], [], []])
  })
})

describe('POST /microblog/:post_id/image and /image/remove', () => {
  it('exactly one image, and none', async () => {
    const [owner, plain] = (await people(nodes, {}, {})) as [Person, Person]
    const [first, second] = [stored(), stored()]
    const postID = await write(owner.one, 'first', { images: [{ filename: first }, { filename: first }] })
    const only = await body(owner.two.post(`/microblog/${postID}/image`, { filename: second }))
    assert.deepEqual([only.text, only.images], ['first', [second]])
    await refused(owner.one.post(`/microblog/${postID}/image`, {}), 400)
    for (const path of ['image', 'image/remove']) await refused(plain.one.post(`/microblog/${postID}/${path}`, { filename: first }), 403)
    for (let i = 0; i < 2; i++) assert.deepEqual((await body(owner.one.post(`/microblog/${postID}/image/remove`))).images, [])
    assert.deepEqual(
      (await editsOf(postID)).map((edit) => edit['images']),
      [[first, first], [second]],
    )
    assert.match((await body(owner.one.post(`/microblog/${postID}/image`, { image: await image() }))).images[0], /\.png$/)
  })
})

describe('DELETE /microblog/:post_id and POST …/delete', () => {
  it('by its author or a moderator, who is logged; its images are put away unless another post shows them', async () => {
    const [owner, plain, moderator, temporarily] = (await people(
      nodes,
      {},
      {},
      { level: 'moderator' },
      { level: 'moderator', tempQuarantineUntil: soon() },
    )) as [Person, Person, Person, Person]
    const { twarrtID, images } = await body(owner.one.post('/microblog/create', content('x', { images: [{ image: await image() }] })), 201)
    const again = await write(owner.one, 'again', { images: [{ filename: images[0] }] })
    await refused(plain.one.delete(`/microblog/${twarrtID}`), 403)
    await refused(temporarily.one.post(`/microblog/${twarrtID}/delete`), 403)
    await body(moderator.one.delete(`/microblog/${twarrtID}`), 204)
    assert.deepEqual(
      [...(await actionsOf(twarrtID))],
      [{ actionType: 'delete', contentType: 'twarrt', moderatorId: moderator.id, targetUserId: owner.id }],
    )
    await refused(owner.two.get(`/microblog/${twarrtID}`), 400)
    const isShown = async () => (await owner.two.file(`/image/full/${images[0]}`)).status === 200
    assert.ok(await isShown())
    await body(owner.two.post(`/microblog/${again}/delete`), 204)
    await until(async () => !(await isShown()), 'the image is put away')
    assert.deepEqual([...(await actionsOf(again))], [])
    await refused(owner.one.delete(`/microblog/${again}`), 400)
  })
})

describe('reactions', () => {
  it('one per user, counted over all, whoever hides whom', async () => {
    const [owner, anna, bert] = (await people(nodes, {}, { level: 'unverified' }, {})) as [Person, Person, Person]
    const postID = await write(owner.one, 'Reactions')
    const say = async (person: Person, verb: string, method = 'POST') => {
      const {
        userLike,
        likeCount,
        reactionCounts: counts,
      } = await body(
        person.one.request<{ userLike?: string; likeCount: number; reactionCounts?: Record<string, number> }>(
          method,
          `/microblog/${postID}/${verb}`,
        ),
      )
      return [userLike, likeCount, counts && [counts['laugh'], counts['like'], counts['love']]]
    }
    assert.deepEqual(await say(anna, 'laugh'), ['laugh', 1, [1, 0, 0]])
    assert.deepEqual(await say(anna, 'love'), ['love', 1, [0, 0, 1]])
    assert.deepEqual(await say(bert, 'like'), ['like', 2, [0, 1, 1]])
    await block(anna, bert)
    const seen = await get(anna.two, postID)
    assert.deepEqual([seen.userLike, seen.laughs, seen.likes, seen.loves], ['love', [], [headerOf(bert)], [headerOf(anna)]])
    assert.deepEqual((await body(anna.two.get('/microblog?limit=1')))[0].reactionCounts, { laugh: 0, like: 1, love: 1 })
    for (const [path, expected] of [
      ['/likes', [postID]],
      ['?likeType=love', [postID]],
      ['?likeType=all', [postID]],
      ['?likeType=like', []],
      ['/likes?likeType=like', []],
    ] as const)
      assert.deepEqual(await listed(anna.two, path), expected, path)
    assert.deepEqual(await say(anna, 'laugh', 'DELETE'), [undefined, 1, [0, 1, 0]])
    assert.deepEqual(await say(anna, 'unreact'), [undefined, 1, [0, 1, 0]])
    assert.deepEqual(await listed(anna.two, '/likes'), [])
    for (const verb of ['laugh', 'like', 'love', 'unreact']) await refused(owner.one.post(`/microblog/${postID}/${verb}`), 403)
    await refused(owner.one.delete(`/microblog/${postID}/like`), 403)
    await Promise.all([0, 1, 0, 1].map((node) => (bert.clients[node] as Client).post(`/microblog/${postID}/like`)))
    assert.deepEqual(await say(bert, 'like'), ['like', 1, [0, 1, 0]])
  })

  it('somebody who may not write reacts in every state; to his own words as a shared account too', async () => {
    const [owner, temporarily, moderator] = (await people(nodes, {}, { tempQuarantineUntil: soon() }, { level: 'moderator' })) as [
      Person,
      Person,
      Person,
    ]
    const postID = await write(owner.one, 'x')
    for (const status of ['normal', 'locked', 'quarantined', 'autoQuarantined', 'modReviewed']) {
      await setState(postID, status)
      await body(temporarily.one.post(`/microblog/${postID}/like`))
      await body(temporarily.one.post(`/microblog/${postID}/bookmark`), 201)
    }
    await body(moderator.one.post(`/microblog/${await write(moderator.one, 'official', { postAsModerator: true })}/like`))
  })
})

describe('bookmarks', () => {
  it('201 always, removal 204 always, also of what does not exist; private', async () => {
    const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const postID = await write(owner.one, 'Bookmarks')
    for (const client of reader.clients) await body(client.post(`/microblog/${postID}/bookmark`), 201)
    assert.deepEqual(
      [await listed(reader.two, '/bookmarks'), await listed(reader.two, '?bookmarked=true'), await listed(owner.two, '/bookmarks')],
      [[postID], [postID], []],
    )
    assert.equal((await get(reader.two, postID)).isBookmarked, true)
    assert.equal((await get(owner.two, postID)).isBookmarked, false)
    await body(owner.one.post(`/microblog/${postID}/bookmark`), 201)
    // A reaction leaves the bookmark alone, and the other way round.
    await body(reader.one.post(`/microblog/${postID}/like`))
    await body(reader.one.post(`/microblog/${postID}/unreact`))
    assert.deepEqual(await listed(reader.two, '/bookmarks'), [postID])
    for (let i = 0; i < 2; i++) await body(reader.one.delete(`/microblog/${postID}/bookmark`), 204)
    await body(reader.one.post(`/microblog/${postID}/bookmark/remove`), 204)
    await body(reader.one.post('/microblog/2000000000/bookmark/remove'), 204)
    assert.deepEqual(await listed(reader.two, '/bookmarks'), [])
  })
})

describe('POST /microblog/:post_id/report', () => {
  it('once per person; every third one hides what is normal', async () => {
    const [owner, ...reporters] = (await people(nodes, ...Array.from({ length: 10 }, () => ({})))) as [Person, ...Person[]]
    const second = (await people(nodes, { subAccountOf: reporters[0] as Person }))[0] as Person
    const postID = await write(owner.one, 'Reports')
    const report = (person: Person | undefined, message: unknown = '') =>
      (person as Person).one.post(`/microblog/${postID}/report`, { message })
    for (const [index, state] of ['normal', 'normal', 'autoQuarantined'].entries()) {
      await body(report(reporters[index]), 201)
      assert.equal(await stateOf(postID), state)
    }
    for (const person of [reporters[0], second]) await refused(report(person), 409)
    await setState(postID, 'normal')
    await body(report(reporters[3]), 201)
    assert.equal(await stateOf(postID), 'normal')
    await Promise.all([4, 5].map((index) => body(report(reporters[index]), 201)))
    assert.equal(await stateOf(postID), 'autoQuarantined')
    for (const state of ['modReviewed', 'locked']) {
      await setState(postID, state)
      await body(report(state === 'locked' ? owner : reporters[6]), 201)
      assert.equal(await stateOf(postID), state)
    }
    await refused(report(reporters[7], 1), 400)
    const moderator = (await people(nodes, { level: 'moderator' }))[0] as Person
    const [filed] = await body(moderator.two.get('/mod/reports'))
    assert.deepEqual(
      [filed.type, filed.reportedID, filed.reportedUser, filed.author],
      ['twarrt', String(postID), headerOf(owner), headerOf(owner)],
    )
  })
})

describe('mentions and alertwords', () => {
  const counts = async (client: Client) => {
    const { twarrtMentionCount, newTwarrtMentionCount, alertWords } = await body(client.get('/notification/user'))
    return [
      twarrtMentionCount,
      newTwarrtMentionCount,
      ...alertWords.map((each: Record<string, unknown>) => [each['alertword'], each['twarrtMentionCount'], each['newTwarrtMentionCount']]),
    ]
  }
  const shows = async (person: Person, expected: unknown[]) => {
    for (const client of person.clients)
      await until(async () => JSON.stringify(await counts(client)) === JSON.stringify(expected), JSON.stringify(expected))
  }

  it('are counted with posts, answers, changes and deletions, told once, and looked at with their lists', async () => {
    const [writer, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const socket = await reader.two.socket('/notification/socket')
    const word = 'zebracrossing'
    await body(reader.one.post(`/user/alertwords/add/${word}`))
    const first = await write(writer.one, `hello @${reader.username}. See the Zebra-crossing? no: ${word}!`)
    const second = await answer(writer.two, first, `@${reader.username}`)
    await shows(reader, [2, 2, [word, 1, 1]])
    await socket.count(3)
    assert.deepEqual(
      socket.frames.map(({ type, contentID }) => `${Object.keys(type).join()} ${contentID}`).toSorted(),
      [`alertwordTwarrt ${first}`, `twarrtMention ${first}`, `twarrtMention ${second}`].toSorted(),
    )
    // Reading clears nothing, nor does a page of the search that is not the first, nor another's mentions.
    for (const path of ['', `?search=${word}&start=1`, `?search=${word}%20hello`, `?mentions=${writer.username}`, `/${first}`])
      await body(reader.one.get(`/microblog${path}`))
    assert.deepEqual(await counts(reader.two), [2, 2, [word, 1, 1]])
    await body(reader.one.get('/microblog/mentions'))
    assert.deepEqual(await counts(reader.two), [2, 0, [word, 1, 1]])
    await body(reader.one.get(`/microblog/search/${word.toUpperCase()}`))
    assert.deepEqual(await counts(reader.two), [2, 0, [word, 1, 0]])
    const third = await write(writer.one, `${word} @${reader.username}`)
    await shows(reader, [3, 1, [word, 2, 1]])
    await body(reader.two.get(`/microblog?search=@${reader.username.toUpperCase()}`))
    assert.deepEqual(await counts(reader.one), [3, 0, [word, 2, 1]])
    await body(reader.two.get(`/microblog?search=${word}`))
    assert.deepEqual(await counts(reader.one), [3, 0, [word, 2, 0]])
    await body(writer.one.post(`/microblog/${third}/update`, content('nothing any more')))
    await body(writer.one.delete(`/microblog/${second}`), 204)
    await shows(reader, [1, 0, [word, 1, 0]])
    await body(writer.one.post(`/microblog/${third}/update`, content(`@${reader.username}`)))
    await shows(reader, [2, 1, [word, 1, 0]])
    for (const path of [`?mentions=@${reader.username}`, '?mentionself=true']) {
      await body(reader.two.get(`/microblog${path}`))
      assert.deepEqual(await counts(reader.one), [2, 0, [word, 1, 0]])
    }
  })

  it('oneself, and who is in a block, are not hit; hashtags are offered', async () => {
    const [writer, foe] = (await people(nodes, {}, {})) as [Person, Person]
    await block(foe, writer)
    await write(writer.one, `@${writer.username} @${foe.username} #Zqxtagged`)
    for (const person of [writer, foe]) await shows(person, [0, 0])
    assert.deepEqual(await body(nodes.client().get('/notification/hashtags/Zqx')), ['Zqxtagged'])
  })
})
