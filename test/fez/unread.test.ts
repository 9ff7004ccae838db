// A user's mailbox: events of several nodes may reach it in any order and must end in the same numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { AccountRow } from '../../src/accounts/rows.ts'
import type { Channels } from '../../src/core/live/registry.ts'
import type { Node } from '../../src/core/work/ctx.ts'
import type { FezEvent } from '../../src/fez/events.ts'
import { UnreadState, type UnreadEntry } from '../../src/fez/unread.ts'
import { Inbox } from '../../src/users/inbox.ts'
import { UserSockets } from '../../src/users/sockets.ts'

const entry = (more: Partial<UnreadEntry> = {}): UnreadEntry => ({
  fezID: 'a',
  fezType: 'gaming',
  position: 1,
  startTime: null,
  muted: false,
  isFavorite: false,
  added: false,
  readPostID: 0,
  lastPostID: 0,
  seq: 1,
  heardPostID: 0,
  hidden: false,
  ...more,
})

function mailbox(...entries: UnreadEntry[]): UnreadState {
  const made = new UnreadState()
  made.replaceAll(entries)
  return made
}

const unread = (of: UnreadState) => of.counts().unread.lfg

const posted = (of: UnreadState, postID: number) => of.posted(of.get('a') as UnreadEntry, postID)

test('mailbox: counts chats, not posts, by kind; new ones apart, muted ones not at all', () => {
  const of = mailbox(
    entry({ fezID: 'a', lastPostID: 9, readPostID: 3 }),
    entry({ fezID: 'b', lastPostID: 9, muted: true }),
    entry({ fezID: 'c', lastPostID: 9, added: true }),
    entry({ fezID: 'd', added: true, muted: true }),
    entry({ fezID: 'e', fezType: 'closed', lastPostID: 4 }),
    entry({ fezID: 'f', fezType: 'open', lastPostID: 4 }),
    entry({ fezID: 'g', fezType: 'privateEvent', lastPostID: 4 }),
    entry({ fezID: 'h', lastPostID: 9, readPostID: 9 }),
  )
  assert.deepEqual(of.counts(), {
    added: { seamail: [], lfg: ['c', 'd'], privateEvent: [] },
    unread: { seamail: 2, lfg: 1, privateEvent: 1 },
  })
})

test('mailbox: what came early is accounted for once what was missing has been read', () => {
  const of = mailbox(entry({ seq: 1 }))
  assert.ok(of.hear('a', 4, 40))
  assert.ok(of.hear('a', 5, 50))
  of.replaceAll([entry({ seq: 3, heardPostID: 30 })])
  assert.deepEqual([of.get('a')?.seq, of.get('a')?.heardPostID], [5, 50])
  assert.equal(of.hear('a', 4, 40), undefined)
  assert.ok(of.hear('a', 6, 60))
})

test('mailbox: posts and readings in any order, once or twice, end in the same state', () => {
  const events = fc.uniqueArray(fc.record({ type: fc.constantFrom('posted', 'read'), id: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 12,
    selector: ({ type, id }) => `${type}${id}`,
  })
  fc.assert(
    fc.property(
      events.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }))),
      ([list, shuffled]) => {
        const end = (order: typeof list) => {
          const of = mailbox(entry())
          for (const { type, id } of order)
            if (type === 'posted') posted(of, id)
            else of.read('a', id, 1)
          return of.get('a')
        }
        assert.deepEqual(end(shuffled), end(list))
      },
    ),
  )
})

test('mailbox: a post deleted before it was heard of is not unread; one that was, makes Postgres be asked', () => {
  const of = mailbox(entry({ readPostID: 2, lastPostID: 5 }))
  assert.equal(of.postDeleted('a', 4), false)
  assert.equal(of.postDeleted('a', 5), true)
  of.read('a', 5, 1)
  assert.equal(of.postDeleted('a', 7), false)
  posted(of, 7)
  assert.equal(unread(of), 0)
  posted(of, 8)
  assert.equal(unread(of), 1)
  // Also when everything was read anew in between.
  of.postDeleted('a', 9)
  of.replaceAll([entry({ readPostID: 8 })])
  posted(of, 9)
  assert.equal(unread(of), 0)
  assert.equal(of.postDeleted('nowhere', 1), false)
})

test('mailbox: what was read before leaving does not count after coming back', () => {
  const of = mailbox(entry({ position: 7, lastPostID: 5, added: true }))
  of.read('a', 5, 3)
  assert.deepEqual(of.counts().added.lfg, ['a'])
  of.read('a', 5, 7)
  assert.deepEqual([of.counts().added.lfg, unread(of)], [[], 0])
})

test('mailbox: the next appointment is the earliest after a time', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  const of = mailbox(
    entry({ fezID: 'c', startTime: at(3) }),
    entry({ fezID: 'b', startTime: at(1) }),
    entry({ fezID: 'd' }),
    entry({ fezID: 'a', startTime: at(3) }),
  )
  assert.equal(of.nextAppointment(at(0))?.fezID, 'b')
  assert.deepEqual(of.nextAppointment(at(1)), { fezID: 'a', startTime: at(3) })
  assert.equal(of.nextAppointment(at(3)), undefined)
})

test('every event of a chat is heard once, in whatever order it comes; what is missing is known', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(Array.from({ length: 20 }, (_, index) => index + 2)), fc.nat(20), (heard, more) => {
      // Whatever was heard had been committed, so a later reading has it.
      const upTo = Math.max(more, ...heard.map((seq) => seq - 1))
      const box = mailbox(entry())
      // Event n brings post 10 n.
      for (const seq of heard) assert.ok(box.hear('a', seq, 10 * seq))
      for (const seq of heard) assert.equal(box.hear('a', seq, 10 * seq), undefined)
      const fresh = entry({ seq: upTo + 1, heardPostID: 10 * (upTo + 1), lastPostID: upTo === 0 ? 0 : 10 * (upTo + 1) })
      const [missed] = box.missedIn([fresh])
      const told = new Set(heard)
      const told10 = (seq: number) =>
        missed !== undefined && 10 * seq > missed.afterPostID && 10 * seq <= missed.upToPostID && !missed.heardPostIDs.includes(10 * seq)
      for (let seq = 2; seq <= upTo + 1; seq++) assert.equal(told10(seq), !told.has(seq), `post of event ${seq}`)
      box.replaceAll([fresh])
      for (let seq = 2; seq <= 21; seq++)
        assert.equal(box.hear('a', seq, 10 * seq) !== undefined, seq > upTo + 1 && !told.has(seq), `event ${seq} afterwards`)
    }),
  )
})

test('of muted and hidden chats, and of those that the user has come to meanwhile, nothing was missed', () => {
  const box = mailbox(entry({ heardPostID: 10 }))
  const missed = (more: Partial<UnreadEntry>) => box.missedIn([entry({ seq: 3, heardPostID: 30, lastPostID: 30, ...more })]).length
  assert.equal(missed({}), 1)
  assert.equal(missed({ muted: true }), 0)
  assert.equal(missed({ hidden: true }), 0)
  assert.equal(missed({ fezID: 'b' }), 0)
  assert.equal(missed({ position: 2 }), 0)
  assert.equal(missed({ readPostID: 30 }), 0)
  assert.equal(missed({ heardPostID: 10, lastPostID: 10 }), 0)
})

test('a notification socket gets each post once, whatever is read from Postgres before its event comes', () => {
  const frames: string[] = []
  const sockets = new UserSockets()
  const socket = { sendAll: (all: readonly Uint8Array[]) => frames.push(...all.map((frame) => Buffer.from(frame).toString())) }
  sockets.notification = [socket as unknown as (typeof sockets.notification)[number]]
  const owner = { id: 'me', sockets, closed: false, mutes: new Set(), blockedPersons: new Set() }
  const channels = { watch: () => undefined, unwatch: () => undefined }
  const inbox = new Inbox(owner as unknown as ConstructorParameters<typeof Inbox>[0], channels as unknown as Channels<Node>)
  const author = { id: 'ann', personId: 'ann', username: 'ann', level: 'verified' } as AccountRow
  const posted = (seq: number) =>
    ({
      type: 'posted',
      seq,
      posts: [{ post: { id: 10 * seq, fezId: 'a', authorId: 'ann', realAuthorId: 'ann', text: `post ${seq}` }, author }],
      updatedAt: new Date(0),
      chat: { fezType: 'gaming', title: 'Chess' },
    }) as unknown as FezEvent
  const read = (seq: number, readPostID: number, notices: readonly number[] = []) => {
    const fresh = [entry({ seq, heardPostID: 10 * seq, lastPostID: 10 * seq, readPostID })]
    inbox.install({ unread: fresh, shared: new Map(), notices: [] })
    inbox.notifyMissed(
      notices.map((of) => ({
        postID: 10 * of,
        fezID: 'a',
        fezType: 'gaming',
        title: 'Chess',
        authorUsername: 'ann',
        text: `post ${of}`,
      })),
    )
  }
  const got = () => frames.map((frame) => /post \d+/.exec(frame)?.[0])
  read(1, 0)
  inbox.apply('a', posted(2))
  // Read on another device, and on this node known from Postgres, before their events.
  read(4, 40)
  inbox.apply('a', posted(4))
  read(5, 50)
  inbox.apply('a', posted(3))
  inbox.apply('a', posted(5))
  assert.deepEqual(got(), ['post 2', 'post 4', 'post 3', 'post 5'])
  // Not read, so that the missed one is notified at once, and held back while it was being read.
  inbox.hold('a', posted(6))
  read(7, 0, [7])
  inbox.apply('a', posted(6))
  inbox.apply('a', posted(7))
  inbox.apply('a', posted(8))
  assert.deepEqual(got().slice(4), ['post 6', 'post 7', 'post 8'])
  // One's own are none.
  read(9, 90)
  const own = posted(9)
  if (own.type === 'posted') Object.assign(own.posts[0]?.post ?? {}, { realAuthorId: 'me' })
  inbox.apply('a', own)
  assert.equal(frames.length, 7)
})
