// What runs on a client of its own: a transaction, or one statement that is one by itself.
import type { Client, Connection, Sql } from './connection.ts'
import { afterWriting, isOfProgram } from './errors.ts'
import { noteWritten, noteWrittenText } from './written.ts'

const writtenBy = new WeakMap<object, ReadonlySet<string>>()
const noTables: ReadonlySet<string> = new Set()

/** The tables that the statements of a transaction have written so far. */
export const tablesWritten = (sql: Sql): ReadonlySet<string> => writtenBy.get(sql) ?? noTables

/** Pipelines BEGIN with the first statement, and the finishing statements with COMMIT: `finish` sends them before it waits for anything. */
export async function transact<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
  finish?: (sql: Sql) => Promise<unknown>,
): Promise<T> {
  const { sql, close } = guarded(connection)
  sql.unsafe('begin').catch(() => undefined)
  let result: T
  try {
    result = await work(sql)
  } catch (error) {
    await sql.unsafe('rollback').catch(() => undefined)
    throw error
  }
  const ending = [finish?.(sql), sql.unsafe('commit')] as const
  close()
  const [finished, committed] = await Promise.allSettled(ending)
  // One that was not even sent leaves the others of its transaction as they are.
  if (finished.status === 'rejected')
    throw committed.status === 'fulfilled' && committed.value.command === 'COMMIT' ? afterWriting(finished.reason) : finished.reason
  if (committed.status === 'rejected') throw committed.reason
  // Postgres's answer to the commit of a transaction in which something has failed.
  if (committed.value.command !== 'COMMIT') throw new Error('the transaction was rolled back')
  return result
}

/** Runs work that sends one statement. */
export async function runAlone<T>(connection: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  const made: { executed?: boolean }[] = []
  // Fragments of it are made as statements are, but never sent by themselves.
  const sent = () => made.filter(({ executed }) => executed).length
  try {
    const result = await work(guarded(connection, made).sql)
    if (sent() > 1) throw new Error('several statements, without a transaction around them')
    return result
  } catch (error) {
    throw sent() > 0 && isOfProgram(error) ? afterWriting(error) : error
  }
}

/** A client whose statements, one by one, say which tables they write before they are sent. */
export function telling(client: Client, onWrite: (tables: ReadonlySet<string>) => void): Sql {
  const written = new Set<string>()
  return noting(client, written, {
    noted: () => {
      if (written.size === 0) return
      onWrite(written)
      written.clear()
    },
  })
}

/**
 * A client that refuses when its connection is lost: postgres.js would go on with another one, outside of the
 * transaction. So would a statement behind COMMIT, on the same one: `close` is called when that has been sent. `made` gets
 * its statements.
 */
function guarded(connection: Connection, made?: { executed?: boolean }[]): { sql: Sql; close: () => void } {
  const written = new Set<string>()
  let isOver = false
  const sql = noting(connection.client, written, {
    before: () => {
      if (connection.lost) throw Object.assign(new Error('the connection of this transaction is lost'), { code: 'CONNECTION_CLOSED' })
      if (isOver) throw new Error('a statement behind the end of its transaction')
    },
    made: (statement) => made?.push(statement),
  })
  writtenBy.set(sql, written)
  return { sql, close: () => (isOver = true) }
}

interface Steps {
  before?: () => void
  /** The tables of a statement are in `written`. */
  noted?: () => void
  made?: (statement: object) => void
}

/** A client that adds the tables of each statement to `written` before it is sent. */
function noting(client: Client, written: Set<string>, { before, noted, made }: Steps): Sql {
  return new Proxy(client, {
    apply(target, self, args: unknown[]) {
      before?.()
      noteWritten(args, written)
      noted?.()
      const statement = Reflect.apply(target as never, self, args) as object
      made?.(statement)
      return statement
    },
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name) as unknown
      return (text: string, ...rest: [never]) => {
        noteWrittenText(text, written)
        noted?.()
        return target.unsafe(text, ...rest)
      }
    },
  })
}
