// Random posts, edits, deletions, words, blocks and mutes on two nodes: after every one of them the rows,
// the numbers on both nodes and the frames of sockets are those that the rules, read naively, make.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client, TestSocket } from '../support/client.ts'
import { people, type Person } from '../support/fez.ts'
import { categories, content, newCategory } from '../support/forum.ts'
import { noJobIsLeft } from '../support/jobs.ts'
import { randomTest } from '../support/random-runs.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { workers: 2 })
})
after(() => nodes.stop())

// Users 0 to 3 are ordinary, 0 with a role; then a moderator and one of the service team.
const users = 6
const moderator = 4
const words = ['stargazing', 'lunch', 'bücher'] as const

/** A text is made of these; numbers stand for names. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      form: fc.constantFrom('@N', '@N', '@N.', '@N:', '@N@N', 'x@N', '@Nx', '(@N)', '@n', '@'),
      who: fc.integer({ min: 0, max: users - 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom('@moderator', '@MODERATOR!', '@ServiceTeam', '@serviceteam,', '@moderators') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'stargazing',
      'Star-gazing!',
      'lunch',
      'LUNCH',
      'lunches',
      'bücher',
      'B\u0308u\u0308cher',
      'Bu\u0308cher',
      'noise',
    ),
  },
)
const text = fc.array(piece, { minLength: 1, maxLength: 5 })

type Piece = string | { form: string; who: number }
type Action =
  | { type: 'start'; who: number; category: number; text: Piece[]; node: number }
  | { type: 'post'; who: number; forum: number; text: Piece[]; node: number }
  | { type: 'blog'; who: number; text: Piece[]; node: number }
  | { type: 'edit'; post: number; byModerator: boolean; text: Piece[]; node: number }
  | { type: 'delete'; post: number; byModerator: boolean; node: number }
  | { type: 'deleteForum'; forum: number; node: number }
  | { type: 'add' | 'remove' | 'search' | 'blogSearch'; who: number; word: number; node: number }
  | { type: 'block' | 'unblock' | 'mute' | 'unmute'; who: number; other: number; node: number }
  | { type: 'mentions' | 'blogMentions' | 'moderatorMentions' | 'teamMentions'; who: number; node: number }

const node = fc.integer({ min: 0, max: 1 })
const who = fc.integer({ min: 0, max: users - 1 })
const index = fc.integer({ min: 0, max: 5 })
const word = fc.integer({ min: 0, max: words.length - 1 })
const one = <const T extends string>(...types: T[]) => fc.constantFrom<T[]>(...types)
const byModerator = fc.integer({ min: 0, max: 3 }).map((n) => n === 0)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: one('start'), who, category: fc.integer({ min: 0, max: 3 }), text, node }) },
  { weight: 8, arbitrary: fc.record({ type: one('post'), who, forum: index, text, node }) },
  { weight: 6, arbitrary: fc.record({ type: one('blog'), who, text, node }) },
  { weight: 9, arbitrary: fc.record({ type: one('edit'), post: index, byModerator, text, node }) },
  { weight: 3, arbitrary: fc.record({ type: one('delete'), post: index, byModerator, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('deleteForum'), forum: index, node }) },
  { weight: 6, arbitrary: fc.record({ type: one('add', 'add', 'remove', 'search', 'blogSearch'), who, word, node }) },
  { weight: 5, arbitrary: fc.record({ type: one('block', 'unblock', 'mute', 'unmute'), who, other: who, node }) },
  { weight: 4, arbitrary: fc.record({ type: one('mentions', 'blogMentions', 'moderatorMentions', 'teamMentions'), who, node }) },
)

type Feed = 'forum' | 'microblog'
type Kind =
  | 'microblogMention'
  | 'microblogAlertword'
  | 'forumMention'
  | 'moderatorForumMention'
  | 'serviceTeamForumMention'
  | 'forumAlertword'
interface Hit {
  who: number
  kind: Kind
  word: string
  post: number
  fresh: boolean
}
/** Ids of the two feeds have nothing to do with each other. */
interface Post {
  feed: Feed
  id: number
  forum: string
  author: number
  text: string
}
interface Category {
  id: string
  sees: (who: number) => boolean
  starters: (who: number) => boolean
}

class World {
  readonly everyone: Person[]
  readonly #sockets: TestSocket[]
  readonly #categories: Category[]
  readonly #forums: { id: string; category: Category; starter: number }[] = []
  readonly #posts: Post[] = []
  readonly #watched: Set<string>[] = Array.from({ length: users }, () => new Set())
  readonly #blocks = new Set<string>()
  readonly #mutes = new Set<string>()
  #hits: Hit[] = []
  readonly #frames: string[][] = Array.from({ length: users }, () => [])

  private constructor(everyone: Person[], sockets: TestSocket[], ownCategories: [string, string]) {
    this.everyone = everyone
    this.#sockets = sockets
    const team = (n: number) => n >= moderator
    this.#categories = [
      { id: categories.general, sees: () => true, starters: () => true },
      { id: categories.news, sees: () => true, starters: team },
      { id: ownCategories[0], sees: team, starters: team },
      { id: ownCategories[1], sees: (n) => n === 0 || team(n), starters: (n) => n === 0 || team(n) },
    ]
  }

  static async create(): Promise<World> {
    await nodes.sql`delete from hit`
    await nodes.sql`delete from alertword`
    const everyone = await people(nodes, { roles: ['shutternaut'] }, {}, {}, {}, { level: 'moderator' }, { level: 'serviceteam' })
    const sockets = await Promise.all(everyone.map((person, n) => (person.clients[n % 2] as Client).socket('/notification/socket')))
    return new World(everyone, sockets, [
      await newCategory(nodes, { viewLevel: 'moderator', createLevel: 'moderator' }),
      await newCategory(nodes, { role: 'shutternaut' }),
    ])
  }

  async run(a: Action): Promise<void> {
    const { status, body } = await this.#do(a)
    assert.ok([200, 201, 204, 400, 403].includes(status), `${JSON.stringify(a)}: ${status} ${JSON.stringify(body)}`)
  }

  async #do(a: Action): Promise<Answer> {
    const client = (n: number) => (this.everyone[n] as Person).clients[a.node] as Client
    switch (a.type) {
      case 'start': {
        const category = this.#categories[a.category] as Category
        const written = this.#textOf(a.text)
        const answer = await client(a.who).post(`/forum/categories/${category.id}/create`, {
          title: 'A forum',
          firstPost: content(written),
        })
        assert.equal(answer.status === 201, category.starters(a.who) && category.sees(a.who))
        if (answer.status !== 201) return answer
        this.#forums.push({ id: answer.body.forumID, category, starter: a.who })
        this.#written({ feed: 'forum', id: answer.body.posts[0].postID, forum: answer.body.forumID, author: a.who, text: '' }, written)
        return answer
      }
      case 'post': {
        const forum = this.#forums[a.forum % this.#forums.length]
        const written = this.#textOf(a.text)
        const answer = await client(a.who).post(`/forum/${forum?.id ?? this.everyone[0]?.id}/create`, content(written))
        assert.equal(answer.status === 201, forum !== undefined && forum.category.sees(a.who) && !this.#blocked(a.who, forum.starter))
        if (forum && answer.status === 201)
          this.#written({ feed: 'forum', id: answer.body.postID, forum: forum.id, author: a.who, text: '' }, written)
        return answer
      }
      case 'blog': {
        const written = this.#textOf(a.text)
        const answer = await client(a.who).post('/microblog/create', content(written))
        assert.equal(answer.status, 201)
        this.#written({ feed: 'microblog', id: answer.body.twarrtID, forum: '', author: a.who, text: '' }, written)
        return answer
      }
      case 'edit': {
        const post = this.#posts[a.post % this.#posts.length]
        const written = this.#textOf(a.text)
        const answer = await client(a.byModerator ? moderator : (post?.author ?? 0)).post(`${pathOf(post)}/update`, content(written))
        assert.equal(answer.status === 200, this.#isThereFor(a.byModerator, post))
        if (post && answer.status === 200) this.#written(post, written)
        return answer
      }
      case 'delete': {
        const post = this.#posts[a.post % this.#posts.length]
        const answer = await client(a.byModerator ? moderator : (post?.author ?? 0)).delete(pathOf(post))
        assert.equal(answer.status === 204, this.#isThereFor(a.byModerator, post))
        if (answer.status === 204) this.#gone((each) => each === post)
        return answer
      }
      case 'deleteForum': {
        const forum = this.#forums[a.forum % this.#forums.length]
        const answer = await client(moderator).delete(`/forum/${forum?.id ?? this.everyone[0]?.id}`)
        assert.equal(answer.status === 204, forum !== undefined)
        if (forum) this.#forums.splice(this.#forums.indexOf(forum), 1)
        this.#gone((each) => each.forum === forum?.id)
        return answer
      }
      case 'add':
        this.#watched[a.who]?.add(words[a.word] as string)
        return await client(a.who).post(`/user/alertwords/add/${encodeURIComponent(words[a.word] as string)}`)
      case 'remove':
        this.#watched[a.who]?.delete(words[a.word] as string)
        this.#hits = this.#hits.filter((hit) => hit.who !== a.who || hit.word !== words[a.word])
        return await client(a.who).post(`/user/alertwords/remove/${encodeURIComponent(words[a.word] as string)}`)
      case 'search':
        this.#viewed(a.who, 'forumAlertword', words[a.word])
        return await client(a.who).get(`/forum/post/search?search=${encodeURIComponent(words[a.word] as string)}`)
      case 'blogSearch':
        this.#viewed(a.who, 'microblogAlertword', words[a.word])
        return await client(a.who).get(`/microblog?search=${encodeURIComponent(words[a.word] as string)}`)
      case 'block':
      case 'unblock':
      case 'mute':
      case 'unmute':
        return await this.#relate(a, client(a.who))
      case 'mentions':
        this.#viewed(a.who, 'forumMention')
        return await client(a.who).get('/forum/mentions')
      case 'blogMentions':
        this.#viewed(a.who, 'microblogMention')
        return await client(a.who).get('/microblog?mentionSelf=true')
      case 'moderatorMentions':
        if (a.who >= moderator) this.#viewed(a.who, 'moderatorForumMention')
        return await client(a.who).get('/forum/post/search?mentionname=moderator')
      case 'teamMentions':
        if (a.who > moderator) this.#viewed(a.who, 'serviceTeamForumMention')
        return await client(a.who).get('/forum/post/search?mentionname=@ServiceTeam')
    }
  }

  async #relate({ type, who, other }: Action & { type: 'block' | 'unblock' | 'mute' | 'unmute' }, client: Client): Promise<Answer> {
    const answer = await client.post(`/users/${this.everyone[other]?.id}/${type}`)
    if (answer.status >= 400) return answer
    const relations = type === 'block' || type === 'unblock' ? this.#blocks : this.#mutes
    if (type === 'block' || type === 'mute') relations.add(`${who} ${other}`)
    else relations.delete(`${who} ${other}`)
    return answer
  }

  #textOf(pieces: Piece[]): string {
    return pieces
      .map((each) => {
        if (typeof each === 'string') return each
        const name = this.everyone[each.who]?.username ?? ''
        return each.form.replaceAll('N', name).replaceAll('n', name.toUpperCase())
      })
      .join(' ')
  }

  #written(post: Post, text: string): void {
    const before = post.text
    post.text = text
    if (!this.#posts.includes(post)) this.#posts.push(post)
    const category = this.#forums.find(({ id }) => id === post.forum)?.category
    const hears = (who: number) =>
      (category?.sees(who) ?? true) && !this.#blocked(who, post.author) && !this.#mutes.has(`${who} ${post.author}`)
    const names = this.#namesIn(text)
    const namesBefore = this.#namesIn(before)
    const named = (kind: Kind, name: string, whom: number[]) => {
      if (!names.has(name)) this.#hits = this.#hits.filter((hit) => hit.post !== post.id || hit.kind !== kind || !whom.includes(hit.who))
      else if (!namesBefore.has(name))
        for (const who of whom) if (who !== post.author && hears(who)) this.#hit({ who, kind, word: '', post: post.id, fresh: true })
    }
    for (const [who, { username }] of this.everyone.entries()) named(`${post.feed}Mention`, username.toLowerCase(), [who])
    if (post.feed === 'forum') named('moderatorForumMention', 'moderator', [4, 5])
    if (post.feed === 'forum') named('serviceTeamForumMention', 'serviceteam', [5])
    if ([...wordsOf(text)].sort().join() === [...wordsOf(before)].sort().join()) return
    const kind = `${post.feed}Alertword` as const
    for (const [who, watched] of this.#watched.entries()) {
      for (const word of words) {
        if (wordsOf(text).has(word) && watched.has(word) && hears(who))
          this.#hit({ who, kind, word, post: post.id, fresh: who !== post.author })
        else this.#hits = this.#hits.filter((hit) => hit.who !== who || hit.kind !== kind || hit.word !== word || hit.post !== post.id)
      }
    }
  }

  #namesIn(text: string): Set<string> {
    return new Set(
      text
        .split(' ')
        .flatMap((each) =>
          each.startsWith('@') ? [(each.slice(1).split('@')[0] as string).replace(/[^\p{L}\p{N}]+$/u, '').toLowerCase()] : [],
        ),
    )
  }

  #hit(hit: Hit): void {
    if (this.#hits.some((each) => each.who === hit.who && each.kind === hit.kind && each.word === hit.word && each.post === hit.post))
      return
    this.#hits.push(hit)
    if (hit.fresh) this.#frames[hit.who]?.push(`${noticeOf[hit.kind]} ${hit.post} ${hit.word}`.trim())
  }

  #gone(isGone: (post: Post) => boolean): void {
    for (const post of this.#posts.filter(isGone)) {
      this.#posts.splice(this.#posts.indexOf(post), 1)
      this.#hits = this.#hits.filter((hit) => hit.post !== post.id || hit.kind.startsWith('microblog') !== (post.feed === 'microblog'))
    }
  }

  #viewed(who: number, kind: Kind, word = ''): void {
    for (const hit of this.#hits) if (hit.who === who && hit.kind === kind && hit.word === word) hit.fresh = false
  }

  /** A forum of somebody in a block with the author of a post is hidden from them, and their post with it. */
  #isThereFor(byModerator: boolean, post: Post | undefined): boolean {
    if (post === undefined || byModerator) return post !== undefined
    const forum = this.#forums.find(({ id }) => id === post.forum)
    return forum === undefined || !this.#blocked(post.author, forum.starter)
  }

  #blocked(a: number, b: number): boolean {
    return a < moderator && b < moderator && (this.#blocks.has(`${a} ${b}`) || this.#blocks.has(`${b} ${a}`))
  }

  async check(): Promise<void> {
    await until(() => noJobIsLeft(nodes.sql), 'all jobs are done')
    const rows = await nodes.sql<{ username: string; kind: string; word: string; itemId: number; isNew: boolean }[]>`
      select username, kind, word, item_id, is_new from hit join account on account.id = account_id where account_id = any(${this.everyone.map(({ id }) => id)})`
    const said = (each: { username: string; kind: string; word: string; itemId: number; isNew: boolean }) =>
      `${each.username} ${each.kind} ${each.word} ${each.itemId} ${each.isNew}`
    assert.deepEqual(
      rows.map(said).toSorted(),
      this.#hits
        .map((hit) =>
          said({ username: this.everyone[hit.who]?.username ?? '', kind: hit.kind, word: hit.word, itemId: hit.post, isNew: hit.fresh }),
        )
        .toSorted(),
    )
    for (const [who, person] of this.everyone.entries()) {
      const expected = JSON.stringify(this.#numbers(who))
      for (const client of person.clients) {
        let last = ''
        await until(
          async () => (last = JSON.stringify(numbersIn(await client.get('/notification/user')))) === expected,
          `the numbers of ${who} are ${expected}`,
          5000,
        ).catch((error: unknown) => assert.fail(`${String(error)}, but ${last}`))
      }
      const socket = this.#sockets[who] as TestSocket
      await socket.count(this.#frames[who]?.length ?? 0)
      assert.deepEqual(socket.frames.map(saidBy).toSorted(), this.#frames[who]?.toSorted())
    }
  }

  #numbers(who: number): object {
    const of = (kind: Kind, word = '') => this.#hits.filter((hit) => hit.who === who && hit.kind === kind && hit.word === word)
    const fresh = (hits: Hit[]) => hits.filter(({ fresh: isFresh }) => isFresh).length
    return {
      mentions: [of('forumMention').length, fresh(of('forumMention')), of('microblogMention').length, fresh(of('microblogMention'))],
      words: words.toSorted().flatMap((word) => {
        const [inForums, inMicroblog] = [of('forumAlertword', word), of('microblogAlertword', word)]
        return inForums.length + inMicroblog.length > 0
          ? [[word, inForums.length, fresh(inForums), inMicroblog.length, fresh(inMicroblog)]]
          : []
      }),
      ...(who >= moderator
        ? { moderator: fresh(of('moderatorForumMention')), team: who > moderator ? fresh(of('serviceTeamForumMention')) : 0 }
        : {}),
    }
  }
}

const pathOf = (post: Post | undefined): string => `${post?.feed === 'microblog' ? '/microblog' : '/forum/post'}/${post?.id ?? 0}`

const noticeOf: Record<Kind, string> = {
  forumMention: 'forumMention',
  moderatorForumMention: 'moderatorForumMention',
  serviceTeamForumMention: 'serviceTeamForumMention',
  forumAlertword: 'alertwordPost',
  microblogMention: 'twarrtMention',
  microblogAlertword: 'alertwordTwarrt',
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .normalize('NFC')
      .toLowerCase()
      .split(' ')
      .map((each) => each.replace(/[^\p{L}\p{M}]/gu, ''))
      .filter((each) => each !== ''),
  )
}

/** The numbers of hits in an answer, in the form of `#numbers`. */
function numbersIn({ body }: Answer): object {
  return {
    mentions: [body.forumMentionCount, body.newForumMentionCount, body.twarrtMentionCount, body.newTwarrtMentionCount],
    words: body.alertWords.map((each: Record<string, unknown>) => [
      each['alertword'],
      each['forumMentionCount'],
      each['newForumMentionCount'],
      each['twarrtMentionCount'],
      each['newTwarrtMentionCount'],
    ]),
    ...(body.moderatorData
      ? { moderator: body.moderatorData.newModeratorForumMentionCount, team: body.moderatorData.newTTForumMentionCount }
      : {}),
  }
}

function saidBy({ type, contentID, info }: { type: object; contentID: string; info: string }): string {
  return `${Object.keys(type).join()} ${contentID} ${/"(.*)"/.exec(info)?.[1] ?? ''}`.trim()
}

randomTest('hits.model', `hits: random actions of ${users} users over two nodes and two workers`, 20, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 20 }), async (actions) => {
      const world = await World.create()
      // Something to act on.
      await world.run({ type: 'start', who: 0, category: 0, text: ['hello'], node: 0 })
      for (const each of actions) {
        await world.run(each)
        await world.check()
      }
    }),
    { ...parameters, endOnFailure: true },
  )
})
