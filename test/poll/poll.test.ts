// Polls in chats, forums and the microblog.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Ctx } from '../../src/core/work/ctx.ts'
import { removeLostPolls } from '../../src/poll/service.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, createChat, createSeamail, moderate, mute, names, people, refused, type Person } from '../support/fez.ts'
import { newCategory, setState, startForum } from '../support/forum.ts'
import { linkTo } from '../support/link.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const lunch = { place: 'microblog', question: 'Where do we eat?', choices: ['Lido', 'Galley', 'Grill'] }
const ask = async (client: Client, more: object = {}) => await body(client.post('/poll/create', { ...lunch, ...more }), 201)
const votesOf = (poll: { choices: { votes: number }[] }) => poll.choices.map(({ votes }) => votes)
const cast = (client: Client, pollID: string, ...choices: number[]) => client.post(`/poll/${pollID}/vote`, { choices })
const missing = '/poll/7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('POST /poll/create', () => {
  test('writes a post that says it all to clients without polls, in each place', async () => {
    const [author, reader] = (await people(nodes, {}, {})) as [Person, Person]
    const fezID = await createSeamail(author.one, [reader])
    const { forumID } = await startForum(author.one, 'Food')
    const textOf = async (poll: { place: string; postID: number }) => {
      if (poll.place === 'microblog') return (await body(reader.two.get(`/microblog/${poll.postID}`))).text
      if (poll.place === 'forum') return (await body(reader.two.get(`/forum/post/${poll.postID}`))).text
      return (await body(reader.two.get(`/fez/${fezID}`))).members.posts.find(({ postID }: { postID: number }) => postID === poll.postID)
        .text
    }
    for (const [place, placeID] of [['microblog'], ['forum', forumID], ['fez', fezID]]) {
      const poll = await ask(author.one, { place, placeID })
      assert.match(poll.text, new RegExp(`^Where do we eat\\?\n▫ Lido\n▫ Galley\n▫ Grill\nhttp://[^\n]+/poll/${poll.pollID}$`))
      assert.equal(await textOf(poll), poll.text)
      const { author: by, choices, ...rest } = await body(reader.two.get(`/poll/${poll.pollID}`))
      assert.deepEqual(rest, {
        pollID: poll.pollID,
        place,
        ...(place === 'fez' ? { placeID } : {}),
        postID: poll.postID,
        question: 'Where do we eat?',
        several: false,
        anonymous: false,
        hasEnded: false,
        voterCount: 0,
        text: poll.text,
      })
      assert.equal(by.userID, author.id)
      assert.deepEqual(
        choices,
        lunch.choices.map((text) => ({ text, votes: 0, isChosen: false, voters: [] })),
      )
    }
  })

  test('leaves nothing behind when its post was never written', async () => {
    const [author] = (await people(nodes, {})) as [Person]
    const { pollID: posted } = await ask(author.one)
    const lost = async (ageMinutes: number) => {
      const [row] = await nodes.sql<[{ id: string }]>`
        insert into poll (id, author_id, place, question, choices, is_several, is_anonymous, created_at)
        values (gen_random_uuid(), ${author.id}, 'microblog', 'Lost?', '{yes,no}', false, false,
          now() - ${ageMinutes} * interval '1 minute') returning id`
      return row.id
    }
    const [old, young] = [await lost(61), await lost(59)]
    await nodes.sql`update poll set created_at = now() - interval '1 day' where id = ${posted}`
    const { node } = nodes.apps[0] as TestNodes['apps'][number]
    await removeLostPolls(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))
    const left = await nodes.sql<{ id: string }[]>`select id from poll where id = any (${[posted, old, young]}::uuid[])`
    assert.deepEqual(left.map(({ id }) => id).sort(), [posted, young].sort())
  })

  test('is repeated with its Idempotency-Key: one poll and one post', async () => {
    const [author] = (await people(nodes, {})) as [Person]
    const { forumID } = await startForum(author.one, 'Repeated')
    const fezID = await createChat(author.one)
    for (const [place, placeID] of [['microblog'], ['forum', forumID], ['fez', fezID]]) {
      const options = { headers: { 'idempotency-key': `poll-in-${place}-of-${author.id}` } }
      const send = (client: Client, more = {}) => client.post('/poll/create', { ...lunch, place, placeID, ...more }, options)
      const together = await Promise.all([send(author.one), send(author.two)])
      const [first] = together.map(({ body: poll }) => poll)
      for (const answer of [...together, await send(author.two)]) {
        assert.equal(answer.status, 201, JSON.stringify(answer.body))
        assert.deepEqual([answer.body.pollID, answer.body.postID], [first.pollID, first.postID])
      }
      assert.equal((await send(author.one, { question: 'Another?' })).status, 422)
    }
    const [{ polls, posts }] = (await nodes.sql`
      select (select count(*)::int from poll where author_id = ${author.id}) as polls,
        (select count(*)::int from microblog_post where author_id = ${author.id}) as posts`) as unknown as [
      { polls: number; posts: number },
    ]
    assert.deepEqual([polls, posts], [3, 1])
  })

  test('is repeated on a node that has not heard of its post yet', async (t) => {
    const redisUrl = process.env['TEST_REDIS_URL'] ?? ''
    const link = await linkTo(t, redisUrl)
    const late = await startTestNodes(2, { redisUrls: [redisUrl, link.url] })
    t.after(() => late.stop())
    const [author] = (await people(late, {})) as [Person]
    const fezID = await createChat(author.one)
    // From here on the chat is in the memory of both.
    await body(author.two.get(`/fez/${fezID}`))
    const options = { headers: { 'idempotency-key': `late-${author.id}` } }
    const send = (client: Client) => client.post('/poll/create', { ...lunch, place: 'fez', placeID: fezID }, options)
    link.slow(400)
    const first = send(author.one)
    await until(async () => (await late.sql`select from poll where post_id is not null`).length === 1, 'the poll is there')
    const again = await send(author.two)
    assert.equal(again.status, 201, JSON.stringify(again.body))
    assert.equal(again.body.pollID, (await body(first, 201)).pollID)
  })

  test('goes on where a request was broken off', async () => {
    const [author] = (await people(nodes, {})) as [Person]
    const options = { headers: { 'idempotency-key': `broken-${author.id}` } }
    const send = () => body(author.one.post('/poll/create', lunch, options), 201)
    const { pollID, postID } = await send()
    await nodes.sql`update poll set post_id = null where id = ${pollID}`
    await refused(author.one.get(`/poll/${pollID}`), 400)
    assert.equal((await send()).postID, postID)
  })

  test('refuses what is no poll, naming the field', async () => {
    const [author] = (await people(nodes, {})) as [Person]
    const wrong: [string, object][] = [
      ['question', { question: ' ' }],
      ['question', { question: 'x'.repeat(501) }],
      ['choices', { choices: ['one'] }],
      ['choices', { choices: Array.from({ length: 11 }, (_, index) => String(index)) }],
      ['choices', { choices: ['one', 'ONE '] }],
      ['choices', { choices: ['one', '  '] }],
      ['choices.1', { choices: ['one', 'x'.repeat(101)] }],
      ['choices.1', { choices: ['one', 'two\nlines'] }],
      ['placeID', { place: 'forum' }],
      ['placeID', { placeID: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }],
    ]
    for (const [field, more] of wrong) {
      const { status, body: refusal } = await author.one.post('/poll/create', { ...lunch, ...more })
      assert.equal(status, 400)
      assert.ok(
        Object.keys(refusal.fieldErrors ?? {}).some((each) => each === field || each.startsWith(field)),
        JSON.stringify(refusal),
      )
    }
    const { body: past } = await author.one.post('/poll/create', { ...lunch, endsAt: '2001-01-01T00:00:00Z' })
    assert.equal(past.code, 'poll_ended')
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    assert.equal((await author.one.post('/poll/create', { ...lunch, endsAt: inDays(367) })).body.code, 'poll_ended')
    await ask(author.one, { endsAt: inDays(365) })
  })

  test('is refused where the post would be, and leaves no poll behind', async () => {
    const [owner, stranger, unverified] = (await people(nodes, {}, {}, { level: 'unverified' })) as [Person, Person, Person]
    const fezID = await createSeamail(owner.one, [unverified])
    const { forumID } = await startForum(owner.one, 'Closed')
    await setState(nodes, 'forum', forumID, 'locked')
    const restricted = await startForum(owner.one, 'Secret')
    await nodes.sql`update forum set category_id = ${await newCategory(nodes, { viewLevel: 'moderator' })} where id = ${restricted.forumID}`
    await refused(stranger.one.post('/poll/create', { ...lunch, place: 'fez', placeID: fezID }), 400)
    await refused(stranger.one.post('/poll/create', { ...lunch, place: 'forum', placeID: forumID }), 403)
    await refused(stranger.one.post('/poll/create', { ...lunch, place: 'forum', placeID: restricted.forumID }), 400)
    await refused(unverified.one.post('/poll/create', lunch), 403)
    assert.equal((await nodes.sql`select id from poll where author_id in ${nodes.sql([stranger.id, unverified.id])}`).length, 0)
  })

  test('and all of a poll, while its place is switched off', async (t) => {
    const [author] = (await people(nodes, {})) as [Person]
    const { pollID } = await ask(author.one)
    t.after(() => onlySettings(nodes, {}))
    await onlySettings(nodes, { disabledFeatures: [{ appName: 'all', featureName: 'tweets' }] })
    await refused(author.one.post('/poll/create', lunch), 400)
    assert.equal((await nodes.sql`select from poll where author_id = ${author.id}`).length, 1)
    await refused(author.one.get(`/poll/${pollID}`), 400)
    await refused(cast(author.one, pollID, 0), 400)
    const [reader] = (await people(nodes, {})) as [Person]
    const fezID = await createSeamail(author.one, [reader])
    const { pollID: inChat } = await ask(author.one, { place: 'fez', placeID: fezID })
    await onlySettings(nodes, { disabledFeatures: [{ appName: 'all', featureName: 'friendlyfez' }] })
    await refused(author.one.get(`/poll/${inChat}`), 400)
    await body(author.one.get(`/poll/${pollID}`))
  })
})

describe('POST /poll/:poll_id/vote', () => {
  test('counts a person once, whichever account they vote with, and lets them change their mind', async () => {
    const [author, voter] = (await people(nodes, {}, {})) as [Person, Person]
    const [sub] = (await people(nodes, { subAccountOf: voter })) as [Person]
    const { pollID } = await ask(author.one)
    assert.deepEqual(votesOf(await body(cast(voter.one, pollID, 1))), [0, 1, 0])
    assert.deepEqual(votesOf(await body(cast(voter.one, pollID, 1, 1))), [0, 1, 0])
    const changed = await body(cast(sub.two, pollID, 2))
    assert.deepEqual([votesOf(changed), changed.voterCount, changed.choices[2].isChosen], [[0, 0, 1], 1, true])
    assert.deepEqual(names(changed.choices[2].voters), [sub.username])
    const seen = await body(voter.one.get(`/poll/${pollID}`))
    assert.deepEqual(
      seen.choices.map(({ isChosen }: { isChosen: boolean }) => isChosen),
      [false, false, true],
    )
    assert.deepEqual(votesOf(await body(cast(voter.one, pollID))), [0, 0, 0])
  })

  test('takes several choices where the poll does, and refuses what is none', async () => {
    const [author, voter] = (await people(nodes, {}, {})) as [Person, Person]
    const { pollID } = await ask(author.one)
    for (const choices of [[0, 1], [3], [-1]]) {
      const { status, body: refusal } = await voter.one.post(`/poll/${pollID}/vote`, { choices })
      assert.deepEqual([status, refusal.code], [400, 'choice_invalid'])
    }
    const several = await ask(author.one, { several: true })
    const both = await body(cast(voter.one, several.pollID, 0, 2))
    assert.deepEqual([votesOf(both), both.voterCount], [[1, 0, 1], 1])
    assert.deepEqual(votesOf(await body(cast(voter.one, several.pollID, 2, 1))), [0, 1, 1])
  })

  test('is over with the poll: at its time, or when its author ends it', async () => {
    const [author, voter] = (await people(nodes, {}, {})) as [Person, Person]
    const endsAt = new Date(Date.now() + 60_000).toISOString()
    const timed = await ask(author.one, { endsAt })
    assert.deepEqual([timed.endsAt, timed.hasEnded], [endsAt, false])
    await body(cast(voter.one, timed.pollID, 0))
    await nodes.sql`update poll set ends_at = now() - interval '1 second' where id = ${timed.pollID}`
    const { body: late } = await cast(voter.one, timed.pollID, 1)
    assert.equal(late.code, 'poll_ended')
    const ended = await body(voter.two.get(`/poll/${timed.pollID}`))
    assert.deepEqual([ended.hasEnded, votesOf(ended)], [true, [1, 0, 0]])

    const { pollID } = await ask(author.one)
    await refused(voter.one.post(`/poll/${pollID}/end`), 403)
    assert.equal((await body(author.two.post(`/poll/${pollID}/end`))).hasEnded, true)
    assert.equal((await cast(voter.one, pollID, 1)).body.code, 'poll_ended')
    assert.equal((await author.one.post(`/poll/${pollID}/end`)).body.code, 'poll_ended')
  })

  test('of many at once, and again and again: one vote for each person', async () => {
    const [author, ...voters] = (await people(nodes, ...Array.from({ length: 9 }, () => ({})))) as [Person, ...Person[]]
    const { pollID } = await ask(author.one)
    const turns = voters.flatMap((voter, index) => [
      cast(voter.one, pollID, index % 3),
      cast(voter.two, pollID, (index + 1) % 3),
      cast(voter.one, pollID, (index + 2) % 3),
    ])
    for (const turn of turns) await body(turn)
    const { voterCount, choices } = await body(author.one.get(`/poll/${pollID}`))
    assert.deepEqual([voterCount, votesOf({ choices }).reduce((sum, each) => sum + each, 0)], [8, 8])
  })

  test('like a list of what each person chose last', async () => {
    const voters = (await people(nodes, ...Array.from({ length: 4 }, () => ({})))) as Person[]
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }), fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 })), { maxLength: 10 }),
        async (several, steps) => {
          const { pollID } = await ask(voters[0]?.one as Client, { several })
          const chosen = new Map<number, number[]>()
          for (const [who, node, choices] of steps) {
            const { status } = await cast(voters[who]?.clients[node] as Client, pollID, ...choices)
            const isRight = choices.every((choice) => choice < 3) && (several || choices.length <= 1)
            assert.equal(status, isRight ? 200 : 400)
            if (isRight) chosen.set(who, choices)
          }
          for (const [who, voter] of voters.entries()) {
            const poll = await body(voter.two.get(`/poll/${pollID}`))
            const all = [...chosen.values()]
            assert.deepEqual(
              votesOf(poll),
              [0, 1, 2].map((choice) => all.filter((own) => own.includes(choice)).length),
            )
            assert.equal(poll.voterCount, all.filter((own) => own.length > 0).length)
            assert.deepEqual(
              poll.choices.flatMap(({ isChosen }: { isChosen: boolean }, index: number) => (isChosen ? [index] : [])),
              (chosen.get(who) ?? []).toSorted(),
            )
          }
        },
      ),
      { numRuns: 15 },
    )
  })

  test('shows at once in browsers on every node, and not to apps', async () => {
    const [author, voter, watcher] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const { pollID } = await ask(author.one)
    const origin = nodes.urls[0] as string
    const login = await watcher.one.post('/auth/login', undefined, {
      basic: [watcher.username, testPassword],
      headers: { 'x-session': 'cookie', origin },
    })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const browser = await nodes.client().socket('/notification/socket', { cookie, origin })
    const app = await watcher.one.socket('/notification/socket')
    for (const choice of [0, 1, 2, 0]) await body(cast(voter.two, pollID, choice))
    const frame = { type: { pollChanged: {} }, info: '', contentID: pollID }
    const seen = () => browser.frames.filter((each) => JSON.stringify(each) === JSON.stringify(frame)).length
    await until(() => seen() >= 2, 'the first vote, and those that came soon after it')
    assert.equal(seen(), 2)
    await app.flushed()
    assert.deepEqual(app.frames, [])
    for (const socket of [browser, app]) socket.terminate()
  })
})

describe('GET /poll/:poll_id', () => {
  test('shows who voted, but not in anonymous polls, nor those whom the viewer hides', async () => {
    const [author, one, other, reader] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
    const [named, anonymous] = [await ask(author.one), await ask(author.one, { anonymous: true })]
    for (const { pollID } of [named, anonymous]) for (const voter of [one, other]) await body(cast(voter.one, pollID, 0))
    const voters = async (poll: { pollID: string }) => (await body(reader.one.get(`/poll/${poll.pollID}`))).choices[0]
    assert.deepEqual(names((await voters(named)).voters), [one.username, other.username])
    assert.deepEqual(await voters(anonymous), { text: 'Lido', votes: 2, isChosen: false })
    await block(one, reader)
    assert.deepEqual(names((await voters(named)).voters), [other.username])
    await mute(reader, other)
    const rest = await voters(named)
    assert.deepEqual([rest.voters, rest.votes], [[], 2])
  })

  test('is there for those who see its post, and for nobody else', async () => {
    const [author, member, stranger, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const privateChat = await createSeamail(author.one, [member])
    const { forumID } = await startForum(author.one, 'Hidden')
    const [inChat, inForum, inMicroblog] = [
      await ask(author.one, { place: 'fez', placeID: privateChat }),
      await ask(author.one, { place: 'forum', placeID: forumID }),
      await ask(author.one),
    ]
    const unknown = await refused(stranger.one.get(missing), 400)
    const isHidden = async (who: Person, { pollID }: { pollID: string }) => {
      const { status, body: found } = await who.two.get(`/poll/${pollID}`)
      if (status === 200) return false
      assert.deepEqual([status, found.reason], [400, unknown])
      assert.equal((await cast(who.two, pollID, 0)).body.reason, unknown)
      assert.equal((await who.two.post(`/poll/${pollID}/end`)).body.reason, unknown)
      return true
    }
    assert.deepEqual(
      [await isHidden(member, inChat), await isHidden(stranger, inChat), await isHidden(moderator, inChat)],
      [false, true, true],
    )
    const group = await createChat(author.one)
    await body(member.one.post(`/fez/${group}/join`), 201)
    const inGroup = await ask(author.one, { place: 'fez', placeID: group })
    assert.deepEqual(
      [await isHidden(member, inGroup), await isHidden(stranger, inGroup), await isHidden(moderator, inGroup)],
      [false, true, false],
    )
    await body(member.two.post(`/fez/${group}/unjoin`))
    assert.equal(await isHidden(member, inGroup), true)

    assert.equal(await isHidden(stranger, inForum), false)
    await nodes.sql`update forum set category_id = ${await newCategory(nodes, { viewLevel: 'moderator' })} where id = ${forumID}`
    assert.deepEqual([await isHidden(stranger, inForum), await isHidden(moderator, inForum)], [true, false])

    await block(author, stranger)
    assert.deepEqual([await isHidden(stranger, inMicroblog), await isHidden(member, inMicroblog)], [true, false])
    await body(author.one.post(`/microblog/${inMicroblog.postID}/delete`), 204)
    assert.equal(await isHidden(member, inMicroblog), true)
  })

  test('is hidden while its post is under review, from everybody', async () => {
    const [author, reader, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const { pollID, postID } = await ask(author.one)
    await body(moderator.one.post(`/mod/microblog/${postID}/setstate/quarantined`))
    for (const who of [author, reader]) await refused(who.two.get(`/poll/${pollID}`), 400)
    await body(moderator.one.post(`/mod/microblog/${postID}/setstate/reviewed`))
    await body(reader.one.get(`/poll/${pollID}`))
    const fezID = await createChat(author.one)
    const inChat = await ask(author.one, { place: 'fez', placeID: fezID })
    await nodes.sql`update fez_post set moderation_status = 'quarantined' where id = ${inChat.postID}`
    await moderate(nodes, fezID, 'normal')
    await refused(author.two.get(`/poll/${inChat.pollID}`), 400)
  })

  test('lists many at once, in the order asked for, and leaves out the hidden ones', async () => {
    const [author, reader, member] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const fezID = await createSeamail(author.one, [member])
    const ids: string[] = []
    for (const more of [{}, { place: 'fez', placeID: fezID }, { question: 'Another?' }]) ids.push((await ask(author.one, more)).pollID)
    const list = async (who: Person, ...wanted: string[]) =>
      (await body(who.one.get(`/poll?${wanted.map((id) => `id=${id}`).join('&')}`))).map(({ pollID }: { pollID: string }) => pollID)
    const [first, second, third] = ids as [string, string, string]
    assert.deepEqual(await list(author, third, second, first, third), [third, second, first])
    assert.deepEqual(await list(reader, third, second, '7c9e6679-7425-40de-944b-e07fc1f90ae7', first), [third, first])
  })
})

test("DELETE of an account: its votes go, its polls stay under a deleted account's name", async () => {
  const [author, voter] = (await people(nodes, {}, {})) as [Person, Person]
  const { pollID } = await ask(author.one)
  const { pollID: ofVoter } = await ask(voter.one)
  await body(cast(voter.one, pollID, 0))
  await onlySettings(nodes, { allowAccountDeletion: true })
  await body(voter.one.post('/user/delete', { username: voter.username, currentPassword: testPassword }))
  assert.deepEqual(votesOf(await body(author.one.get(`/poll/${pollID}`))), [0, 0, 0])
  const left = await body(author.one.get(`/poll/${ofVoter}`))
  assert.notEqual(left.author.username, voter.username)
})
