// How a feature declares its tables: whose their rows are, and what becomes of them when a person leaves or the event is over.

/**
 * What becomes of a row when the person that a column names deletes their account: `removed`, or `kept` under the name of a
 * deleted account.
 */
export type OnDeletion = 'removed' | 'kept'

/** The section of a person's own data that holds their rows of a table. */
export interface OwnData {
  /** Its name in the file. */
  readonly as: string
  /** The column that names the person. */
  readonly of: string
  /** Columns that nobody gets: secrets, what only a search needs, and who else had to do with it. */
  readonly without?: readonly string[]
}

/** A table of the database. Backups hold every one. */
export interface DeclaredTable {
  readonly name: string
  /** Its columns that name an account or a person. */
  readonly persons?: Readonly<Record<string, OnDeletion>>
  /** Tables whose rows take rows of this one with them, by a foreign key. */
  readonly goesWith?: readonly string[]
  /**
   * `every`: each answer in memory is made of it. `none`: no such answer is, and statements outside of a transaction may write it.
   * Absent: answers say that they are made of it.
   */
  readonly inAnswers?: 'every' | 'none'
  /** Answers show a row to one account alone, so that a change concerns the servers that have this account. */
  readonly own?: true
  /** Absent: the file of a person's own data leaves it out. */
  readonly ownData?: OwnData
  /** Absent: a wipe empties it. */
  readonly staysAfterWipe?: {
    /** For the report of the wipe. */
    readonly what: string
    /** Columns that get another value first: what refers to a person, or was put there by one. */
    readonly reset?: Readonly<Record<string, null | boolean | number>>
  }
}

/** Declares a table. */
export const table = (name: string, about: Omit<DeclaredTable, 'name'> = {}): DeclaredTable => ({ name, ...about })

/** Columns that only a search needs. */
export const searchColumns = ['search', 'user_search', 'look', 'folded_look', 'username_key', 'title_key'] as const
