// A cache of what everybody may need to know of any account: its header, person and level. Every
// answer names users; none should cost a query for them.
import { Dto, Type, Uuid, type Static } from './schema/schema.ts'
import type { Sql } from './db/db.ts'
import { narrowJson } from './narrow-json.ts'
import { accessLevels, type Account, type UserAccessLevel } from './viewer.ts'

/** How a user appears in other people's answers. */
export type UserHeader = Static<typeof UserHeader>
export const UserHeader = Dto('UserHeader', {
  userID: Uuid,
  username: Type.String(),
  displayName: Type.Optional(Type.String()),
  userImage: Type.Optional(Type.String()),
  preferredPronoun: Type.Optional(Type.String()),
})

/** The columns of `account` that this cache and `account changed` events hold. Built with `accountColumns`. */
export interface AccountRow extends Account {
  readonly username: string
  readonly displayName: string | null
  readonly userImage: string | null
  readonly preferredPronoun: string | null
  /** Higher is newer. */
  readonly rev: number
}

/** A cached account. Its header is made when it is first wanted, and is nothing that events would carry. */
export class AccountRecord implements AccountRow {
  readonly id: string
  readonly personId: string
  readonly username: string
  readonly level: UserAccessLevel
  readonly displayName: string | null
  readonly userImage: string | null
  readonly preferredPronoun: string | null
  readonly rev: number
  #header: UserHeader | undefined
  #headerJson: string | undefined

  /** Rows may carry more than belongs here. */
  constructor({ id, personId, username, level, displayName, userImage, preferredPronoun, rev }: AccountRow) {
    this.id = id
    // What many have in common is one text: less memory, and found faster.
    this.personId = personId === id ? id : personId
    this.username = username
    this.level = accessLevels[accessLevels.indexOf(level)] ?? level
    this.displayName = displayName
    this.userImage = userImage
    this.preferredPronoun = preferredPronoun
    this.rev = rev
  }

  get header(): UserHeader {
    return (this.#header ??= headerOf(this))
  }

  /** The same as text. */
  get headerJson(): string {
    return (this.#headerJson ??= narrowJson(JSON.stringify(this.header)))
  }
}

/** For `select`: the columns of an AccountRow, from a table or alias. */
export const accountColumns = (sql: Sql, table = 'account') =>
  sql`${sql(`${table}.id`)}, ${sql(`${table}.person_id`)}, ${sql(`${table}.username`)}, ${sql(`${table}.level`)}, ${sql(`${table}.display_name`)},
    ${sql(`${table}.user_image`)}, ${sql(`${table}.preferred_pronoun`)}, ${sql(`${table}.rev`)}`

/** Accounts that exist from the first start. Their ids are the same in every installation. */
export const builtIn = {
  admin: '00000000-0000-4000-8000-000000000001',
  THO: '00000000-0000-4000-8000-000000000002',
  moderator: '00000000-0000-4000-8000-000000000003',
  ServiceTeam: '00000000-0000-4000-8000-000000000004',
  prometheus: '00000000-0000-4000-8000-000000000005',
  MicroKaraoke: '00000000-0000-4000-8000-000000000006',
} as const

/** What is shown in place of a participant hidden by a block. */
export const blockedUserHeader: UserHeader = {
  userID: '00000000-0000-4000-8000-0000000000ff',
  username: 'BlockedUser',
  displayName: 'BlockedUser',
  userImage: '',
  preferredPronoun: '',
}

/** Accounts are small and never leave: whoever has loaded one may get it at any time. */
export class Accounts {
  readonly #records = new Map<string, AccountRecord>()
  /** Records that may miss a change; the next `load` reads them anew. */
  readonly #stale = new Set<string>()
  readonly #sql: () => Sql
  readonly #trusted: () => boolean
  /** Another one after every change of a known account: what was made of headers is good as long as this stays. */
  revision = 0

  /** `trusted` says whether change events are arriving; while they are not, every load reads anew. */
  constructor(sql: () => Sql, trusted: () => boolean) {
    this.#sql = sql
    this.#trusted = trusted
  }

  /** An account that was loaded before. */
  get(id: string): AccountRecord {
    const record = this.#records.get(id)
    if (!record) throw new Error('account used before it was loaded')
    return record
  }

  has(id: string): boolean {
    return this.#records.has(id)
  }

  /** Makes sure that all of these can be got. Ids that do not exist are left out. */
  async load(ids: Iterable<string>): Promise<void> {
    const trusted = this.#trusted()
    const wanted: string[] = []
    for (const id of ids) if (!trusted || !this.#records.has(id) || this.#stale.has(id)) wanted.push(id)
    if (wanted.length === 0) return
    const sql = this.#sql()
    for (const row of await sql<AccountRow[]>`select ${accountColumns(sql)} from account where id = any(${wanted})`) this.put(row)
  }

  /** The account, or undefined when there is none. */
  async find(id: string): Promise<AccountRecord | undefined> {
    await this.load([id])
    return this.#records.get(id)
  }

  /** Takes a row unless a newer one is here already. */
  put(row: AccountRow): AccountRecord {
    const known = this.#records.get(row.id)
    if (known && known.rev <= row.rev) this.#stale.delete(row.id)
    if (known && known.rev >= row.rev) return known
    if (known) this.revision++
    const record = new AccountRecord(row)
    this.#records.set(row.id, record)
    return record
  }

  /** Events may have been lost: everything has to be read anew. */
  invalidate(): void {
    for (const id of this.#records.keys()) this.#stale.add(id)
  }
}

/** The header of a row that is not in the cache. */
export function headerOf(row: AccountRow): UserHeader {
  return {
    userID: row.id,
    username: row.username,
    ...(row.displayName ? { displayName: row.displayName } : {}),
    ...(row.userImage ? { userImage: row.userImage } : {}),
    ...(row.preferredPronoun ? { preferredPronoun: row.preferredPronoun } : {}),
  }
}
