// Holds what the users remember against the rows, and both against what every server says. Knows
// nothing of how the product does it: all numbers are counted anew from rows, in plain loops.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PostKind, SentPost } from './logbook.ts'
import type { Line, Resident, Room } from './resident.ts'
import { groupBy, readRows, type HitRow, type PostRow, type Rows } from './rows.ts'
import { inTurns, type Town } from './town.ts'

const mentionKinds: Partial<Record<PostKind, string>> = { forum: 'forumMention', blog: 'microblogMention' }
const wordKinds: Partial<Record<PostKind, string>> = { forum: 'forumAlertword', blog: 'microblogAlertword' }
const mentionNotices: Partial<Record<PostKind, string>> = { forum: 'forumMention', blog: 'twarrtMention' }
const wordNotices: Partial<Record<PostKind, string>> = { forum: 'alertwordPost', blog: 'alertwordTwarrt' }

/** Checks again and again as time goes on; sockets each time only for what is new. */
export class Checker {
  readonly #town: Town
  readonly #faults: string[] = []
  readonly #known = new Set<string>()
  /** Posts up to these have been checked against sockets, by chat. */
  readonly #checkedUpTo = new Map<string, number>()
  /** Who was in a chat with a waiting list at the last check. */
  #present = new Map<string, Set<string>>()
  readonly #lines = new Set<Line>()
  /** How long answers may take to agree with the rows. */
  patienceMs = 10_000
  /** Unanswered requests that were carried out all the same. */
  lateDeeds = 0

  constructor(town: Town) {
    this.#town = town
  }

  /** Everything that is wrong and was not known before. Nobody may be at work. */
  async check(): Promise<string[]> {
    const rows = await readRows(this.#town.ship.sql)
    const nowMs = performance.now()
    this.#faults.push(...this.#town.log.complaints.splice(0))
    const posts = this.#checkPosts(rows)
    this.#checkMemberships(rows)
    this.#checkRelations(rows)
    await this.#checkHits(rows, posts, nowMs)
    await this.#checkSockets(rows, posts, nowMs)
    this.#checkReminders(rows)
    this.#checkPictures(rows)
    await this.#checkAnswers(rows)
    if (rows.jobs > 0) this.#fault(`${rows.jobs} jobs are left in the outbox`)
    const news = this.#faults.splice(0).filter((each) => !this.#known.has(each))
    for (const each of news) this.#known.add(each)
    return news
  }

  #fault(sentence: string): void {
    this.#faults.push(sentence)
  }

  /** Every post that was answered is there once, no refused one is, and nothing that nobody sent. */
  #checkPosts(rows: Rows): Map<PostRow, SentPost> {
    const { posts: sent } = this.#town.log
    const found = new Map<PostRow, SentPost>()
    const rowOf = new Map<SentPost, PostRow>()
    for (const row of rows.posts) {
      const memory = sent.get(row.text)
      // The first posts of forums.
      if (!memory && row.authorId === this.#town.host.account.id) continue
      if (!memory) this.#fault(`nobody sent ${row.kind} post ${row.id} "${row.text}"`)
      else if (rowOf.has(memory)) this.#fault(`"${row.text}" is there twice`)
      else if (memory.outcome === 'refused') this.#fault(`"${row.text}" was refused and is there`)
      else if (memory.kind !== row.kind || memory.place !== row.place || memory.authorId !== row.authorId)
        this.#fault(`"${row.text}" is in another place or by another author`)
      if (!memory) continue
      found.set(row, memory)
      rowOf.set(memory, row)
      if (row.images.length !== Number(memory.pictured)) this.#fault(`"${row.text}" has ${row.images.length} pictures`)
    }
    this.lateDeeds = [...rowOf.keys()].filter(({ outcome }) => outcome === 'unknown').length
    for (const memory of sent.values()) {
      const row = rowOf.get(memory)
      if (memory.outcome === 'open') this.#fault(`"${memory.text}" has not ended`)
      if (memory.outcome === 'done' && row?.id !== memory.id)
        this.#fault(`"${memory.text}" was answered as post ${memory.id} and is ${row ? `post ${row.id}` : 'not there'}`)
      if (memory.outcome === 'done' && row && row.images.join() !== memory.images?.join())
        this.#fault(`"${memory.text}" was answered with picture ${memory.images?.join()} and has ${row.images.join()}`)
    }
    for (const [place, list] of groupBy(
      rows.posts.filter(({ kind }) => kind !== 'blog'),
      (row) => row.place,
    )) {
      const counted = rows.counts.get(place)
      if (counted?.postCount !== list.length || counted.lastPostId !== list.at(-1)?.id)
        this.#fault(
          `${place} counts ${counted?.postCount} posts up to ${counted?.lastPostId}, and has ${list.length} up to ${list.at(-1)?.id}`,
        )
    }
    return found
  }

  /** Who was told that he is in a group is, in the order of joining; read positions and mutes of chats are what they were told. */
  #checkMemberships(rows: Rows): void {
    const byFez = groupBy(rows.members, ({ fezId }) => fezId)
    for (const [fezId, members] of byFez) {
      const counted = rows.counts.get(fezId)
      if (counted?.memberCount !== members.length) this.#fault(`${fezId} counts ${counted?.memberCount} members and has ${members.length}`)
      if (new Set(members.map(({ position }) => position)).size !== members.length)
        this.#fault(`two members of ${fezId} have the same place`)
    }
    for (const group of this.#town.around.groups) {
      const members = byFez.get(group) ?? []
      const present = new Set(members.map(({ accountId }) => accountId))
      for (const { account, memberships } of this.#town.residents) {
        const known = memberships.get(group)?.now()
        if (known !== undefined && known !== present.has(account.id))
          this.#fault(`${account.username} was told to be ${known ? 'in' : 'out of'} group ${group}`)
      }
      const joins = new Map(
        this.#town.residents.flatMap(({ account, joins }) => (joins.has(group) ? [[account.id, joins.get(group)]] : [])),
      )
      let latest = { beganMs: -Infinity, of: '' }
      for (const { accountId } of members) {
        const join = joins.get(accountId)
        if (!join) continue
        if (join.endedMs < latest.beganMs) this.#fault(`in group ${group}, ${accountId} stands behind ${latest.of}, who came later`)
        if (join.beganMs > latest.beganMs) latest = { beganMs: join.beganMs, of: accountId }
      }
    }
    for (const resident of this.#town.residents) {
      for (const room of resident.rooms) {
        const row = byFez.get(room.id)?.find(({ accountId }) => accountId === resident.account.id)
        if (!row) this.#fault(`${resident.account.username} is not in room ${room.id}`)
        else if (row.readPostId < room.readUpTo || (resident.character === 'lurker' && row.readPostId !== room.readUpTo))
          this.#fault(`${resident.account.username} has read up to ${room.readUpTo}, and ${row.readPostId} stands there`)
        const muted = room.muted.now()
        if (row && muted !== undefined && muted !== row.isMuted)
          this.#fault(`${resident.account.username} was told that room ${room.id} is ${muted ? '' : 'not '}muted`)
      }
    }
    // What nobody could be sure of is known from now on.
    for (const { account, memberships, rooms } of this.#town.residents) {
      for (const [group, membership] of memberships)
        membership.settle(byFez.get(group)?.some(({ accountId }) => accountId === account.id) ?? false)
      for (const room of rooms) room.muted.settle(byFez.get(room.id)?.find(({ accountId }) => accountId === account.id)?.isMuted ?? false)
    }
  }

  #checkRelations(rows: Rows): void {
    for (const { kind, who, whom, state } of this.#town.log.relations()) {
      const isThere = (kind === 'mute' ? rows.mutes : rows.blocks).has(`${who} ${whom}`)
      const known = state.now()
      if (known !== undefined && known !== isThere) this.#fault(`${who} was told that the ${kind} of ${whom} is ${known ? 'on' : 'off'}`)
      state.settle(isThere)
    }
  }

  /** Whoever is named, or listens for a word, and hides nobody, has a row; nobody else has. */
  async #checkHits(rows: Rows, posts: ReadonlyMap<PostRow, SentPost>, nowMs: number): Promise<void> {
    const keyOf = ({ accountId, kind, word, itemId }: Omit<HitRow, 'isNew'>) => `${accountId} ${kind} ${word} ${itemId}`
    const open = new Map(rows.hits.map((row) => [keyOf(row), row]))
    const expected = (accountId: string, kind: string, word: string, post: PostRow, isOwn: boolean, certainty: string) => {
      const key = keyOf({ accountId, kind, word, itemId: post.id })
      const row = open.get(key)
      open.delete(key)
      if (!row && certainty === 'no') this.#fault(`"${post.text}" has not hit ${accountId} (${kind} ${word})`)
      if (row && certainty === 'yes') this.#fault(`"${post.text}" has hit ${accountId}, who does not see its author`)
      if (row?.isNew && isOwn) this.#fault(`"${post.text}" is new to its author`)
    }
    const everybody = [...this.#town.residents, ...this.#town.watchers]
    for (const [post, sent] of posts) {
      await breath()
      const [mention, word] = [mentionKinds[post.kind], wordKinds[post.kind]]
      if (!mention || !word) continue
      for (const accountId of sent.mentioned)
        if (accountId !== post.authorId) expected(accountId, mention, '', post, false, this.#hides(accountId, sent, nowMs))
      for (const each of everybody) {
        for (const watched of each.words)
          if (sent.words.includes(watched))
            expected(each.account.id, word, watched, post, each.account.id === post.authorId, this.#hides(each.account.id, sent, nowMs))
      }
    }
    for (const key of open.keys()) this.#fault(`nothing accounts for the hit ${key}`)
  }

  /** Whether a reader hides the author of a post, from the post to now. */
  #hides(readerId: string, { authorId, beganMs }: SentPost, nowMs: number): 'yes' | 'no' | 'maybe' {
    return this.#town.log.hides(readerId, authorId, beganMs, nowMs)
  }

  /** Everybody got everything he was owed, once and in order. */
  async #checkSockets(rows: Rows, posts: ReadonlyMap<PostRow, SentPost>, nowMs: number): Promise<void> {
    const chats = groupBy(
      rows.posts.filter(({ kind }) => kind === 'chat'),
      ({ place }) => place,
    )
    const fresh = (place: string) => (chats.get(place) ?? []).filter(({ id }) => id > (this.#checkedUpTo.get(place) ?? 0))
    for (const each of this.#town.everybody) {
      for (const line of each.lines) {
        await breath()
        if (line.kind === 'chat') this.#checkLine(each, line, chats.get(line.place) ?? [], posts, nowMs)
      }
      for (const room of each.rooms) if (each.listensTo.includes(room.id)) this.#checkSeen(each, room, fresh(room.id), posts, nowMs)
      this.#checkNotices(each, rows, posts, fresh, nowMs)
    }
    this.#checkChanges(rows)
    for (const [place, list] of chats) this.#checkedUpTo.set(place, list.at(-1)?.id ?? 0)
    for (const each of this.#town.everybody) {
      for (const room of each.rooms) room.seen.clear()
      each.lines.splice(0, each.lines.length, ...each.lines.filter(({ socket }) => socket.open))
      for (const line of each.lines) {
        line.posts = []
        line.changes = []
        this.#lines.add(line)
      }
    }
  }

  /** One socket of a chat: without a gap from where it was to begin, nothing twice, nothing out of order, nothing that is hidden. */
  #checkLine(who: Resident, line: Line, list: readonly PostRow[], posts: ReadonlyMap<PostRow, SentPost>, nowMs: number): void {
    const name = `the chat socket of ${who.account.username} at server ${line.server}, ${line.socket.open ? 'open' : 'closed'},`
    const byId = new Map(list.map((row) => [row.id, row]))
    let last = 0
    for (const { id, text } of line.posts) {
      const row = byId.get(id)
      const sent = row && posts.get(row)
      if (row?.text !== text) this.#fault(`${name} got "${text}" as post ${id}`)
      if (id <= last) this.#fault(`${name} got post ${id} after post ${last}`)
      if (sent && this.#hides(who.account.id, sent, nowMs) === 'yes') this.#fault(`${name} got "${text}", whose author is hidden`)
      last = id
    }
    if (!who.rooms.some(({ id }) => id === line.place)) return
    // Sockets that were open at the last check have had everything up to then; those that went on somewhere, everything up to there.
    const begin = this.#lines.has(line) ? (this.#checkedUpTo.get(line.place) ?? 0) : line.after
    const got = new Set(line.posts.map(({ id }) => id))
    const first = line.posts[0]?.id ?? Infinity
    for (const row of list) {
      const sent = posts.get(row)
      if (got.has(row.id) || !sent || this.#hides(who.account.id, sent, nowMs) !== 'no') continue
      const isDue = begin !== undefined ? row.id > begin : row.id > first || sent.beganMs > line.openedMs
      if (isDue && (line.socket.open || row.id < last)) this.#fault(`${name} has missed "${row.text}"`)
    }
  }

  /** By sockets and by reading together, everybody has got every post. */
  #checkSeen(who: Resident, room: Room, list: readonly PostRow[], posts: ReadonlyMap<PostRow, SentPost>, nowMs: number): void {
    for (const row of list) {
      const sent = posts.get(row)
      if (sent && !room.seen.has(row.id) && this.#hides(who.account.id, sent, nowMs) === 'no')
        this.#fault(`${who.account.username} has never got "${row.text}"`)
    }
  }

  /** Notices that were owed to sockets which stayed open; that none came twice has been seen to already. */
  #checkNotices(
    who: Resident,
    rows: Rows,
    posts: ReadonlyMap<PostRow, SentPost>,
    fresh: (place: string) => readonly PostRow[],
    nowMs: number,
  ): void {
    const lines = who.lines.filter(({ kind, socket }) => kind === 'notes' && socket.open)
    const due = (row: PostRow, key: string) => {
      const sent = posts.get(row)
      if (!sent || sent.authorId === who.account.id || this.#hides(who.account.id, sent, nowMs) !== 'no') return
      for (const { notices, openedMs, server } of lines) {
        if (sent.beganMs > openedMs && !notices.has(key))
          this.#fault(`the notification socket of ${who.account.username} at server ${server} has missed "${key}" of "${row.text}"`)
      }
    }
    // Others may have read a post before anybody could tell them of it.
    if (who.character === 'lurker')
      for (const { id } of who.rooms) for (const row of fresh(id)) due(row, `post ${row.text.split(' ').slice(0, 3).join(' ')}`)
    for (const [row, sent] of posts) {
      if (sent.mentioned.includes(who.account.id)) due(row, `${mentionNotices[row.kind]} ${row.id}`)
      for (const word of who.words)
        if (sent.words.includes(word) && row.kind !== 'chat') due(row, `${wordNotices[row.kind]} ${row.id}"${word}"`)
    }
    for (const { id, memberIds, madeMs } of this.#town.reminders) {
      if (!rows.notices.includes(id) || !memberIds.includes(who.account.id)) continue
      for (const { notices, openedMs } of lines)
        if (openedMs < madeMs && !notices.has(`joinedLFGStarting ${id}`))
          this.#fault(`${who.account.username} was not told that ${id} begins`)
    }
  }

  /** The host hears who comes and goes: what he made of it is who is there. */
  #checkChanges(rows: Rows): void {
    const now = new Map(
      this.#town.around.groups.map((group) => [
        group,
        new Set(rows.members.filter(({ fezId }) => fezId === group).map(({ accountId }) => accountId)),
      ]),
    )
    for (const line of this.#town.host.lines.filter(({ kind }) => kind === 'chat')) {
      const known = this.#lines.has(line) ? new Set(this.#present.get(line.place)) : undefined
      const latest = new Map<string, boolean>()
      for (const { userID, joined } of line.changes) {
        if ((latest.get(userID) ?? known?.has(userID)) === joined)
          this.#fault(`the host heard twice that ${userID} ${joined ? 'came' : 'went'}`)
        latest.set(userID, joined)
      }
      if (!line.socket.open) continue
      const present = now.get(line.place) ?? new Set()
      for (const [userID, joined] of latest)
        if (present.has(userID) !== joined) this.#fault(`the host heard last that ${userID} ${joined ? 'came to' : 'left'} ${line.place}`)
      for (const userID of known ? new Set([...known, ...present]) : [])
        if (known?.has(userID) !== present.has(userID) && !latest.has(userID))
          this.#fault(`the host did not hear that ${userID} ${present.has(userID) ? 'came to' : 'left'} ${line.place}`)
    }
    this.#present = now
  }

  /** Groups that are about to start have been noticed. Who was told, and how often, is seen with the sockets. */
  #checkReminders(rows: Rows): void {
    for (const { id } of this.#town.reminders) {
      const times = rows.notices.filter((each) => each === id).length
      if (times > 1) this.#fault(`${times} notices were made of the start of ${id}`)
    }
  }

  #checkPictures(rows: Rows): void {
    const { root } = this.#town.ship.images
    for (const { images, text } of rows.posts) {
      for (const name of images) {
        for (const size of ['full', 'thumb'])
          if (!existsSync(join(root, size, name.slice(0, 2), name))) this.#fault(`the ${size} picture ${name} of "${text}" is not there`)
      }
    }
  }

  /** Every server says of every user what the rows say. */
  async #checkAnswers(rows: Rows): Promise<void> {
    const { urls } = this.#town.around
    const chats = groupBy(
      rows.posts.filter(({ kind }) => kind === 'chat'),
      ({ place }) => place,
    )
    const memberOf = groupBy(rows.members, ({ accountId }) => accountId)
    const hitsOf = groupBy(rows.hits, ({ accountId }) => accountId)
    await inTurns(
      this.#town.residents.flatMap((each) => urls.map((_, server) => ({ each, server }))),
      32,
      async ({ each, server }) => {
        const hidden = hiddenFrom(each.account.id, rows)
        const seen = (memberOf.get(each.account.id) ?? []).map(({ fezId, readPostId, isMuted, added }) => {
          const visible = (chats.get(fezId) ?? []).filter(({ authorId }) => !hidden.has(authorId))
          const readCount = visible.filter(({ id }) => id <= readPostId).length
          return { fezId, postCount: visible.length, readCount, isNews: !isMuted && !added && readCount < visible.length }
        })
        const wanted = JSON.stringify({
          news: seen.filter(({ isNews }) => isNews).length,
          chats: seen.map(({ fezId, postCount, readCount }) => `${fezId} ${readCount}/${postCount}`).sort(),
          hits: countsOf(hitsOf.get(each.account.id) ?? []),
        })
        const deadline = performance.now() + this.patienceMs
        for (;;) {
          const [news, list] = await Promise.all([
            each.client(server).get('/notification/user'),
            each.client(server).get('/fez/joined?limit=200'),
          ])
          const got = JSON.stringify({
            news: news.body.newFezMessageCount,
            chats: list.body.fezzes
              ?.map(
                ({ fezID, members }: { fezID: string; members: { postCount: number; readCount: number } }) =>
                  `${fezID} ${members.readCount}/${members.postCount}`,
              )
              .sort(),
            hits: countsIn(news.body),
          })
          if (got === wanted) return
          if (performance.now() > deadline)
            return this.#fault(`server ${server} says to ${each.account.username} ${got}\n    instead of ${wanted}`)
        }
      },
    )
    await this.#checkGroups(rows)
  }

  /** Who takes part and who waits, as every server shows it to the host. */
  async #checkGroups(rows: Rows): Promise<void> {
    for (const group of this.#town.around.groups) {
      const members = rows.members.filter(({ fezId }) => fezId === group).map(({ accountId }) => accountId)
      const wanted = JSON.stringify([members.slice(0, 3), members.slice(3)])
      for (const server of this.#town.around.urls.keys()) {
        const { body } = await this.#town.host.client(server).get(`/fez/${group}`)
        const got = JSON.stringify(
          [body.members?.participants, body.members?.waitingList].map((list) => list?.map(({ userID }: { userID: string }) => userID)),
        )
        if (got !== wanted) this.#fault(`server ${server} shows ${got} in group ${group} instead of ${wanted}`)
      }
    }
  }
}

/** The sockets of this process have to answer pings, however much there is to check. */
const breath = () => new Promise((resolve) => setImmediate(resolve))

/** The accounts whose posts a reader does not see. */
function hiddenFrom(readerId: string, { mutes, blocks }: Rows): Set<string> {
  const hidden = new Set<string>()
  for (const key of mutes) if (key.startsWith(readerId)) hidden.add(key.split(' ')[1] ?? '')
  for (const key of blocks) {
    const [who = '', whom = ''] = key.split(' ')
    if (who === readerId) hidden.add(whom)
    if (whom === readerId) hidden.add(who)
  }
  return hidden
}

/** Numbers of hits: of each kind and word all, and the new ones. */
function countsOf(hits: readonly HitRow[]): string[] {
  return [...groupBy(hits, ({ kind, word }) => `${kind} ${word}`.trim())]
    .map(([key, list]) => `${key} ${list.length} ${list.filter(({ isNew }) => isNew).length}`)
    .sort()
}

// oxlint-disable-next-line no-explicit-any -- an answer
function countsIn(body: Record<string, any>): string[] {
  return [
    ['forumMention', body['forumMentionCount'], body['newForumMentionCount']],
    ['microblogMention', body['twarrtMentionCount'], body['newTwarrtMentionCount']],
    ...(body['alertWords'] ?? []).flatMap((each: Record<string, unknown>) => [
      [`forumAlertword ${String(each['alertword'])}`, each['forumMentionCount'], each['newForumMentionCount']],
      [`microblogAlertword ${String(each['alertword'])}`, each['twarrtMentionCount'], each['newTwarrtMentionCount']],
    ]),
  ]
    .filter(([, count]) => count > 0)
    .map((each) => each.join(' '))
    .sort()
}
