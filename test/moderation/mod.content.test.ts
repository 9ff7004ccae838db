// /mod/fez, /mod/fezpost, /mod/profile: content as moderators see and judge it. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isHidden, moderationStatuses } from '../../src/moderation/types.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, createChat, createSeamail, lfg, people, refused, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2)
  moderator = (await people(nodes, { level: 'moderator' }))[0] as Person
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
type Kind = 'fez' | 'fezpost' | 'profile'
const look = (kind: Kind, id: string | number, client: Client = moderator.two) => body(client.get(`/mod/${kind}/${id}`))
const setState = (kind: Kind, id: string | number, word: string, client: Client = moderator.one): Promise<Answer> =>
  client.post(`/mod/${kind}/${id}/setstate/${word}`)
const judge = async (kind: Kind, id: string | number, word: string, client?: Client) =>
  assert.equal(await body(setState(kind, id, word, client)), undefined)
const logOf = async (id: string | number): Promise<string[]> =>
  (await nodes.sql`select action_type from moderator_action where content_id = ${String(id)} order by created_at`).map(
    ({ actionType }) => actionType,
  )
const auditOf = async (id: string | number) =>
  (await nodes.sql`select details from audit where subject_id = ${String(id)} and action = 'setState' order by id`).map(
    ({ details }) => `${details.from} → ${details.to}`,
  )
const review = /review/

const statuses = { normal: 'normal', quarantined: 'quarantined', reviewed: 'modReviewed', locked: 'locked' }
const actions: Record<string, string> = { normal: 'unlock', quarantined: 'quarantine', reviewed: 'markReviewed', locked: 'lock' }

describe('setstate', () => {
  it('hides content in the same states in statements and in views', async () => {
    const rows = await nodes.sql`select status, is_hidden(status) as hidden from unnest(enum_range(null::moderation_status)) as status`
    assert.deepEqual(
      rows.map(({ status, hidden }) => [status, hidden]),
      moderationStatuses.map((status) => [status, isHidden(status)]),
    )
  })

  it('sets any state from any other, and logs it each time', async () => {
    const [user] = (await people(nodes, {})) as [Person]
    const fezID = await createChat(user.one)
    const postID = await say(user.one, fezID, 'hello')
    const words = Object.keys(statuses) as (keyof typeof statuses)[]
    for (const [kind, id] of [
      ['fez', fezID],
      ['fezpost', postID],
      ['profile', user.id],
    ] as const) {
      const sequence = words.flatMap((a) => words.flatMap((b) => [a, b]))
      for (const [index, word] of sequence.entries()) {
        await judge(kind, id, word, moderator.clients[index % 2])
        assert.equal((await look(kind, id)).moderationStatus, statuses[word])
      }
      assert.deepEqual(
        await logOf(id),
        sequence.map((word) => actions[word]),
      )
      assert.deepEqual(
        await auditOf(id),
        sequence.map((word, index) => `${index === 0 ? 'normal' : statuses[sequence[index - 1]!]} → ${statuses[word]}`),
      )
      await judge(kind, id, 'normal')
    }
  })

  it('refuses other words, unknown and deleted items, and callers below moderator', async () => {
    const [user, client] = (await people(nodes, {}, { level: 'client' })) as [Person, Person]
    const fezID = await createChat(user.one)
    const postID = await say(user.one, fezID, 'hello')
    const gone = await say(user.one, fezID, 'gone')
    await body(user.one.delete(`/fez/post/${gone}`), 204)
    const goneFez = await createChat(user.one)
    const inGoneFez = await say(user.one, goneFez, 'hello')
    await body(moderator.one.delete(`/fez/${goneFez}`), 204)
    for (const [kind, id] of [
      ['fez', fezID],
      ['fezpost', postID],
      ['profile', user.id],
    ] as const) {
      for (const word of ['Normal', 'LOCKED', 'modReviewed', 'autoQuarantined', 'nonsense', '%00'])
        await refused(setState(kind, id, word), 400)
      for (const [caller, status] of [
        [nodes.client(), 401],
        [user.one, 403],
        [client.two, 403],
      ] as const) {
        await refused(setState(kind, id, 'locked', caller), status)
        await refused(caller.get(`/mod/${kind}/${id}`), status)
      }
      assert.equal((await look(kind, id)).moderationStatus, 'normal')
      assert.deepEqual(await logOf(id), [])
    }
    for (const [kind, id] of [
      ['fez', goneFez],
      ['fez', nobody],
      ['fez', 'x'],
      ['fezpost', gone],
      ['fezpost', inGoneFez],
      ['fezpost', 2_000_000_000],
      ['fezpost', 'x'],
      ['fezpost', -1],
      ['profile', nobody],
      ['profile', 'x'],
    ] as const) {
      await refused(setState(kind, id, 'locked'), 400)
    }
    const { fezPost, isDeleted, moderationStatus } = await look('fezpost', inGoneFez)
    assert.deepEqual([fezPost.text, isDeleted, moderationStatus], ['hello', false, 'normal'])
    for (const [kind, id] of [
      ['fez', nobody],
      ['fez', 'x'],
      ['fezpost', 2_000_000_000],
      ['fezpost', 'x'],
      ['profile', nobody],
      ['profile', 'x'],
    ] as const)
      await refused(moderator.one.get(`/mod/${kind}/${id}`), 400)
  })
})

describe('/mod/fez/:fez_id', () => {
  it('shows a chat with nothing hidden, its edits oldest first and its reports newest first, deleted or not', async () => {
    const [owner, a, b] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const fezID = await createChat(owner.one, { title: 'First', info: 'Info 1', location: 'Deck 1' })
    await body(owner.two.post(`/fez/${fezID}/update`, lfg({ title: 'Second', info: 'Info 2' })))
    await body(moderator.two.post(`/fez/${fezID}/update`, lfg({ title: 'Third', info: 'Info 2' })))
    await body(owner.two.post(`/fez/${fezID}/update`, lfg({ title: 'Third', info: 'Info 2', maxCapacity: 5 })))
    for (const [person, message] of [
      [a, 'one'],
      [b, 'two'],
    ] as const)
      await body(person.one.post(`/fez/${fezID}/report`, { message }), 201)
    // A report on another group is none on this one.
    await body(a.one.post(`/fez/${await createChat(owner.one)}/report`, { message: 'another' }), 201)
    await judge('fez', fezID, 'quarantined')
    const seen = await look('fez', fezID.toUpperCase())
    assert.deepEqual(
      [seen.fez.fezID, seen.fez.title, seen.fez.info, seen.fez.maxParticipants, seen.fez.participantCount],
      [fezID, 'Third', 'Info 2', 5, 1],
    )
    assert.ok(!('members' in seen.fez))
    assert.deepEqual([seen.isDeleted, seen.moderationStatus], [false, 'quarantined'])
    assert.deepEqual(
      seen.edits.map(({ author, title, info, location }: Record<string, unknown> & { author: { userID: string } }) => [
        author.userID,
        title,
        info,
        location,
      ]),
      [
        [owner.id, 'First', 'Info 1', 'Deck 1'],
        [moderator.id, 'Second', 'Info 2', ''],
      ],
    )
    assert.ok(seen.edits.every((edit: { fezID: string }) => edit.fezID === fezID))
    assert.deepEqual(
      seen.reports.map(({ submitterMessage }: { submitterMessage: string }) => submitterMessage),
      ['two', 'one'],
    )
    await body(moderator.one.delete(`/fez/${fezID}`), 204)
    const { fez, isDeleted, reports } = await look('fez', fezID)
    assert.deepEqual([fez.title, isDeleted, reports.length], ['Third', true, 2])
  })

  it('shows private threads and private events too', async () => {
    const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
    const seamail = await createSeamail(owner.one, [member], { title: 'Between us' })
    await refused(moderator.one.get(`/fez/${seamail}`), 400)
    const seen = await look('fez', seamail)
    assert.deepEqual([seen.fez.title, seen.fez.fezType, seen.fez.participantCount], ['Between us', 'closed', 2])
    const startTime = new Date(Date.now() + 3_600_000).toISOString()
    const event = await createChat(owner.one, { fezType: 'privateEvent', title: 'Birthday', info: 'Secret', startTime, endTime: startTime })
    assert.deepEqual([(await look('fez', event)).fez.info, (await look('fez', event)).fez.startTime], ['Secret', startTime])
  })

  it('a hidden chat is masked everywhere, on all nodes, and goes on', async () => {
    const [owner, member, outsider] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const fezID = await createChat(owner.one, { title: 'Rude title', info: 'Rude info', location: 'Rude place', maxCapacity: 5 })
    await body(member.one.post(`/fez/${fezID}/join`), 201)
    await judge('fez', fezID, 'quarantined', moderator.two)
    const views = async () => [
      ...(await Promise.all(
        [owner, member, outsider, moderator].flatMap(({ clients }) => clients.map((client) => body(client.get(`/fez/${fezID}`)))),
      )),
      ...(await Promise.all(owner.clients.map((client) => body(client.get('/fez/owner'))))).flatMap(({ fezzes }) => fezzes),
      ...(await Promise.all(member.clients.map((client) => body(client.get('/fez/joined'))))).flatMap(({ fezzes }) => fezzes),
      ...(await Promise.all(outsider.clients.map((client) => body(client.get('/fez/open?hidePast=false')))))
        .flatMap(({ fezzes }) => fezzes)
        .filter((fez: { fezID: string }) => fez.fezID === fezID),
    ]
    const hidden = await views()
    assert.equal(hidden.length, 14)
    for (const { title, info, location, participantCount } of hidden) {
      for (const text of [title, info, location]) assert.match(text, review)
      assert.equal(participantCount, 2)
    }
    await refused(owner.two.post(`/fez/${fezID}/update`, lfg({ title: 'Better' })), 403)
    await say(owner.two, fezID, 'still here')
    await judge('fez', fezID, 'normal')
    for (const { title, info, location } of await views())
      assert.deepEqual([title, info, location], ['Rude title', 'Rude info', 'Rude place'])
  })

  it('a locked chat is shown, and takes no posts and no changes, on all nodes', async () => {
    const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(owner.one, { title: 'Locked' })
    await judge('fez', fezID, 'locked')
    for (const { clients } of [owner, moderator])
      for (const client of clients) await refused(client.post(`/fez/${fezID}/post`, { text: 'x', images: [] }), 400)
    await refused(owner.two.post(`/fez/${fezID}/update`, lfg()), 403)
    assert.equal((await body(other.two.post(`/fez/${fezID}/join`), 201)).title, 'Locked')
    await body(other.one.post(`/fez/${fezID}/unjoin`))
    await body(owner.two.post(`/fez/${fezID}/cancel`))
    await body(moderator.two.post(`/fez/${fezID}/update`, lfg({ title: 'By a moderator' })))
    assert.equal((await look('fez', fezID)).moderationStatus, 'locked')
  })

  it('a reviewed chat that its owner changes is not reviewed any more; one that a moderator changes still is', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const fezID = await createChat(owner.one)
    await judge('fez', fezID, 'reviewed')
    await body(moderator.two.post(`/fez/${fezID}/update`, lfg({ title: 'By a moderator' })))
    assert.equal((await look('fez', fezID)).moderationStatus, 'modReviewed')
    await body(owner.two.post(`/fez/${fezID}/update`, lfg({ title: 'By the owner' })))
    assert.equal((await look('fez', fezID)).moderationStatus, 'normal')
  })

  it('states set by several moderators at once: all nodes show the last', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const fezID = await createChat(owner.one, { title: 'Contested' })
    await Promise.all(
      ['locked', 'quarantined', 'normal', 'quarantined', 'reviewed'].map((word, index) =>
        judge('fez', fezID, word, moderator.clients[index % 2]),
      ),
    )
    const { moderationStatus } = await look('fez', fezID)
    for (const client of owner.clients)
      assert.equal(review.test((await body(client.get(`/fez/${fezID}`))).title), moderationStatus === 'quarantined')
  })
})

describe('/mod/fezpost/:post_id', () => {
  it('shows a post with nothing hidden and its reports, deleted or not', async () => {
    const [owner, reporter] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(owner.one)
    const postID = await say(owner.one, fezID, 'rude words')
    await body(reporter.two.post(`/fez/post/${postID}/report`, { message: 'look' }), 201)
    await judge('fezpost', postID, 'quarantined')
    const { fezPost, reports, acts: _acts, version: _version, ...rest } = await look('fezpost', postID)
    assert.deepEqual([fezPost.postID, fezPost.text, fezPost.author.userID], [postID, 'rude words', owner.id])
    assert.deepEqual(rest, {
      fezID,
      fezType: 'gaming',
      fezTitle: (await body(owner.one.get(`/fez/${fezID}`))).title,
      isDeleted: false,
      moderationStatus: 'quarantined',
    })
    assert.deepEqual(
      reports.map(({ submitterMessage }: { submitterMessage: string }) => submitterMessage),
      ['look'],
    )
    await body(moderator.two.delete(`/fez/post/${postID}`), 204)
    const deleted = await look('fezpost', postID)
    assert.deepEqual([deleted.fezPost.text, deleted.isDeleted, deleted.reports.length], ['rude words', true, 1])
  })

  it('a hidden post is masked in the chat, on all nodes and for everybody, and its author cannot delete it', async () => {
    const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createSeamail(owner.one, [member])
    const [first, second] = [await say(owner.one, fezID, 'rude'), await say(member.two, fezID, 'polite')]
    const texts = async (client: Client) =>
      (await body(client.get(`/fez/${fezID}?start=0`))).members.posts.map(({ text }: { text: string }) => text)
    for (const client of owner.clients) await until(async () => (await texts(client)).length === 2, 'each node has heard of both posts')
    await judge('fezpost', first, 'quarantined', moderator.two)
    for (const { clients } of [owner, member]) {
      for (const client of clients) {
        const [masked, shown] = await texts(client)
        assert.match(masked, review)
        assert.equal(shown, 'polite')
      }
    }
    for (const client of owner.clients) await refused(client.delete(`/fez/post/${first}`), 403)
    await judge('fezpost', first, 'locked')
    for (const client of member.clients) assert.deepEqual(await texts(client), ['rude', 'polite'])
    await refused(owner.two.delete(`/fez/post/${first}`), 403)
    await judge('fezpost', first, 'reviewed')
    await body(owner.two.delete(`/fez/post/${first}`), 204)
    await judge('fezpost', second, 'quarantined')
    await body(moderator.one.get(`/mod/fezpost/${second}`))
    for (const client of owner.clients) assert.match((await texts(client))[0], review)
  })

  it('says on the open sockets what comes next', async () => {
    const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createChat(owner.one)
    await body(member.one.post(`/fez/${fezID}/join`), 201)
    const postID = await say(owner.one, fezID, 'before')
    const socket = await member.two.socket(`/fez/${fezID}/socket`)
    await judge('fezpost', postID, 'quarantined')
    await judge('fez', fezID, 'quarantined')
    await say(owner.one, fezID, 'after')
    await socket.until(({ text }) => text === 'after', 'the next post')
    assert.equal(socket.frames.length, 1)
  })
})

describe('/mod/profile/:user_id', () => {
  it('shows the profile with nothing hidden, its edits newest first, and its reports', async () => {
    const [user, reporter] = (await people(nodes, {}, {})) as [Person, Person]
    await body(user.one.post('/user/profile', { displayName: 'First', about: 'About me' }))
    await nodes.sql`update account set user_image = 'AB12.jpg' where id = ${user.id}`
    await body(moderator.one.post(`/user/${user.id}/profile`, { displayName: 'Second', dinnerTeam: 'red' }))
    await body(reporter.one.post(`/users/${user.id}/report`, { message: 'look' }), 201)
    await judge('profile', user.id, 'quarantined')
    const seen = await look('profile', user.id.toUpperCase())
    assert.deepEqual(seen.profile, {
      header: { userID: user.id, username: user.username, displayName: 'Second', userImage: 'AB12.jpg' },
      displayName: 'Second',
      dinnerTeam: 'red',
    })
    assert.equal(seen.moderationStatus, 'quarantined')
    const [last, first] = seen.edits
    assert.equal(seen.edits.length, 2)
    assert.deepEqual(
      [last.author.userID, last.profileData.displayName, last.profileData.about, last.profileImage],
      [moderator.id, 'First', 'About me', 'AB12.jpg'],
    )
    assert.deepEqual(
      [first.author.userID, first.profileData.header.userID, first.profileData.displayName, 'profileImage' in first],
      [user.id, user.id, undefined, false],
    )
    assert.deepEqual(
      seen.reports.map(({ submitterMessage }: { submitterMessage: string }) => submitterMessage),
      ['look'],
    )
  })

  it('a hidden profile is masked for users, on all nodes; its owner cannot edit it, but write elsewhere', async () => {
    const [user, other] = (await people(nodes, { displayName: 'Rude name' }, {})) as [Person, Person]
    await body(user.one.post('/user/profile', { displayName: 'Rude name', about: 'Rude text' }))
    await judge('profile', user.id, 'quarantined')
    for (const { clients } of [user, other]) {
      for (const client of clients) {
        const { header, about, message } = await body(client.get(`/users/${user.id}/profile`))
        assert.deepEqual([header, about], [{ userID: user.id, username: user.username }, ''])
        assert.match(message, review)
      }
    }
    assert.equal((await body(moderator.two.get(`/users/${user.id}/profile`))).about, 'Rude text')
    for (const word of ['quarantined', 'locked']) {
      await judge('profile', user.id, word)
      await refused(user.two.post('/user/profile', {}), 403)
      await refused(user.two.post('/user/username', { username: 'another' }), 403)
      await createChat(user.two)
    }
    assert.equal((await body(other.two.get(`/users/${user.id}/profile`))).about, 'Rude text')
    await judge('profile', user.id, 'reviewed')
    await body(user.two.post('/user/profile', { about: 'Kind text' }))
    assert.equal((await look('profile', user.id)).moderationStatus, 'normal')
  })
})
