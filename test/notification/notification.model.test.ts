// Random actions of several users over two nodes: after each step everybody's UserNotificationData, on
// both nodes, is what a naive model works out from the rows. A failed run prints its seed: see
// support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import { builtIn } from '../../src/accounts/rows.ts'
import { chatGroup, type FezType } from '../../src/fez/types.ts'
import { published, startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { empty } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { createChat, createSeamail, lfg, people, type Person } from '../support/fez.ts'
import { randomTest } from '../support/random-runs.ts'

const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())

// Times are so far apart that it does not matter in which second a node looks at its clock.
const sliceMs = 600_000
const leapMs = 433_000

// Users 0 to 4 are ordinary; then a moderator and one of the service team.
const users = 5
const moderator = users
const team = users + 1
const chats = ['lfg', 'lfg', 'seamail', 'open', 'privateEvent', 'inbox'] as const

type Action =
  | { type: 'post' | 'read' | 'peek' | 'mute' | 'unmute' | 'join' | 'unjoin' | 'deletePost'; who: number; chat: number; node: number }
  | { type: 'add' | 'remove'; other: number; chat: number; node: number }
  | { type: 'block' | 'unblock' | 'muteUser' | 'unmuteUser' | 'report'; who: number; other: number; node: number }
  | { type: 'move'; chat: number; slices: number; node: number }
  | { type: 'cancel' | 'deleteChat'; chat: number; node: number }
  | { type: 'announce'; slices: number; node: number }
  | { type: 'editAnnouncement'; back: number; slices: number; node: number }
  | { type: 'deleteAnnouncement'; back: number; node: number }
  | { type: 'readAnnouncements'; who: number; node: number }

const node = fc.integer({ min: 0, max: 1 })
const anybody = fc.integer({ min: 0, max: team })
const ordinary = fc.integer({ min: 0, max: users - 1 })
const chat = fc.integer({ min: 0, max: chats.length - 1 })
const slices = fc.integer({ min: 1, max: 3 })
const back = fc.integer({ min: 0, max: 2 })
const one = <const T extends string>(...types: T[]) => fc.constantFrom<T[]>(...types)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: one('post'), who: anybody, chat, node }) },
  { weight: 8, arbitrary: fc.record({ type: one('read', 'peek', 'mute', 'unmute', 'deletePost'), who: anybody, chat, node }) },
  { weight: 5, arbitrary: fc.record({ type: one('join', 'unjoin'), who: ordinary, chat: fc.integer({ min: 0, max: 4 }), node }) },
  { weight: 4, arbitrary: fc.record({ type: one('add', 'remove'), other: anybody, chat, node }) },
  { weight: 5, arbitrary: fc.record({ type: one('block', 'unblock', 'muteUser', 'unmuteUser'), who: anybody, other: anybody, node }) },
  { weight: 3, arbitrary: fc.record({ type: one('move'), chat, slices: fc.integer({ min: 0, max: 3 }), node }) },
  { weight: 1, arbitrary: fc.record({ type: one('cancel', 'deleteChat'), chat, node }) },
  { weight: 3, arbitrary: fc.record({ type: one('announce'), slices, node }) },
  { weight: 2, arbitrary: fc.record({ type: one('editAnnouncement'), back, slices, node }) },
  { weight: 2, arbitrary: fc.record({ type: one('deleteAnnouncement'), back, node }) },
  { weight: 4, arbitrary: fc.record({ type: one('readAnnouncements'), who: anybody, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('report'), who: anybody, other: anybody, node }) },
)
const step = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  leaps: fc.integer({ min: 0, max: 5 }).map((n) => Math.max(0, n - 4)),
})

interface Rows {
  fezzes: { id: string; ownerId: string; fezType: FezType; startTime: Date | null; cancelled: boolean }[]
  members: { fezId: string; accountId: string; readPostId: number; isMuted: boolean; added: boolean }[]
  /** One who has only muted or marked the chat has read nothing. */
  inboxReaders: { accountId: string; inboxId: string; fezId: string; readPostId: number | null }[]
  posts: { id: number; fezId: string; authorId: string }[]
  blocks: { personId: string; blockedId: string }[]
  mutes: { accountId: string; mutedId: string }[]
  announcements: { id: number; displayUntil: Date }[]
  accounts: { id: string; readAnnouncementId: number }[]
  openReports: number
}

async function rowsNow(): Promise<Rows> {
  const { sql } = nodes
  const [fezzes, members, inboxReaders, posts, blocks, mutes, announcements, accounts, reports] = await Promise.all([
    sql<Rows['fezzes']>`select id, owner_id, fez_type, start_time, cancelled from fez where deleted_at is null`,
    sql<Rows['members']>`select fez_id, account_id, read_post_id, is_muted, added from fez_member where left_at is null`,
    sql<Rows['inboxReaders']>`select account_id, inbox_id, fez_id, read_post_id from fez_inbox_reader`,
    sql<Rows['posts']>`select id, fez_id, author_id from fez_post where deleted_at is null`,
    sql<Rows['blocks']>`select person_id, blocked_id from block`,
    sql<Rows['mutes']>`select account_id, muted_id from mute`,
    sql<Rows['announcements']>`select id, display_until from announcement where deleted_at is null order by id desc`,
    sql<Rows['accounts']>`select id, read_announcement_id from account`,
    sql`select from report where not is_closed and handled_by is null`,
  ])
  return {
    fezzes: [...fezzes],
    members: [...members],
    inboxReaders: [...inboxReaders],
    posts: [...posts],
    blocks: [...blocks],
    mutes: [...mutes],
    announcements: [...announcements],
    accounts: [...accounts],
    openReports: reports.length,
  }
}

class World {
  readonly everyone: Person[]
  readonly chatIds: string[]
  readonly #ownerOf: number[]
  /** Above ordinary: blocks do not count between them and anybody. */
  readonly #exempt: Set<string>

  private constructor(everyone: Person[], chatIds: string[], ownerOf: number[]) {
    this.everyone = everyone
    this.chatIds = chatIds
    this.#ownerOf = ownerOf
    this.#exempt = new Set([...everyone.slice(users).map(({ id }) => id), builtIn.moderator, builtIn.ServiceTeam])
  }

  static async create(): Promise<World> {
    await empty(nodes.sql, 'announcement', 'report')
    await nodes.apps[0]?.node.channels.publishConfirmed('announcements', 'all', { type: 'changed' })
    await nodes.apps[0]?.node.channels.publishConfirmed('reports', 'all', { type: 'changed' })
    const everyone = await people(nodes, ...Array.from({ length: users }, () => ({})), { level: 'moderator' }, { level: 'serviceteam' })
    const [a, b, c, d] = everyone as [Person, Person, Person, Person]
    const chatIds = [
      await createChat(a.one, { maxCapacity: 2, startTime: new Date(clock.now() + 2 * sliceMs), initialUsers: [b.id] }),
      await createChat(b.two),
      await createSeamail(a.two, [b, c, d]),
      await createChat(c.one, { fezType: 'open', info: '', initialUsers: [a.id, d.id] }),
      await createChat(d.two, { fezType: 'privateEvent', startTime: new Date(clock.now() + sliceMs), initialUsers: [a.id, c.id] }),
      await createChat(b.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator, builtIn.ServiceTeam, a.id] }),
    ]
    return new World(everyone, chatIds, [0, 1, 0, 2, 3, 1])
  }

  async run(a: Action): Promise<void> {
    const { status, body } = await this.#call(a)
    assert.ok([200, 201, 204, 400, 403, 409].includes(status), `${JSON.stringify(a)}: ${status} ${JSON.stringify(body)}`)
  }

  #client(index: number, node: number): Client {
    return (this.everyone[index] as Person).clients[node] as Client
  }

  async #call(a: Action): Promise<Answer> {
    const path = 'chat' in a ? `/fez/${this.chatIds[a.chat]}` : ''
    const owner = () => this.#client(this.#ownerOf['chat' in a ? a.chat : 0] as number, a.node)
    const client = () => this.#client('who' in a ? a.who : team, a.node)
    const other = 'other' in a ? (this.everyone[a.other] as Person).id : ''
    const displayUntil = 'slices' in a ? new Date(clock.now() + a.slices * sliceMs) : undefined
    switch (a.type) {
      case 'post':
        return await client().post(`${path}/post`, { text: 'x', images: [] })
      case 'read':
        return await client().get(path)
      case 'peek':
        return await client().get(`${path}?start=0&limit=1`)
      case 'mute':
        return await client().post(`${path}/mute`)
      case 'unmute':
        return await client().delete(`${path}/mute`)
      case 'join':
      case 'unjoin':
        return await client().post(`${path}/${a.type}`)
      case 'deletePost':
        return await client().delete(`/fez/post/${await this.#newestPost(a.who, a.chat)}`)
      case 'add':
      case 'remove':
        return await owner().post(`${path}/user/${other}/${a.type}`)
      case 'block':
      case 'unblock':
        return await client().post(`/users/${other}/${a.type}`)
      case 'muteUser':
        return await client().post(`/users/${other}/mute`)
      case 'unmuteUser':
        return await client().post(`/users/${other}/unmute`)
      case 'report':
        return await client().post(`/users/${other}/report`, { message: 'x' })
      case 'move':
        return await owner().post(`${path}/update`, this.#content(a.chat, a.slices))
      case 'cancel':
        return await owner().post(`${path}/cancel`)
      case 'deleteChat':
        return await this.#client(moderator, a.node).delete(path)
      case 'announce':
        return await client().post('/notification/announcement/create', { text: 'x', displayUntil })
      case 'editAnnouncement':
        return await client().post(`/notification/announcement/${await this.#announcement(a.back)}/edit`, { text: 'y', displayUntil })
      case 'deleteAnnouncement':
        return await client().delete(`/notification/announcement/${await this.#announcement(a.back)}`)
      case 'readAnnouncements':
        return await client().get('/notification/announcements')
    }
  }

  #content(chat: number, slices: number): object {
    const fezType = { lfg: 'gaming', seamail: 'closed', open: 'open', privateEvent: 'privateEvent', inbox: 'closed' }[
      chats[chat] as (typeof chats)[number]
    ]
    const seamail = fezType === 'closed' || fezType === 'open'
    return lfg({ fezType, ...(seamail ? { info: '' } : slices === 0 ? {} : { startTime: new Date(clock.now() + slices * sliceMs) }) })
  }

  async #newestPost(who: number, chat: number): Promise<number> {
    const [post] = await nodes.sql<{ id: number }[]>`
      select id from fez_post where fez_id = ${this.chatIds[chat] as string} and author_id = ${(this.everyone[who] as Person).id} and deleted_at is null order by id desc limit 1`
    return post?.id ?? 0
  }

  async #announcement(back: number): Promise<number> {
    const [row] = await nodes.sql<{ id: number }[]>`select id from announcement order by id desc limit 1 offset ${back}`
    return row?.id ?? 0
  }

  async check(): Promise<void> {
    await published(nodes)
    const rows = await rowsNow()
    await Promise.all(
      [undefined, ...this.everyone].map(async (viewer) => {
        const clients = viewer?.clients ?? nodes.urls.map((_, index) => nodes.client(undefined, index))
        const answers = await Promise.all(clients.map((client) => client.get('/notification/user')))
        const expected = this.expected(rows, viewer)
        for (const [
          index,
          {
            status,
            body: { serverTime: _time, serverTimeOffset: _offset, serverTimeZone: _zone, serverTimeZoneID: _id, ...data },
          },
        ] of answers.entries()) {
          assert.equal(status, 200)
          assert.deepEqual(data, expected, `${viewer?.username ?? 'nobody'} on node ${index}`)
        }
        assert.equal(answers[0]?.headers['etag'], answers[1]?.headers['etag'])
      }),
    )
  }

  expected(rows: Rows, viewer: Person | undefined): object {
    const active = rows.announcements.filter(({ displayUntil }) => displayUntil.getTime() > clock.now()).map(({ id }) => id)
    const read = rows.accounts.find(({ id }) => id === viewer?.id)?.readAnnouncementId ?? 0
    const counts = this.#counts(rows, viewer?.id)
    const next = this.#chatsOf(rows, viewer?.id)
      .flatMap(({ fez }) =>
        fez.startTime && !fez.cancelled && fez.fezType !== 'closed' && fez.fezType !== 'open' && fez.startTime.getTime() > clock.now()
          ? [{ id: fez.id, at: fez.startTime.toISOString() }]
          : [],
      )
      .toSorted((x, y) => (x.at + x.id < y.at + y.id ? -1 : 1))[0]
    const shared = (id: string) => this.#newsIn(rows, id, viewer?.id ?? '')
    const index = this.everyone.findIndex(({ id }) => id === viewer?.id)
    return {
      disabledFeatures: [],
      activeAnnouncementIDs: active,
      newAnnouncementCount: viewer ? active.filter((id) => id > read).length : 0,
      twarrtMentionCount: 0,
      newTwarrtMentionCount: 0,
      forumMentionCount: 0,
      newForumMentionCount: 0,
      microKaraokeFinishedSongCount: 0,
      alertWords: [],
      addedToSeamailCount: counts.added.seamail.length,
      addedToLFGCount: counts.added.lfg.length,
      addedToPrivateEventCount: counts.added.privateEvent.length,
      addedToSeamailIDs: counts.added.seamail.toSorted(),
      addedToLFGIDs: counts.added.lfg.toSorted(),
      addedToPrivateEventIDs: counts.added.privateEvent.toSorted(),
      newSeamailMessageCount: counts.unread.seamail,
      newFezMessageCount: counts.unread.lfg,
      newPrivateEventMessageCount: counts.unread.privateEvent,
      ...(next ? { nextJoinedLFGID: next.id, nextJoinedLFGTime: next.at } : {}),
      ...(index >= moderator
        ? {
            moderatorData: {
              openReportCount: rows.openReports,
              newModeratorForumMentionCount: 0,
              newTTForumMentionCount: 0,
              newModeratorSeamailMessageCount: shared(builtIn.moderator),
              newTTSeamailMessageCount: index === team ? shared(builtIn.ServiceTeam) : 0,
            },
          }
        : {}),
    }
  }

  #chatsOf(rows: Rows, accountId: string | undefined) {
    return rows.members
      .filter((member) => member.accountId === accountId)
      .flatMap((member) => {
        const fez = rows.fezzes.find(({ id }) => id === member.fezId)
        // A chat that its member cannot open counts nowhere.
        return fez && !this.#inBlock(rows, member.accountId, fez.ownerId) ? [{ member, fez }] : []
      })
  }

  /** Chats of a shared account in which one reader has something new. */
  #newsIn(rows: Rows, inboxId: string, readerId: string): number {
    return this.#chatsOf(rows, inboxId).filter(({ member, fez }) => {
      const reader = rows.inboxReaders.find((each) => each.accountId === readerId && each.inboxId === inboxId && each.fezId === fez.id)
      const read = reader?.readPostId ?? undefined
      const unread = rows.posts.some(
        ({ id, fezId, authorId }) => fezId === fez.id && id > (read ?? 0) && !this.#hides(rows, readerId, authorId),
      )
      return unread || (member.added && read === undefined)
    }).length
  }

  #counts(rows: Rows, accountId: string | undefined) {
    const added: Record<ReturnType<typeof chatGroup>, string[]> = { seamail: [], lfg: [], privateEvent: [] }
    const counts = { added, unread: { seamail: 0, lfg: 0, privateEvent: 0 } }
    for (const { member, fez } of this.#chatsOf(rows, accountId)) {
      const unread = rows.posts.some(
        ({ id, fezId, authorId }) => fezId === fez.id && id > member.readPostId && !this.#hides(rows, member.accountId, authorId),
      )
      if (member.added) counts.added[chatGroup(fez.fezType)].push(fez.id)
      else if (unread && !member.isMuted) counts.unread[chatGroup(fez.fezType)]++
    }
    return counts
  }

  #hides(rows: Rows, viewer: string, author: string): boolean {
    if (rows.mutes.some(({ accountId, mutedId }) => accountId === viewer && mutedId === author)) return true
    return this.#inBlock(rows, viewer, author)
  }

  #inBlock(rows: Rows, viewer: string, author: string): boolean {
    if (this.#exempt.has(viewer) || this.#exempt.has(author)) return false
    return rows.blocks.some(
      ({ personId, blockedId }) => (personId === viewer && blockedId === author) || (personId === author && blockedId === viewer),
    )
  }
}

randomTest('notification.model', `UserNotificationData: random actions of ${team + 1} users, partly at once`, 12, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
      const world = await World.create()
      await world.check()
      for (const { actions, leaps } of steps) {
        await Promise.all(actions.map((each) => world.run(each)))
        await world.check()
        if (leaps === 0) continue
        clock.leap(leapMs)
        await world.check()
      }
    }),
    { ...parameters, endOnFailure: true },
  )
})
