// A cache of what everybody may need to know of any account: its header, person and level. Every
// answer names users; none should cost a query for them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Sql } from '../core/db/db.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { accessLevels, type UserAccessLevel } from '../core/base/viewer.ts'
import { selectAccounts } from './queries.ts'
import type { AccountRow } from './rows.ts'
import type { UserHeader } from './schemas.ts'
import { headerOf } from './headers.ts'

const shownColumns = ['personId', 'username', 'level', 'displayName', 'userImage', 'preferredPronoun'] as const

/** A cached account. Its header is made on first use and is not part of events. */
export class AccountRecord implements AccountRow {
  readonly id: string
  readonly personId: string
  readonly username: string
  readonly level: UserAccessLevel
  readonly displayName: string | null
  readonly userImage: string | null
  readonly preferredPronoun: string | null
  readonly rev: number
  /** Of its cache, when it was known to be right. */
  generation: number
  /** The number of the sweep of its cache before which it was used last. */
  usedBefore: number
  #header: UserHeader | undefined
  #headerJson: string | undefined

  /** Rows may carry more than belongs here. */
  constructor(
    { id, personId, username, level, displayName, userImage, preferredPronoun, rev }: AccountRow,
    { generation, usedBefore }: Pick<AccountRecord, 'generation' | 'usedBefore'>,
  ) {
    this.generation = generation
    this.usedBefore = usedBefore
    this.id = id
    // Equal values share one text: less memory, and faster to compare.
    this.personId = personId === id ? id : personId
    this.username = username
    this.level = accessLevels[accessLevels.indexOf(level)] ?? level
    this.displayName = displayName
    this.userImage = userImage
    this.preferredPronoun = preferredPronoun
    this.rev = rev
  }

  /** True when nobody else can tell them apart: that somebody is verified now, only those see who look at an account itself. */
  isShownAs(row: AccountRow): boolean {
    const level = this.level === 'unverified' && row.level === 'verified' ? row.level : this.level
    return shownColumns.every((column) => (column === 'level' ? level : this[column]) === row[column])
  }

  /** True when something of it is not as in this row. */
  isOtherThan(row: AccountRow): boolean {
    return shownColumns.some((column) => this[column] !== row[column])
  }

  get header(): UserHeader {
    return (this.#header ??= headerOf(this))
  }

  /** The same as text. */
  get headerJson(): string {
    return (this.#headerJson ??= narrowJson(JSON.stringify(this.header)))
  }
}

/** With its header and its place in the cache, in bytes: measured. */
const bytesOfRecord = 500
/** Records that are looked at in one turn of the event loop. */
const portion = 10_000
/** Upper bound of one sweep: each that evicts invalidates all that was made of headers, so it is one for many. */
const mostLeaving = 20_000
/** A sweep evicts down to this part of the bound, so that the next one is not soon. */
const staying = 0.75

/**
 * A cache of accounts. One that was loaded can be got for longer than a request takes: until then a sweep evicts, above the
 * bound, only accounts that no channel holds and that were not used since the sweep before.
 */
export class Accounts {
  readonly #records = new Map<string, AccountRecord>()
  /** Records of earlier ones may miss a change; the next `load` reads them again. */
  #generation = 0
  readonly #sql: () => Sql
  readonly #trusted: () => boolean
  readonly #mostRecords: number
  /** The number of the next sweep. */
  #sweep = 0
  #sweeping = false
  /** Changes whenever others are shown a known account differently: what was made of headers is valid while it stays the same. */
  revision = 0

  /** `trusted` says whether change events are arriving; while they are not, every load reads Postgres. `maxBytes` is what they may take. */
  constructor(sql: () => Sql, trusted: () => boolean, maxBytes = Infinity) {
    this.#sql = sql
    this.#trusted = trusted
    this.#mostRecords = maxBytes / bytesOfRecord
  }

  get size(): number {
    return this.#records.size
  }

  /** An account that was loaded before. */
  get(id: string): AccountRecord {
    const record = this.#records.get(id)
    if (!record) throw new Error('account used before it was loaded')
    record.usedBefore = this.#sweep
    return record
  }

  has(id: string): boolean {
    return this.#records.has(id)
  }

  /** Makes sure that all of these can be got. Ids that do not exist are left out. */
  async load(ids: Iterable<string>): Promise<void> {
    const trusted = this.#trusted()
    const wanted: string[] = []
    for (const id of ids) {
      const record = this.#records.get(id)
      if (record) record.usedBefore = this.#sweep
      if (!trusted || record?.generation !== this.#generation) wanted.push(id)
    }
    if (wanted.length === 0) return
    // What is asked for before events are lost may miss them, however late it comes.
    const generation = this.#generation
    for (const row of await selectAccounts(this.#sql(), wanted)) this.put(row, generation)
  }

  /** The account, or undefined when there is none: at once when it is in memory. */
  find(id: string): AccountRecord | Promise<AccountRecord | undefined> {
    const known = this.#records.get(id)
    if (known) known.usedBefore = this.#sweep
    if (known?.generation === this.#generation && this.#trusted()) return known
    return this.load([id]).then(() => this.#records.get(id))
  }

  /** Takes a row unless a newer one is here already. */
  put(row: AccountRow, generation = this.#generation): AccountRecord {
    const known = this.#records.get(row.id)
    if (known) known.usedBefore = this.#sweep
    const wasStale = known !== undefined && known.rev <= row.rev && known.generation < generation
    if (wasStale) known.generation = generation
    // Who writes past the product leaves the number as it was.
    if (known && known.rev >= row.rev && !(wasStale && known.rev === row.rev && known.isOtherThan(row))) return known
    const record = new AccountRecord(row, { generation, usedBefore: this.#sweep })
    if (known && !known.isShownAs(record)) this.revision++
    this.#records.set(row.id, record)
    return record
  }

  /**
   * Evicts accounts while there are more than the bound. `held` has the ids that channels use without loading them again; it is
   * read in portions, and the event loop does other work between them.
   */
  async sweep(held: Iterable<string>): Promise<void> {
    if (this.#sweeping || this.#records.size <= this.#mostRecords) return
    this.#sweeping = true
    const sweep = this.#sweep++
    try {
      let count = 0
      for (const id of held) {
        const record = this.#records.get(id)
        if (record) record.usedBefore = this.#sweep
        if (++count % portion === 0) await nextTurn()
      }
      const unused: AccountRecord[] = []
      for (const record of this.#records.values()) {
        if (record.usedBefore < sweep) unused.push(record)
        if (unused.length >= Math.min(mostLeaving, this.#records.size - staying * this.#mostRecords)) break
        if (++count % portion === 0) await nextTurn()
      }
      // In one turn: from here on their changes are not noticed, so everything that was made of headers becomes invalid.
      for (const { id } of unused) if ((this.#records.get(id)?.usedBefore ?? sweep) < sweep) this.#records.delete(id)
      if (unused.length > 0) this.revision++
    } finally {
      this.#sweeping = false
    }
  }

  /** Events may have been lost: every record has to be read again. Costs nothing, however many there are. */
  invalidate(): void {
    this.#generation++
  }
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly accounts: Accounts
  }
}
