// The last words of each chat in lists of one's own chats, on demand.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, createSeamail, mute, people, say, unmute, type Person } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

interface LastPost {
  author: { userID: string }
  text: string
  timestamp: string
  hasImage: boolean
}
interface Listed {
  fezID: string
  members?: { lastPost?: LastPost }
}

interface FoundList {
  fezzes: { fezID: string; members?: { foundPost?: LastPost & { postID: number; place: number } } }[]
}

async function lastPost(who: Person, fezID: string, query = 'lastpost=true', list = 'joined'): Promise<LastPost | undefined> {
  const { fezzes } = await body<{ fezzes: Listed[] }>(who.two.get(`/fez/${list}?${query}`))
  return fezzes.find((chat) => chat.fezID === fezID)?.members?.lastPost
}

test('the last post stands there when it is asked for, and follows what is written and deleted', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(ann.one, [bob])
  assert.equal(await lastPost(bob, fezID), undefined)
  await say(ann.one, fezID, 'first')
  const id = await say(bob.one, fezID, `second ${'é'.repeat(300)}`)
  const { author, text, timestamp, hasImage } = (await lastPost(ann, fezID)) as LastPost
  assert.deepEqual([author.userID, text, hasImage], [bob.id, `second ${'é'.repeat(133)}`, false])
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
  assert.equal(await lastPost(ann, fezID, ''), undefined)
  assert.equal(await lastPost(ann, fezID, 'lastpost=false'), undefined)
  assert.equal((await lastPost(ann, fezID, 'lastpost=true', 'owner'))?.text, text)
  assert.equal((await lastPost(ann, fezID, 'lastpost=true&search=second'))?.text, text)
  await body(bob.one.post(`/fez/post/${id}/delete`), 204)
  assert.equal((await lastPost(ann, fezID))?.text, 'first')
})

test('nobody reads there what a mute or a block hides, but the words before it', async () => {
  const [ann, bob, cem] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createSeamail(ann.one, [bob, cem])
  await say(ann.one, fezID, 'from Ann')
  await say(bob.one, fezID, 'from Bob')
  assert.equal((await lastPost(cem, fezID))?.text, 'from Bob')
  await mute(cem, bob)
  assert.equal((await lastPost(cem, fezID))?.text, 'from Ann')
  assert.equal((await lastPost(ann, fezID))?.text, 'from Bob')
  await unmute(cem, bob)
  await block(bob, cem)
  assert.equal((await lastPost(cem, fezID))?.text, 'from Ann')
  await mute(cem, ann)
  assert.equal(await lastPost(cem, fezID), undefined)
})

test('what moderators have hidden does not stand there', async () => {
  const [ann, bob, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  const id = await say(ann.one, fezID, 'an insult')
  assert.equal((await lastPost(bob, fezID))?.text, 'an insult')
  await body(moderator.one.post(`/mod/fezpost/${id}/setstate/quarantined`))
  assert.equal((await lastPost(bob, fezID))?.text, 'This post is under review by the moderators.')
  await body(moderator.one.post(`/mod/fezpost/${id}/setstate/reviewed`))
  assert.equal((await lastPost(bob, fezID))?.text, 'an insult')
})

test('whoever has left a chat reads no further words of it', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(ann.one, { initialUsers: [bob.id] })
  await body(bob.one.post(`/fez/${fezID}/unjoin`))
  await say(ann.one, fezID, 'without Bob')
  assert.equal(await lastPost(bob, fezID, 'lastpost=true', 'former'), undefined)
  assert.equal(await lastPost(bob, fezID), undefined)
})

test('a search says which post has its words, and where it stands among those that one sees', async () => {
  const [ann, bob, cem, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const fezID = await createSeamail(ann.one, [bob, cem])
  const found = async (who: Person, query: string) => {
    const { fezzes } = await body<FoundList>(who.two.get(`/fez/joined?${query}`))
    const post = fezzes.find((chat) => chat.fezID === fezID)?.members?.foundPost
    return post && [post.author.userID, post.text, post.postID, post.place]
  }
  await say(bob.one, fezID, 'before all others')
  const early = await say(bob.one, fezID, 'a walrus at the rail')
  await say(cem.one, fezID, 'no, that was a seal')
  const gone = await say(ann.one, fezID, 'the third walrus')
  const filling = 'one more word '.repeat(20)
  const late = await say(cem.one, fezID, `${filling}walrus ${filling}`)
  await body(ann.one.post(`/fez/post/${gone}/delete`), 204)

  const [author, text, postID, place] = (await found(ann, 'lastpost=true&search=walrus')) as [string, string, number, number]
  assert.deepEqual([author, postID, place], [cem.id, late, 3])
  assert.match(text, /^… .*\bwalrus\b/)
  assert.ok(text.length <= 200)
  // Without the words in a post, or the wish, there is none.
  assert.equal(await found(ann, 'lastpost=true'), undefined)
  assert.equal(await found(ann, 'search=walrus'), undefined)
  await mute(cem, bob)
  assert.deepEqual((await found(cem, 'lastpost=true&search=walrus'))?.slice(2), [late, 1])
  // Whoever does not see the newest finds the one before it, and counts what they see.
  await mute(ann, cem)
  assert.deepEqual(await found(ann, 'lastpost=true&search=walrus'), [bob.id, 'a walrus at the rail', early, 1])
  await body(moderator.one.post(`/mod/fezpost/${early}/setstate/quarantined`))
  assert.equal(await found(ann, 'lastpost=true&search=walrus'), undefined)
  assert.equal((await found(bob, 'lastpost=true&search=walrus'))?.[2], late)
})
