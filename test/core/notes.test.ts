// Notes on users: one per author and subject, for the author's eyes only. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, people, refused, unblock, type Person } from '../support/fez.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const write = (client: Client, { id }: { id: string }, note: unknown): Promise<Answer> => client.post(`/users/${id}/note`, { note })
const texts = async (client: Client) => (await body(client.get('/user/notes'))).map(({ note }: { note: string }) => note)

async function assertRefusedField(answer: Promise<Answer>): Promise<void> {
  const value = await body(answer, 400)
  assert.deepEqual(Object.keys(value.fieldErrors ?? {}), ['note'])
}

describe('POST and GET /users/:user_id/note', () => {
  it('create and overwrite the one note', async () => {
    const [me, other] = (await people(nodes, {}, { displayName: 'Captain' })) as [Person, Person]
    const first = await body(write(me.one, other, 'met at dinner'), 201)
    assert.deepEqual(Object.keys(first).sort(), ['createdAt', 'note', 'noteID', 'targetUser', 'updatedAt'])
    assert.deepEqual(
      [first.targetUser, first.note, first.createdAt],
      [{ userID: other.id, username: other.username, displayName: 'Captain' }, 'met at dinner', first.updatedAt],
    )
    assert.deepEqual(await body(me.two.get(`/users/${other.id.toUpperCase()}/note`)), first)
    const second = await body(write(me.two, other, 'likes chess'), 201)
    assert.deepEqual([second.noteID, second.createdAt, second.note], [first.noteID, first.createdAt, 'likes chess'])
    assert.ok(second.updatedAt >= first.updatedAt)
    assert.deepEqual(await body(me.one.get(`/users/${other.id}/note`)), second)
  })

  it('are of one person each, whomever else the author has written about', async () => {
    const [me, first, second, third] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
    for (const [index, other] of [first, second].entries()) await body(write(me.one, other, `number ${index}`), 201)
    assert.equal((await body(me.two.get(`/users/${first.id}/note`))).note, 'number 0')
    assert.equal((await body(me.two.get(`/users/${second.id}/note`))).note, 'number 1')
    await refused(me.two.get(`/users/${third.id}/note`), 400)
  })

  it('keep one note when several are written at once', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const answers = await Promise.all([me.one, me.two, me.one, me.two].map((client, index) => write(client, other, `number ${index}`)))
    assert.deepEqual(new Set(answers.map((answer) => answer.body.noteID)).size, 1)
    assert.equal((await texts(me.one)).length, 1)
  })

  it('take 1 to 999 characters as people count them, in at most 25 lines', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    for (const note of ['', 'x'.repeat(1000), 'x\n'.repeat(25), '\r\n'.repeat(25), '\u2028'.repeat(25)])
      await assertRefusedField(write(me.one, other, note))
    for (const note of ['x', 'x'.repeat(999), '👨‍👩‍👧‍👦'.repeat(999), 'x\n'.repeat(24), 'x\r\n'.repeat(24), ' '])
      assert.equal((await body(write(me.one, other, note), 201)).note, note)
    for (const value of [{}, { note: 7 }, { note: null }, []]) {
      const answer = await body(me.one.post(`/users/${other.id}/note`, value), 400)
      assert.equal(answer.fieldErrors, undefined)
    }
    await refused(me.one.post(`/users/${other.id}/note`), 422)
  })

  it('refuse unknown, hidden and banned users alike', async () => {
    const [me, enemy, banned] = (await people(nodes, {}, {}, { level: 'banned' })) as [Person, Person, Person]
    await block(enemy, me)
    for (const call of [
      (id: string) => write(me.one, { id }, 'text'),
      (id: string) => me.two.get(`/users/${id}/note`),
      (id: string) => me.one.post(`/users/${id}/note/delete`),
      (id: string) => me.one.delete(`/users/${id}/note`),
    ]) {
      const missing = await refused(call(nobody), 400)
      assert.equal(await refused(call(enemy.id), 400), missing)
      await refused(call('nonsense'), 400)
    }
    await refused(write(me.one, banned, 'text'), 400)
    await refused(write((await people(nodes, { level: 'moderator' }))[0]!.one, banned, 'text'), 400)
    await refused(me.one.get(`/users/${banned.id}/note`), 400)
    await refused(write(nodes.client(), me, 'text'), 401)
  })

  it('show the note to nobody else', async () => {
    const [me, other, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const [sub] = (await people(nodes, { subAccountOf: me })) as [Person]
    await body(write(me.one, other, 'a secret'), 201)
    for (const viewer of [other, moderator, sub]) {
      await refused(viewer.one.get(`/users/${other.id}/note`), 400)
      assert.equal((await body(viewer.one.get(`/users/${other.id}/profile`))).note, undefined)
    }
    assert.equal((await body(me.two.get(`/users/${other.id}/profile`))).note, 'a secret')
    await nodes.sql`update account set moderation_status = 'quarantined' where id = ${other.id}`
    assert.equal((await body(me.two.get(`/users/${other.id}/profile`))).note, 'a secret', 'also of a profile under review')
  })

  it('are open to every level that can log in', async () => {
    const [other] = (await people(nodes, {})) as [Person]
    for (const level of ['unverified', 'quarantined', 'client'] as const) {
      const [me] = (await people(nodes, { level })) as [Person]
      await body(write(me.one, other, 'x'), 201)
    }
  })
})

describe('POST /users/:user_id/note/delete, DELETE /users/:user_id/note', () => {
  it('remove the note, also when there is none', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    for (const remove of [() => me.two.post(`/users/${other.id}/note/delete`), () => me.two.delete(`/users/${other.id}/note`)]) {
      await body(write(me.one, other, 'x'), 201)
      for (let time = 0; time < 2; time++) assert.equal(await body(remove(), 204), undefined)
      await refused(me.one.get(`/users/${other.id}/note`), 400)
      assert.equal('note' in (await body(me.one.get(`/users/${other.id}/profile`))), false)
    }
  })
})

describe('GET /user/notes', () => {
  it('lists the own notes, oldest first, without users hidden from the caller', async () => {
    const [me, a, b, c] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
    for (const [index, other] of [b, a, c].entries()) await body(write(me.one, other, `note ${index}`), 201)
    await body(write(a.one, me, 'of somebody else'), 201)
    // Three notes may be of one millisecond.
    await nodes.sql`update note set created_at = created_at + right(note, 1)::int * interval '1 second' where author_id = ${me.id}`
    await body(write(me.two, b, 'note 9'), 201)
    assert.deepEqual(await texts(me.two), ['note 9', 'note 1', 'note 2'])
    const [first] = await body(me.one.get('/user/notes'))
    assert.deepEqual(first, await body(me.one.get(`/users/${b.id}/note`)))
    await block(a, me)
    assert.deepEqual(await texts(me.one), ['note 9', 'note 2'])
    await unblock(a, me)
    assert.deepEqual(await texts(me.two), ['note 9', 'note 1', 'note 2'])
    assert.equal(await countStatements(nodes.apps[1]!, () => me.two.get('/user/notes')), 1)
    await refused(nodes.client().get('/user/notes'), 401)
  })
})

describe('POST /user/note', () => {
  const change = (client: Client, noteID: unknown, note: unknown = 'changed'): Promise<Answer> =>
    client.post('/user/note', { noteID, note })

  it('replaces the text of a note', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const before = await body(write(me.one, other, 'x'), 201)
    const after = await body(change(me.two, before.noteID.toUpperCase(), 'y'))
    assert.deepEqual({ ...after, updatedAt: before.updatedAt }, { ...before, note: 'y' })
    assert.deepEqual(await body(me.one.get(`/users/${other.id}/note`)), after)
  })

  it('refuses bad texts, unknown notes, those of others, and those about users hidden or banned since', async () => {
    const [me, other, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const { noteID } = await body(write(me.one, other, 'x'), 201)
    await assertRefusedField(change(me.one, noteID, ''))
    await assertRefusedField(change(me.one, noteID, 'x'.repeat(1000)))
    await refused(change(me.one, nobody), 400)
    await refused(change(me.one, 'nonsense'), 400)
    await refused(me.one.post('/user/note', { note: 'x' }), 400)
    await refused(change(reader.one, noteID), 403)
    await refused(change(nodes.client(), noteID), 401)
    await block(other, me)
    await refused(change(me.two, noteID), 400)
    await unblock(other, me)
    await nodes.sql`update account set level = 'banned', rev = rev + 1 where id = ${other.id}`
    const [account] =
      await nodes.sql`select id, person_id, username, level, display_name, user_image, preferred_pronoun, rev from account where id = ${other.id}`
    await nodes.apps[0]?.node.channels.publishConfirmed('user', other.id, { type: 'changed', account })
    await refused(change(me.one, noteID), 400)
    assert.deepEqual(await texts(me.one), ['x'])
  })
})

it('notes are hidden with the feature users, except the list of the own ones', async () => {
  const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
  const { noteID } = await body(write(me.one, other, 'x'), 201)
  await disable(nodes, 'users')
  try {
    for (const answer of [
      write(me.one, other, 'y'),
      me.two.get(`/users/${other.id}/note`),
      me.one.delete(`/users/${other.id}/note`),
      me.one.post(`/users/${other.id}/note/delete`),
    ])
      await refused(answer, 451)
    assert.deepEqual(await texts(me.two), ['x'])
    await body(me.one.post('/user/note', { noteID, note: 'z' }))
  } finally {
    await disable(nodes)
  }
})
