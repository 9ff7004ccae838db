// The rest of /admin: numbers of rows, numbers of notifications, codes for users of the chat; QR codes. Two nodes.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'

let nodes: TestNodes
let team: Person
let user: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[team, user] = (await people(nodes, { level: 'serviceteam' }, {})) as [Person, Person]
})
after(() => nodes.stop())

describe('GET /admin/rollup', () => {
  it('counts rows, in the order that clients know', async () => {
    const counts = async (): Promise<number[]> => (await body(team.one.get('/admin/rollup'))).counts
    const before = await counts()
    assert.equal(before.length, 29)
    const fez = await createChat(user.one)
    await say(user.one, fez, 'hello')
    const thread = await createSeamail(user.one, [team])
    await say(user.one, thread, 'hello')
    await createChat(user.one, { fezType: 'privateEvent', info: 'about it' })
    await startForum(user.one, 'Counted')
    await body(user.one.post('/user/alertwords/add/counted'))
    await body(user.one.post(`/users/${team.id}/favorite`), 201)
    const after = await counts()
    const changed = after.flatMap((count, index) => (count === before[index] ? [] : [[index, count - (before[index] ?? 0)]]))
    assert.deepEqual(changed, [
      [3, 1],
      [6, 1],
      [7, 1],
      [8, 1],
      [9, 1],
      [10, 1],
      [11, 1],
      [13, 1],
      [14, 1],
      [19, 1],
    ])
    await refused(user.one.get('/admin/rollup'), 403)
  })
})

describe('POST /admin/notifications/reload', () => {
  it('makes the numbers those of the rows, on all nodes', async () => {
    const [reader] = (await people(nodes, {})) as [Person]
    const thread = await createSeamail(user.one, [reader])
    const unread = async () => {
      const both = await Promise.all(reader.clients.map((client) => body(client.get('/notification/user'))))
      return both.map(({ addedToSeamailCount, newSeamailMessageCount }) => addedToSeamailCount + newSeamailMessageCount)
    }
    assert.deepEqual(await unread(), [1, 1])
    // As if the node had missed an event.
    await nodes.sql`update fez_member set added = false where fez_id = ${thread} and account_id = ${reader.id}`
    assert.deepEqual(await unread(), [1, 1])
    await body(team.two.post('/admin/notifications/reload'))
    assert.deepEqual(await unread(), [0, 0])
    await refused(user.one.post('/admin/notifications/reload'), 403)
  })
})

describe('/admin/regcodes/discord/allocate/:username', () => {
  it('gives each free code once, however many ask at once', async () => {
    await nodes.sql`delete from registration_code`
    await nodes.sql`insert into registration_code (code, for_chat_user) values ('abc111', true), ('abc222', true), ('abc333', true), ('abc444', false)`
    const names = ['some.body', 'some_body', 'abc1', 'abc2', 'abc3']
    const answers = await Promise.all(
      names.map((name, index) => {
        const path = `/admin/regcodes/discord/allocate/${name}`
        return index % 2 === 0 ? team.one.get(path) : team.two.post(path)
      }),
    )
    const given = answers.filter(({ status }) => status === 200)
    assert.deepEqual(given.map(({ body: { regCode } }) => regCode).toSorted(), ['abc111', 'abc222', 'abc333'])
    assert.ok(
      given.every(
        ({ body: { users, isForDiscordUser, discordUsername } }) =>
          users.length === 0 && isForDiscordUser && names.includes(discordUsername),
      ),
    )
    assert.deepEqual(
      answers.flatMap(({ status }) => (status === 200 ? [] : [status])),
      [400, 400],
    )
    for (const name of ['Some', 'a b', 'ä', '%2F'])
      await refused(team.one.get(`/admin/regcodes/discord/allocate/${encodeURIComponent(name)}`), 400)
    await refused(user.one.get('/admin/regcodes/discord/allocate/somebody'), 403)

    const [member] = (await people(nodes, { level: 'unverified' })) as [Person]
    const { regCode, discordUsername } = given[0]?.body ?? {}
    await body(member.one.post('/user/verify', { verification: regCode }))
    const found = await body(team.one.get(`/admin/regcodes/findbyuser/${member.id}`))
    assert.deepEqual([found.regCode, found.isForDiscordUser, found.discordUsername], [regCode, true, discordUsername])
    assert.deepEqual(await body(team.two.get('/admin/regcodes/stats')), {
      allocatedCodes: 1,
      usedCodes: 0,
      unusedCodes: 1,
      adminCodes: 0,
      allocatedDiscordCodes: 3,
      assignedDiscordCodes: 3,
      usedDiscordCodes: 1,
    })
  })
})

describe('GET /image/qrcode', () => {
  it('is a PNG of 400 by 400 pixels, dark on light', async () => {
    const file = await nodes.client().file(`/image/qrcode?string=${encodeURIComponent('https://example.org/ä?b=1')}`)
    assert.equal(file.status, 200)
    assert.deepEqual([file.headers['content-type'], file.headers['etag']], ['image/png', 'W/"1"'])
    const { data, info } = await sharp(file.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height], [400, 400])
    assert.equal(data[0], 255)
    // The corner of a finder pattern.
    const first = data.indexOf(0)
    const [row, column] = [Math.floor(first / 400), first % 400]
    assert.equal(row, column)
    assert.equal((await nodes.client().file('/image/qrcode?string=x', { 'if-none-match': 'W/"1"' })).status, 304)
    // The last has 400 characters, and more bytes than anybody prints.
    for (const query of ['', '?string=', `?string=${'x'.repeat(501)}`, `?string=${encodeURIComponent('e\u0301'.repeat(200))}`])
      await refused(nodes.client().get(`/image/qrcode${query}`), 400)
    await nodes
      .client()
      .file(`/image/qrcode?string=${'x'.repeat(500)}`)
      .then(({ status }) => assert.equal(status, 200))
  })
})
