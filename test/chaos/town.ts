// Everybody on the ship together, the places they meet in, and two watchers at each server who see
// whether it does all that it should.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { createAccounts } from '../support/accounts.ts'
import { until } from '../support/until.ts'
import { Dice } from './dice.ts'
import { Logbook } from './logbook.ts'
import { Resident, type Character, type Surroundings } from './resident.ts'
import type { Ship } from './ship.ts'

const alertwords = ['stargazing', 'pirates', 'lemonade', 'accordion']
/** Only the watchers listen for it. */
const watchword = 'lighthouse'
const serviceWithinMs = 120_000

/** A group that is about to start, and who is to be told. */
export interface Reminder {
  readonly id: string
  readonly memberIds: readonly string[]
  readonly madeMs: number
}

export class Town {
  readonly ship: Ship
  readonly log = new Logbook()
  /** Owns every place; hides nobody. */
  readonly host: Resident
  readonly watchers: readonly Resident[]
  readonly residents: readonly Resident[]
  readonly around: Surroundings
  readonly reminders: Reminder[] = []
  /** Where watchers watch. */
  readonly watchRoom: string
  readonly #paceMs: number
  readonly #dice: Dice
  #loops: Promise<void>[] = []
  #running = false

  private constructor(
    ship: Ship,
    dice: Dice,
    paceMs: number,
    made: { host: Resident; watchers: Resident[]; residents: Resident[]; around: Surroundings; watchRoom: string; log: Logbook },
  ) {
    this.ship = ship
    this.#dice = dice
    this.#paceMs = paceMs
    this.host = made.host
    this.watchers = made.watchers
    this.residents = made.residents
    this.around = made.around
    this.watchRoom = made.watchRoom
    this.log = made.log
  }

  /** Makes `size` users and their places. On average each does something every `paceMs`. */
  static async settle(ship: Ship, dice: Dice, size: number, paceMs: number): Promise<Town> {
    const { sql } = ship
    const log = new Logbook()
    const urls = ship.servers.map(({ url }) => url)
    const accounts = await createAccounts(
      sql,
      Array.from({ length: size + 1 + urls.length }, () => ({})),
    )
    const [hostAccount, ...others] = accounts
    assert.ok(hostAccount)
    const pictures = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sharp({ create: { width: 48, height: 32, channels: 3, background: { r: index * 30, g: 120, b: 200 } } })
          .jpeg()
          .toBuffer(),
      ),
    )
    const rooms: string[] = []
    const groups: string[] = []
    const forums: string[] = []
    let everybody: Resident[] = []
    const around: Surroundings = {
      urls,
      log,
      groups,
      rooms,
      forums,
      words: alertwords,
      picture: () => (pictures[dice.below(pictures.length)] as Buffer).toString('base64'),
      everybody: () => everybody,
      tally: { refused: 0, slowestMs: 0, answered: 0 },
    }
    const host = new Resident(hostAccount, 0, 'plain', [], [], around, new Dice(dice.below(2 ** 31)))
    const watcherAccounts = others.splice(0, urls.length)
    const open = (title: string, memberIds: string[], maxCapacity = 0) => openGroup(host, title, memberIds, { maxCapacity })
    const roomCount = Math.max(2, Math.ceil(size / 25))
    const membersOf: string[][] = Array.from({ length: roomCount }, () => [])
    const roomsOf = others.map((account, index) => {
      const chosen = new Set([index % roomCount, dice.below(roomCount)])
      for (const room of chosen) membersOf[room]?.push(account.id)
      return [...chosen]
    })
    for (const [index, members] of membersOf.entries()) rooms.push(await open(`Room ${index}`, members))
    for (let index = 0; index < Math.min(12, Math.max(3, Math.ceil(size / 20))); index++) groups.push(await open(`Group ${index}`, [], 3))
    const watchRoom = await open(
      'Watch',
      watcherAccounts.map(({ id }) => id),
    )
    const category = randomUUID()
    await sql`insert into forum_category (id, title, purpose, view_level, create_level) values (${category}, 'Chaos', 'A purpose', 'unverified', 'verified')`
    for (let index = 0; index < Math.max(2, size / 20); index++) {
      const { status, body } = await host
        .client()
        .post(`/forum/categories/${category}/create`, { title: `Forum ${index}`, firstPost: { text: 'welcome', images: [] } })
      assert.equal(status, 201, JSON.stringify(body))
      forums.push(body.forumID)
    }
    const resident = (index: number, character: Character, inRooms: string[], words: string[]) =>
      new Resident(others[index] as typeof hostAccount, index, character, inRooms, words, around, new Dice(dice.below(2 ** 31)))
    const residents = others.map((_, index) =>
      resident(
        index,
        characterOf(index),
        (roomsOf[index] as number[]).map((room) => rooms[room] as string),
        index % 3 === 0 ? [dice.among(alertwords)] : [],
      ),
    )
    const watchers = watcherAccounts.map(
      (account, index) => new Resident(account, index, 'lurker', [watchRoom], [watchword], around, new Dice(index)),
    )
    // In a ring, so that nobody is ever asked to hide somebody who is hidden from him already.
    const touchy = residents.filter(({ character }) => character === 'touchy')
    for (const [index, each] of touchy.entries()) {
      const other = touchy[(index + 1) % touchy.length] as Resident
      if (touchy.length > 2) each.target = { id: other.account.id, kind: index % 2 === 0 ? 'mute' : 'block' }
    }
    everybody = residents
    host.listensTo.push(...groups)
    for (const each of [...residents, ...watchers]) each.listensTo.push((each.rooms[0] as { id: string }).id)
    const town = new Town(ship, dice, paceMs, { host, watchers, residents, around, watchRoom, log })
    await town.#moveIn()
    return town
  }

  get everybody(): Resident[] {
    return [this.host, ...this.watchers, ...this.residents]
  }

  /** Everybody has looked into his chats once, has his words, and listens. */
  async #moveIn(): Promise<void> {
    const { sql } = this.ship
    const hostRooms = [...this.around.rooms, this.watchRoom]
    for (const place of hostRooms) await this.host.post('chat', place, { certain: true, text: 'welcome', pictured: false })
    await inTurns([...this.residents, ...this.watchers], 20, async (each) => {
      for (const room of each.rooms) await each.readChat(room)
      for (const word of each.words) assert.equal((await each.client().post(`/user/alertwords/add/${word}`)).status, 200)
      await each.moveTo(each.home)
    })
    await this.host.moveTo(0)
    const [row] = await sql<{ count: number }[]>`select count(*)::int from alertword`
    assert.ok((row?.count ?? 0) > 0)
  }

  /** Sets everybody to work. */
  begin(): void {
    this.#running = true
    this.#loops = this.residents.map(async (resident) => {
      const dice = new Dice(this.#dice.below(2 ** 31))
      await pause(dice.below(this.#paceMs))
      while (this.#running) {
        await resident.act().catch((error: unknown) => this.log.complain(`${resident.account.username}: ${String(error)}`))
        await pause(this.#paceMs * (0.5 + dice.roll()))
      }
    })
  }

  /** Resolves when nobody does anything any more and everything begun has ended. */
  async rest(): Promise<void> {
    this.#running = false
    await Promise.all(this.#loops)
    this.#loops = []
  }

  /** Makes a group of some residents that is about to start. */
  async remind(): Promise<void> {
    const members = this.#dice
      .shuffled(this.residents)
      .slice(0, 10)
      .map(({ account }) => account.id)
    const startTime = new Date(Date.now() + 5 * 60_000)
    const madeMs = performance.now()
    const id = await openGroup(this.host, 'Soon', members, { startTime, endTime: new Date(startTime.getTime() + 60 * 60_000) })
    this.reminders.push({ id, memberIds: [...members, this.host.account.id], madeMs })
  }

  /**
   * Resolves when everything works again: each server is ready, a post through it reaches sockets at
   * every server, a worker finds an alertword in what is written through it, and it takes a picture.
   */
  async served(): Promise<void> {
    await until(() => this.ship.ready(), 'all servers are ready', serviceWithinMs)
    for (const [index, watcher] of this.watchers.entries()) await watcher.moveTo(index)
    await Promise.all(
      this.around.urls.map(async (_, server) => {
        const chat = await this.host.post('chat', this.watchRoom, { server, certain: true, text: 'watch', pictured: false })
        const blog = await this.host.post('blog', '', { server, certain: true, text: watchword, pictured: true })
        for (const watcher of this.watchers) {
          await until(
            () => watcher.rooms[0]?.seen.has(chat.id as number) ?? false,
            `a post through server ${server} reaches the chat socket of ${watcher.account.username}`,
            serviceWithinMs,
          )
          const notice = `alertwordTwarrt ${blog.id}"${watchword}"`
          await until(
            () => watcher.lines.some(({ notices }) => notices.has(notice)),
            `a word written through server ${server} is found and told to ${watcher.account.username}`,
            serviceWithinMs,
          )
        }
      }),
    )
  }

  /** Resolves when everybody is at home, and listens, and no job is left: nothing is on its way any more. */
  async calm(): Promise<void> {
    await inTurns(this.everybody, 50, (each) => each.moveTo(each.home))
    await until(
      async () => (await this.ship.sql`select from outbox where run_at is null or run_at < now()`).length === 0,
      'no job is left',
      serviceWithinMs,
    )
  }

  leave(): void {
    this.#running = false
    for (const each of this.everybody) each.leave()
  }
}

function characterOf(index: number): Character {
  return index % 8 === 7 ? 'lurker' : index % 8 === 3 ? 'touchy' : 'plain'
}

async function openGroup(host: Resident, title: string, initialUsers: readonly string[], more: object): Promise<string> {
  const headers = { 'Idempotency-Key': randomUUID() }
  for (;;) {
    const answer = await host.ask((client) =>
      client.post(
        '/fez/create',
        { fezType: 'gaming', title, info: 'A group', location: 'Deck 5', minCapacity: 0, maxCapacity: 0, initialUsers, ...more },
        { headers },
      ),
    )
    if (!answer) continue
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.fezID
  }
}

/** Works through a list, `width` at a time. */
export async function inTurns<T>(list: readonly T[], width: number, work: (each: T) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(width, list.length) }, async () => {
      while (next < list.length) await work(list[next++] as T)
    }),
  )
}
