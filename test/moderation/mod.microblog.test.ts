// /mod/microblog: posts of the microblog as moderators see and judge them. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, people, refused, type Person } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { answer, listed, write } from '../support/microblog.ts'
import { disable } from '../support/settings.ts'
import { storedImage } from '../support/images.ts'

let nodes: TestNodes
let moderator: Person
let user: Person
let other: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator, user, other] = (await people(nodes, { level: 'moderator' }, {}, {})) as [Person, Person, Person]
})
after(() => nodes.stop())

type Kind = 'microblog' | 'twarrt'
const look = (id: number, client: Client = moderator.two, kind: Kind = 'microblog') => body(client.get(`/mod/${kind}/${id}`))
const setState = (id: number | string, word: string, client: Client = moderator.one, kind: Kind = 'microblog'): Promise<Answer> =>
  client.post(`/mod/${kind}/${id}/setstate/${word}`)
const judge = async (id: number, word: string, client?: Client) => assert.equal(await body(setState(id, word, client)), undefined)
const logOf = async (id: number): Promise<string[]> =>
  (
    await nodes.sql`select action_type from moderator_action where content_id = ${String(id)} and content_type = 'twarrt' order by created_at`
  ).map(({ actionType }) => actionType)
const auditOf = async (id: number) =>
  await nodes.sql`select action, actor_id, user_id, details from audit where subject_id = ${String(id)} and subject_type = 'twarrt' order by id`
const review = /moderator review/
const statuses = { normal: 'normal', quarantined: 'quarantined', reviewed: 'modReviewed', locked: 'locked' }
const actions: Record<string, string> = { normal: 'unlock', quarantined: 'quarantine', reviewed: 'markReviewed', locked: 'lock' }

describe('setstate', () => {
  it('sets any state from any other, and logs it each time, by both names', async () => {
    const postID = await write(user.one, 'States')
    const words = Object.keys(statuses) as (keyof typeof statuses)[]
    const sequence = words.flatMap((a) => words.flatMap((b) => [a, b]))
    for (const [index, word] of sequence.entries()) {
      await body(setState(postID, word, moderator.clients[index % 2], index % 3 === 0 ? 'twarrt' : 'microblog'))
      assert.equal((await look(postID)).moderationStatus, statuses[word])
    }
    assert.deepEqual(
      await logOf(postID),
      sequence.map((word) => actions[word]),
    )
    assert.deepEqual(
      (await auditOf(postID)).map(({ action, userId, details }) => [action, userId, details.to]),
      sequence.map((word) => ['setState', user.id, statuses[word]]),
    )
  })

  it('refuses other words, unknown and deleted posts, and callers below moderator', async () => {
    const [client] = (await people(nodes, { level: 'client' })) as [Person]
    const [postID, gone] = [await write(user.one, 'Refused'), await write(user.one, 'Gone')]
    await body(user.two.delete(`/microblog/${gone}`), 204)
    for (const word of ['Normal', 'LOCKED', 'modReviewed', 'autoQuarantined', 'nonsense', '%00']) await refused(setState(postID, word), 400)
    for (const [caller, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [client.two, 403],
    ] as const) {
      await refused(setState(postID, 'locked', caller), status)
      await refused(caller.get(`/mod/microblog/${postID}`), status)
    }
    assert.equal((await look(postID)).moderationStatus, 'normal')
    assert.deepEqual(await logOf(postID), [])
    for (const id of [gone, 2_000_000_000, 'x', -1, '99999999999']) await refused(setState(id, 'locked'), 400)
    for (const id of [2_000_000_000, 'x', '99999999999']) await refused(moderator.one.get(`/mod/microblog/${id}`), 400)
  })

  it('also while the microblog is switched off, and in temporary quarantine', async () => {
    const [temporarily] = (await people(nodes, { level: 'moderator', tempQuarantineUntil: new Date(Date.now() + 3_600_000) })) as [Person]
    const postID = await write(user.one, 'Off')
    await disable(nodes, 'tweets')
    try {
      await refused(moderator.two.get(`/microblog/${postID}`), 451)
      await judge(postID, 'locked', temporarily.two)
      assert.equal((await look(postID)).moderationStatus, 'locked')
    } finally {
      await disable(nodes)
    }
  })
})

describe('/mod/microblog/:post_id', () => {
  it('shows text and images, edits oldest first, reports newest first; what was said about it is left out; deleted or not', async () => {
    const filename = 'ABCDEF01-0000-4000-8000-000000000001.JPG'
    const head = await write(other.one, 'question')
    storedImage(nodes, filename.replace('JPG', 'jpg'))
    const postID = await answer(user.one, head, 'rude', { images: [{ filename }] })
    for (const person of [other, moderator]) await body(person.one.post(`/microblog/${postID}/love`))
    await body(moderator.one.post(`/microblog/${postID}/bookmark`), 201)
    await body(user.two.post(`/microblog/${postID}/update`, content('ruder')))
    await body(moderator.one.post(`/microblog/${postID}/update`, content('rudest')))
    for (const [person, message] of [
      [other, 'one'],
      [moderator, 'two'],
    ] as const)
      await body(person.two.post(`/microblog/${postID}/report`, { message }), 201)
    await judge(postID, 'quarantined')
    const { twarrt, edits, reports, acts: _acts, version: _version, ...rest } = await look(postID)
    const { createdAt: _at, ...post } = twarrt
    assert.deepEqual(post, {
      twarrtID: postID,
      author: { userID: user.id, username: user.username },
      text: 'rudest',
      images: [],
      replyGroupID: head,
      isBookmarked: false,
      likeCount: 0,
    })
    assert.deepEqual(rest, { isDeleted: false, moderationStatus: 'quarantined' })
    assert.deepEqual(
      edits.map((edit: Record<string, unknown> & { author: { userID: string } }) => [
        edit['postID'],
        edit.author.userID,
        edit['text'],
        edit['images'],
      ]),
      [
        [postID, user.id, 'rude', [filename.replace('JPG', 'jpg')]],
        [postID, moderator.id, 'ruder', []],
      ],
    )
    assert.deepEqual(
      reports.map((report: Record<string, string>) => [report['type'], report['reportedID'], report['submitterMessage']]),
      [
        ['twarrt', String(postID), 'two'],
        ['twarrt', String(postID), 'one'],
      ],
    )
    await body(moderator.one.delete(`/microblog/${postID}`), 204)
    const deleted = await look(postID, moderator.one, 'twarrt')
    assert.deepEqual([deleted.twarrt.text, deleted.isDeleted, deleted.reports.length, deleted.edits.length], ['rudest', true, 2, 2])
  })

  it('a hidden post is masked for everybody, on all nodes, and its author cannot change it; a locked one is shown', async () => {
    const postID = await write(user.one, 'rude words')
    const texts = async () =>
      await Promise.all(
        [user, other, moderator].flatMap(({ clients }) =>
          clients.map(async (client) => (await body(client.get(`/microblog/${postID}`))).text as string),
        ),
      )
    await judge(postID, 'quarantined', moderator.two)
    for (const text of await texts()) assert.match(text, review)
    for (const { one } of [other, moderator]) await refused(one.post(`/microblog/${postID}/reply`, content('x')), 400)
    await refused(user.two.post(`/microblog/${postID}/update`, content('better')), 403)
    await judge(postID, 'locked')
    for (const text of await texts()) assert.equal(text, 'rude words')
    await refused(user.one.delete(`/microblog/${postID}`), 403)
    await judge(postID, 'reviewed')
    await body(user.two.post(`/microblog/${postID}/update`, content('better')))
    assert.equal((await look(postID)).moderationStatus, 'normal')
  })

  it('reports count for moderators on all nodes, and are settled together', async () => {
    const [a, b] = (await people(nodes, {}, {})) as [Person, Person]
    const postID = await write(user.one, 'reported')
    const open = async (client: Client) => (await body(client.get('/notification/user'))).moderatorData.openReportCount as number
    const before = await open(moderator.one)
    for (const { one } of [a, b]) await body(one.post(`/microblog/${postID}/report`, { message: '' }), 201)
    const [report] = (await look(postID)).reports
    await body(moderator.two.post(`/mod/reports/${report.id}/handleall`))
    for (const client of moderator.clients) assert.equal(await open(client), before)
    await body(moderator.one.post(`/mod/reports/${report.id}/closeall`))
    assert.ok((await look(postID)).reports.every((each: { isClosed: boolean }) => each.isClosed))
  })

  it('a moderator sees and judges whoever is in a block with him', async () => {
    const [foe] = (await people(nodes, {})) as [Person]
    const postID = await write(foe.one, 'hidden from some')
    await block(moderator, foe)
    await judge(postID, 'locked')
    assert.equal((await look(postID)).twarrt.text, 'hidden from some')
    assert.deepEqual(await listed(moderator.two, `/user/${foe.id}`), [postID])
  })
})
