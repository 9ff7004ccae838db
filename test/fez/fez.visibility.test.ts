// Who may see and join a chat: private, public and unlisted ones. Two nodes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, createSeamail, lfg, names, people, refused, say, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const times = { startTime: '2099-01-01T10:00:00.000Z', endTime: '2099-01-01T11:00:00.000Z' }
const event = (more: object = {}) =>
  lfg({ fezType: 'privateEvent', title: 'Hidden party', info: 'bring a hat', location: 'Deck 9', ...times, ...more })
const unlisted = (owner: Person, more: object = {}) => createChat(owner.one, event({ visibility: 'unlisted', ...more }))
const missing = '00000000-0000-4000-8000-000000000000'

test('POST /fez/create: visibility is what the kind has, and private or unlisted for a private event', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const kinds = { closed: 'private', open: 'private', gaming: 'public', personalEvent: 'private', privateEvent: 'private' } as const
  for (const [fezType, usual] of Object.entries(kinds)) {
    const content = lfg({ fezType, ...times, initialUsers: fezType === 'personalEvent' ? [] : [guest.id] })
    const { fezID, visibility } = await body(owner.one.post('/fez/create', content), 201)
    assert.equal(visibility, usual)
    for (const client of owner.clients) assert.equal((await body(client.get(`/fez/${fezID}`))).visibility, usual)
    for (const wanted of ['private', 'public', 'unlisted']) {
      const allowed = wanted === usual || (fezType === 'privateEvent' && wanted === 'unlisted')
      const answer = await owner.two.post('/fez/create', { ...content, visibility: wanted })
      assert.equal(answer.status, allowed ? 201 : 400, `${fezType} ${wanted}`)
      if (allowed) assert.equal(answer.body.visibility, wanted)
      else assert.deepEqual(Object.keys(answer.body.fieldErrors), ['visibility'])
    }
  }
  await refused(owner.one.post('/fez/create', event({ visibility: 'Unlisted' })), 400)
})

test('POST /fez/:fezID/update: absent leaves it; only the owner changes it, and only of a private event', async () => {
  const [owner, guest, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await unlisted(owner, { initialUsers: [guest.id] })
  const update = (who: Person, more: object) => who.two.post(`/fez/${fezID}/update`, event(more))
  assert.equal((await body(update(owner, { title: 'Another' }))).visibility, 'unlisted')
  assert.equal((await body(update(moderator, { visibility: 'unlisted' }))).visibility, 'unlisted')
  await refused(update(moderator, { visibility: 'private' }), 403)
  await refused(update(guest, { visibility: 'private' }), 403)
  for (const who of [owner, moderator]) await refused(update(who, { visibility: 'public' }), 400)
  assert.equal((await body(update(owner, { visibility: 'private' }))).visibility, 'private')
  const group = await createChat(owner.one)
  for (const who of [owner, moderator]) await refused(who.one.post(`/fez/${group}/update`, lfg({ visibility: 'private' })), 400)
  assert.equal((await body(owner.one.post(`/fez/${group}/update`, lfg({ visibility: 'public', fezType: 'music' })))).visibility, 'public')
})

test('POST /personalevents/create and update: visibility', async () => {
  const [owner, stranger] = (await people(nodes, {}, {})) as [Person, Person]
  const content = (more: object) => ({ title: 'Party', description: 'hats', ...times, participants: [], ...more })
  await refused(owner.one.post('/personalevents/create', content({ visibility: 'public' })), 400)
  const { personalEventID: id, visibility } = await body(owner.one.post('/personalevents/create', content({ visibility: 'unlisted' })), 201)
  assert.equal(visibility, 'unlisted')
  const seen = await body(stranger.two.get(`/personalevents/${id}`))
  assert.deepEqual([seen.title, seen.visibility, seen.participants], ['Party', 'unlisted', []])
  await refused(stranger.one.post(`/personalevents/${id}/update`, content({ visibility: 'private' })), 403)
  await refused(stranger.one.delete(`/personalevents/${id}`), 403)
  assert.equal((await body(owner.two.post(`/personalevents/${id}/update`, content({})))).visibility, 'unlisted')
  assert.equal((await body(owner.two.post(`/personalevents/${id}/update`, content({ visibility: 'private' })))).visibility, 'private')
  for (const client of stranger.clients) await refused(client.get(`/personalevents/${id}`), 400)
})

test('GET /fez/:fezID: strangers see what an unlisted event is about, but neither members nor posts; of a private chat nothing', async () => {
  const [owner, guest, stranger, foe, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const fezID = await unlisted(owner, { initialUsers: [guest.id] })
  await say(guest.one, fezID, 'a secret')
  await block(foe, owner)
  for (const client of stranger.clients) {
    const seen = await body(client.get(`/fez/${fezID}`))
    assert.deepEqual([seen.title, seen.info, seen.location, seen.visibility], ['Hidden party', 'bring a hat', 'Deck 9', 'unlisted'])
    assert.deepEqual([Date.parse(seen.startTime), Date.parse(seen.endTime)], [Date.parse(times.startTime), Date.parse(times.endTime)])
    assert.equal(seen.members, undefined)
    assert.ok(!JSON.stringify(seen).includes('a secret'))
    await refused(client.post(`/fez/${fezID}/post`, { text: 'hello', images: [] }), 403)
    await assert.rejects(client.socket(`/fez/${fezID}/socket`))
  }
  assert.deepEqual((await foe.two.get(`/fez/${fezID}`)).body, (await foe.two.get(`/fez/${missing}`)).body)
  assert.deepEqual(names((await body(moderator.two.get(`/fez/${fezID}`))).members.participants), [owner.username, guest.username])
  const hidden = [
    await createSeamail(owner.one, [guest]),
    await createChat(owner.one, { fezType: 'open', info: '', initialUsers: [guest.id] }),
    await createChat(owner.one, event({ initialUsers: [guest.id] })),
    await createChat(owner.one, event({ fezType: 'personalEvent' })),
  ]
  const nothing = (await stranger.one.get(`/fez/${missing}`)).body
  for (const id of hidden) assert.deepEqual((await stranger.two.get(`/fez/${id}`)).body, nothing)
})

test('an unlisted event is in no list, search, calendar or download of a stranger', async () => {
  const [owner, guest, stranger] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await unlisted(owner, { initialUsers: [guest.id], title: 'Unfindable zebra' })
  const paths = ['/fez/open', '/fez/joined', '/fez/owner', '/fez/former', '/personalevents', '/notification/user', '/client/start']
  const asked = ['', 'search=zebra', 'lfgtypes=true&type=privateEvent', 'type=privateEvent', 'hidePast=false', 'limit=200']
  for (const client of stranger.clients)
    for (const path of paths)
      for (const query of asked) {
        const { body: seen } = await client.get(`${path}?${query}`)
        assert.ok(!JSON.stringify(seen ?? null).includes(fezID), `${path}?${query}`)
      }
  for (const query of asked.slice(0, 2)) assert.ok(JSON.stringify(await body(guest.two.get(`/fez/joined?${query}`))).includes(fezID))
  const has = async (who: Person, path: string) => JSON.stringify(await body(who.two.get(path))).includes(fezID)
  assert.deepEqual([await has(guest, '/personalevents'), await has(guest, '/fez/open?search=zebra')], [true, false])
})

test('POST /fez/:fezID/join: whoever has the address of an unlisted event joins it, as a group', async () => {
  const [owner, guest, third, foe] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const fezID = await unlisted(owner, { maxCapacity: 2 })
  const line = await owner.two.socket(`/fez/${fezID}/socket`)
  const joined = await body(guest.one.post(`/fez/${fezID}/join`), 201)
  assert.deepEqual(names(joined.members.participants), [owner.username, guest.username])
  await line.until(({ joined }) => joined === true)
  const numbers = await body(guest.two.get('/notification/user'))
  assert.deepEqual([numbers.addedToPrivateEventCount, numbers.addedToPrivateEventIDs], [0, []])
  await refused(guest.two.post(`/fez/${fezID}/join`), 400)
  assert.deepEqual(names((await body(third.two.post(`/fez/${fezID}/join`), 201)).members.waitingList), [third.username])
  await block(owner, foe)
  await refused(foe.one.post(`/fez/${fezID}/join`), 400)
  assert.ok((await body(guest.one.get('/personalevents'))).some((each: { personalEventID: string }) => each.personalEventID === fezID))
  // Private again: who is in it stays, nobody else comes.
  await body(owner.one.post(`/fez/${fezID}/update`, event({ visibility: 'private', maxCapacity: 2 })))
  const [late] = (await people(nodes, {})) as [Person]
  for (const client of late.clients) await refused(client.post(`/fez/${fezID}/join`), 400)
  assert.equal((await body(guest.two.get(`/fez/${fezID}`))).participantCount, 3)
  // Moderators know of these chats, and cannot join them either.
  const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
  for (const fezType of ['open', 'privateEvent', 'personalEvent']) {
    const id = await createChat(owner.one, event({ fezType }))
    for (const who of [guest, moderator]) await refused(who.one.post(`/fez/${id}/join`), 400)
  }
})

test('POST /fez/:fezID/join: twice at once makes one member', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await unlisted(owner)
  const held = await hold(nodes.database.url, `select 1 from fez where id = '${fezID}' for update`)
  const both = Promise.all(guest.clients.map((client) => client.post(`/fez/${fezID}/join`)))
  await held.awaited(2)
  await held.release()
  assert.deepEqual((await both).map(({ status }) => status).sort(), [201, 400])
  for (const client of owner.clients) assert.equal((await body(client.get(`/fez/${fezID}`))).participantCount, 2)
})

test('GET /fez/former, POST /fez/:fezID/unjoin: who has left a private event sees it as it was then', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, event({ initialUsers: [guest.id] }))
  const left = await body(guest.one.post(`/fez/${fezID}/unjoin`))
  const shown = ({ title, info, location, startTime, members }: Record<string, string>) => [title, info, location, startTime, members]
  const then = ['Hidden party', 'bring a hat', 'Deck 9', left.startTime, undefined]
  assert.deepEqual(shown(left), then)
  assert.equal(Date.parse(left.startTime), Date.parse(times.startTime))
  const later = { startTime: '2099-02-01T10:00:00.000Z', endTime: '2099-02-01T11:00:00.000Z' }
  await body(owner.one.post(`/fez/${fezID}/update`, event({ title: 'Elsewhere', info: 'not for you', location: 'Deck 1', ...later })))
  for (const client of guest.clients) {
    assert.deepEqual(shown((await body(client.get('/fez/former'))).fezzes[0]), then)
    await refused(client.get(`/fez/${fezID}`), 400)
  }
})

test('POST /fez/:fezID/user/:userID/remove: moderators, too, but not from seamails, and not the owner', async () => {
  const [owner, guest, other, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, event({ initialUsers: [guest.id, other.id] }))
  const remove = (who: Person, userID: string, id = fezID) => who.two.post(`/fez/${id}/user/${userID}/remove`)
  await refused(remove(moderator, missing), 400)
  await refused(remove(moderator, guest.id, missing), 400)
  await refused(remove(moderator, guest.id, await createSeamail(owner.one, [guest])), 403)
  await refused(remove(guest, other.id), 403)
  await refused(remove(moderator, owner.id), 403)
  await refused(remove(owner, owner.id), 403)
  await refused(remove(moderator, moderator.id), 400)
  const socket = await other.one.socket(`/fez/${fezID}/socket`)
  assert.deepEqual(names((await body(remove(moderator, guest.id))).members.participants), [owner.username, other.username])
  const frame = await socket.until(({ joined }) => joined === false)
  assert.deepEqual([frame.user.username, frame.joined], [guest.username, false])
  for (const client of guest.clients) {
    await refused(client.get(`/fez/${fezID}`), 400)
    assert.deepEqual((await body(client.get('/notification/user'))).addedToPrivateEventIDs, [])
  }
  await refused(remove(moderator, guest.id), 400)
  const actions = await nodes.sql`select action_type, content_type, target_user_id from moderator_action where content_id = ${fezID}`
  assert.deepEqual([...actions], [{ actionType: 'edit', contentType: 'privateEvent', targetUserId: owner.id }])
  assert.equal((await nodes.sql`select from fez_edit where fez_id = ${fezID} and editor_id = ${moderator.id}`).length, 1)
  // The second path, and the guard for an owner whose chat moderators have locked.
  await body(moderator.one.post(`/mod/fez/${fezID}/setstate/locked`))
  await refused(remove(owner, other.id), 403)
  await refused(moderator.one.post(`/personalevents/${fezID}/user/${owner.id}/remove`), 403)
  await body(moderator.one.post(`/personalevents/${fezID}/user/${other.id}/remove`), 204)
  await refused(moderator.one.post(`/personalevents/${fezID}/user/${other.id}/remove`), 400)
})

test('POST /fez/:fezID/user/:userID/remove against a post: whichever comes second knows of the first', async () => {
  const [owner, guest, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await unlisted(owner, { initialUsers: [guest.id] })
  const held = await hold(nodes.database.url, `select 1 from fez where id = '${fezID}' for update`)
  const removal = moderator.two.post(`/fez/${fezID}/user/${guest.id}/remove`)
  await held.awaited(1)
  const post = guest.one.post(`/fez/${fezID}/post`, { text: 'still here', images: [] })
  await held.awaited(2)
  await held.release()
  const [removed, posted] = await Promise.all([removal, post])
  assert.deepEqual([removed.status, posted.status], [200, 403])
  for (const client of owner.clients) assert.equal((await body(client.get(`/fez/${fezID}`))).members.postCount, 0)
})

test('POST /fez/:fezID/report, GET /mod/privateevent/:id: private events have a type of their own, groups have fez', async () => {
  const [owner, guest, stranger, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const report = (who: Person, id: string) => who.two.post(`/fez/${id}/report`, { message: 'look' })
  const fezID = await unlisted(owner, { initialUsers: [guest.id] })
  await body(report(stranger, fezID), 201)
  await refused(report(stranger, fezID), 409)
  const hidden = await createChat(owner.one, event({ initialUsers: [guest.id] }))
  await refused(report(stranger, hidden), 400)
  await body(report(guest, hidden), 201)
  for (const [fezType, who] of [
    ['open', guest],
    ['closed', guest],
    ['personalEvent', owner],
  ] as const)
    await refused(
      report(
        who,
        await createChat(owner.one, event({ fezType, info: 'my own', initialUsers: fezType === 'personalEvent' ? [] : [guest.id] })),
      ),
      403,
    )
  const group = await createChat(owner.one)
  await body(report(guest, group), 201)
  const typesOf = (seen: { reports: { type: string }[] }) => seen.reports.map(({ type }) => type)
  for (const path of ['personalevent', 'privateevent']) {
    const seen = await body(moderator.one.get(`/mod/${path}/${fezID}`))
    assert.deepEqual([seen.personalEvent.visibility, typesOf(seen)], ['unlisted', ['privateEvent']])
    await refused(guest.one.get(`/mod/${path}/${fezID}`), 403)
    await refused(moderator.one.get(`/mod/${path}/${missing}`), 400)
  }
  assert.deepEqual(typesOf(await body(moderator.two.get(`/mod/fez/${group}`))), ['fez'])
  assert.deepEqual(typesOf(await body(moderator.two.get(`/mod/fez/${hidden}`))), ['privateEvent'])
})
