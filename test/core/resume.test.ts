// WS /fez/:fezID/socket?after=: a socket that takes up where another has ended.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Refused, type Client, type TestSocket } from '../support/client.ts'
import { block, body, createChat, createSeamail, mute, people, say, unmute, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const resume = (client: Client, fezID: string, after: number | string) => client.socket(`/fez/${fezID}/socket?after=${after}`)
const idsOf = ({ frames }: TestSocket): number[] => frames.flatMap((frame) => ('postID' in frame ? [frame.postID as number] : []))
const textsOf = ({ frames }: TestSocket): string[] =>
  frames.map((frame) => ('postID' in frame ? frame.text : `${frame.joined ? '+' : '-'}${frame.user.username}`))

/** Puts posts into a chat without a request for each, as a node would; returns their ids. */
async function fill(fezID: string, author: Person, count: number, text = 'post'): Promise<number[]> {
  const rows = await nodes.sql<{ id: number }[]>`
    insert into fez_post (fez_id, author_id, real_author_id, text, created_at)
    select ${fezID}, ${author.id}, ${author.id}, ${text} || ' ' || number, now() from generate_series(1, ${count}::int) as number returning id`
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b)
  const [fez] = await nodes.sql<{ seq: number }[]>`
    update fez set seq = seq + 1, post_count = post_count + ${count}, last_post_id = ${ids.at(-1) ?? 0} where id = ${fezID} returning seq`
  await nodes.apps[0]?.node.channels.publishConfirmed('fez', fezID, { type: 'changed', seq: fez?.seq })
  return ids
}

async function refusal(opening: Promise<TestSocket>): Promise<[number, string]> {
  const error = await opening.then(
    (socket) => {
      socket.terminate()
    },
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Refused, 'the socket was opened')
  return [error.status, (error.body as { reason: string }).reason]
}

test('the posts after the named one come first, in order and in the form of live ones, then what happens', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const live = await bert.one.socket(`/fez/${fezID}/socket`)
  const ids: number[] = []
  for (const [index, text] of ['a', 'b', 'c', 'd'].entries()) ids.push(await say(owner.clients[index % 2] as Client, fezID, text))
  await live.count(4)
  const four = [...live.frames]
  for (const [seen, texts] of [
    [0, ['a', 'b', 'c', 'd']],
    [-5, ['a', 'b', 'c', 'd']],
    [ids[0], ['b', 'c', 'd']],
    [ids[2], ['d']],
    [ids[3], []],
  ] as const) {
    for (const client of bert.clients) {
      const socket = await resume(client, fezID, seen as number)
      await socket.count(texts.length)
      assert.deepEqual(socket.frames, four.slice(4 - texts.length))
      const marker = `after ${seen} on ${bert.clients.indexOf(client)}`
      const id = await say(owner.one, fezID, marker)
      await socket.until((frame) => frame.postID === id)
      assert.deepEqual(textsOf(socket), [...texts, marker])
      socket.terminate()
      await body(owner.two.delete(`/fez/post/${id}`), 204)
    }
  }
})

test('who does not ask gets nothing old; neither does an id that no post of this chat can have', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  await say(owner.one, fezID, 'old')
  const sockets = await Promise.all(
    ['', '?after', '?after=', '?after=x', '?before=0', '?after=2147483647', '?after=99999999999'].flatMap((query) =>
      bert.clients.map((client) => client.socket(`/fez/${fezID}/socket${query}`)),
    ),
  )
  const id = await say(owner.two, fezID, 'new')
  for (const socket of sockets) {
    await socket.until((frame) => frame.postID === id)
    await socket.flushed()
    assert.deepEqual(textsOf(socket), ['new'])
  }
})

test('missed posts of hidden authors and deleted ones are not sent', async () => {
  const [owner, muted, blocked, bert] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [muted.id, blocked.id, bert.id] })
  for (const [who, text] of [
    [owner, '1'],
    [muted, '2'],
    [blocked, '3'],
    [bert, '4'],
    [owner, '5'],
  ] as const) {
    const id = await say(who.one, fezID, text)
    if (text === '5') await body(owner.two.delete(`/fez/post/${id}`), 204)
  }
  await mute(bert, muted)
  await block(blocked, bert, 1)
  for (const client of bert.clients) {
    const socket = await resume(client, fezID, 0)
    await socket.until((frame) => frame.text === '4')
    await socket.flushed()
    assert.deepEqual(textsOf(socket), ['1', '4'])
  }
})

test('members and the teams of shared inboxes may, others are refused as without it', async () => {
  const [owner, outsider, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await createChat(owner.one)
  const seamail = await createSeamail(owner.one, [outsider])
  await say(owner.one, fezID, 'x')
  const socket = await resume(moderator.two, fezID, 0)
  await socket.until((frame) => frame.text === 'x')
  assert.equal((await refusal(resume(outsider.one, fezID, 0)))[0], 403)
  assert.equal((await refusal(resume(moderator.one, seamail, 0)))[0], 403)
  assert.equal((await refusal(resume(owner.one, randomUUID(), 0)))[0], 400)
  assert.equal((await refusal(resume(nodes.client(), fezID, 0)))[0], 401)
})

test('up to 500 missed posts, whatever is still in memory; with more the chat has to be read', async () => {
  const [owner, author, bert] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id] })
  const first = await say(owner.one, fezID, 'seen')
  const ids = await fill(fezID, author, 500)
  for (const client of bert.clients) {
    const socket = await resume(client, fezID, first)
    await socket.count(500)
    await socket.flushed()
    assert.deepEqual(idsOf(socket), ids)
    const [status, reason] = await refusal(resume(client, fezID, first - 1))
    assert.deepEqual([status, /500/.test(reason)], [400, true])
  }
  // What is hidden from the caller does not count.
  await mute(bert, author)
  const socket = await resume(bert.one, fezID, 0)
  await socket.until((frame) => frame.text === 'seen')
  await unmute(bert, author)
})

test('while posts are written over both nodes: every socket that takes up anywhere gets each post once, in order', async () => {
  const [owner, bert, ...authors] = (await people(nodes, {}, {}, {}, {}, {}, {})) as [Person, Person, ...Person[]]
  const fezID = await createChat(owner.one, { initialUsers: [bert, ...authors].map(({ id }) => id) })
  const witness = await bert.one.socket(`/fez/${fezID}/socket`)
  const first = await say(owner.one, fezID, 'first')
  const state = { writing: true }
  const all = Promise.all(
    [owner, ...authors].map(async (author, index) => {
      for (let i = 0; i < 25; i++) await say(author.clients[(index + i) % 2] as Client, fezID, `${index}.${i}`)
    }),
  ).finally(() => {
    state.writing = false
  })
  const taken: TestSocket[] = []
  // A client that goes from node to node: each socket takes up where the last one had come to.
  let seen = first
  const wandering: number[] = []
  for (let turn = 0; state.writing || turn < 20; turn++) {
    const stays = turn % 3 === 0 && taken.length < 12
    const socket = await resume(bert.clients[turn % 2] as Client, fezID, stays ? first : seen)
    if (stays) {
      taken.push(socket)
      continue
    }
    if (state.writing) await Promise.race([socket.count(1), all])
    const got = idsOf(socket)
    socket.terminate()
    wandering.push(...got)
    seen = Math.max(seen, ...got)
  }
  await all
  const last = await say(owner.two, fezID, 'last')
  await witness.until((frame) => frame.postID === last)
  const ids = idsOf(witness).filter((id) => id > first)
  assert.equal(ids.length, 126)
  for (const socket of taken) {
    await socket.until((frame) => frame.postID === last)
    assert.deepEqual(idsOf(socket), ids)
  }
  const end = await resume(bert.two, fezID, seen)
  await end.until((frame) => frame.postID === last)
  assert.deepEqual([...wandering, ...idsOf(end)], ids)
})

test('asyncapi.json says so', async () => {
  const document = await body(nodes.client().get('//asyncapi.json'))
  const { bindings } =
    Object.values(document.channels as Record<string, { address: string; bindings: { ws: object } }>).find(
      ({ address }) => address === '/fez/{fezID}/socket',
    ) ?? assert.fail('no such channel')
  assert.deepEqual(bindings.ws, {
    method: 'GET',
    query: { type: 'object', properties: { after: { type: 'integer' }, watching: { type: 'boolean' } } },
    bindingVersion: '0.1.0',
  })
})

test('a slow phone gets everything it has missed at its own speed, and live frames behind it', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const first = await say(owner.one, fezID, 'seen')
  // Together far more than a socket may have waiting.
  const ids = await fill(fezID, owner, 500, '漢'.repeat(5000))
  const socket = await resume(bert.two, fezID, first)
  socket.ws.pause()
  await body(carl.one.post(`/fez/${fezID}/join`), 201)
  const last = await say(owner.one, fezID, 'last')
  await until(() => socket.frames.length < 500, 'still waiting')
  socket.ws.resume()
  await socket.until((frame) => frame.postID === last)
  await socket.flushed()
  assert.ok(socket.open)
  assert.deepEqual(idsOf(socket), [...ids, last])
  assert.equal(textsOf(socket).at(-2), `+${carl.username}`)
  // From here on it is a socket like any other.
  await say(carl.two, fezID, 'live')
  await socket.until((frame) => frame.text === 'live')
})

test('what is hidden or taken away while a phone is still catching up does not reach it', async () => {
  const [owner, author, bert] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id] })
  const kept = await fill(fezID, owner, 240, '漢'.repeat(5000))
  const hidden = await fill(fezID, author, 240, '字'.repeat(5000))
  const socket = await resume(bert.one, fezID, 0)
  await socket.count(1)
  socket.ws.pause()
  await mute(bert, author, 1)
  await say(author.one, fezID, 'unheard')
  const last = await say(owner.two, fezID, 'last')
  socket.ws.resume()
  await socket.until((frame) => frame.postID === last)
  const ids = idsOf(socket)
  assert.deepEqual(ids.slice(0, 240), kept)
  // What was in the socket already may come; the rest was held back.
  assert.ok(ids.filter((id) => hidden.includes(id)).length < 240)
  assert.ok(!textsOf(socket).includes('unheard'))
  const gone = await resume(bert.one, fezID, 0)
  gone.ws.pause()
  await body(owner.two.post(`/fez/${fezID}/user/${bert.id}/remove`))
  await say(owner.one, fezID, 'secret')
  gone.ws.resume()
  await gone.until((frame) => frame.joined === false)
  await gone.flushed()
  assert.ok(!textsOf(gone).includes('secret'))
  assert.equal(textsOf(gone).at(-1), `-${bert.username}`)
})
