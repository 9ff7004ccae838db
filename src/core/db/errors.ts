// What a failure of Postgres means: away, full, a broken rule, or worth another try.
import { AppError, storageFailed, unavailable } from '../base/errors.ts'

/** Refuses because Postgres cannot be reached. */
export const away = (cause?: unknown) =>
  unavailable('database_unavailable', 'The database is not available at the moment. Try again in a moment.', cause)

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  // admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections, query_canceled (statement_timeout)
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '57014',
])

/** The SQLSTATE or socket code of a failure, or an empty string. */
function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const losses = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'])

/** A pooler says by class 08 of SQLSTATE that it has lost Postgres, or found none; Postgres itself ends without a word. */
const isPoolers = (state: string): boolean => /^08\w{3}$/.test(state)

/** True when the connection is gone, and the answer with it. */
export const isConnectionLoss = (error: unknown): boolean => losses.has(sqlState(error)) || isPoolers(sqlState(error))

/** True when Postgres cannot be reached, or breaks off. */
export const isAway = (error: unknown): boolean => connectionFailures.has(sqlState(error)) || isPoolers(sqlState(error))

/**
 * True when another server of the same data may well give the answer: this one is away, or breaks off what stands in the way of its
 * replication. One that has taken too long would take as long elsewhere.
 */
export const isOfThisServer = (error: unknown): boolean =>
  isConnectionLoss(error) || isRetryable(error) || (isAway(error) && sqlState(error) !== '57014')

/** True when Postgres has no such thing, or none for this user: classes 0A and 42 of SQLSTATE. */
export const isRefusal = (error: unknown): boolean => /^(?:0A|42)\w{3}$/.test(sqlState(error))

const writtenAllTheSame = new WeakSet<object>()

/** True for failures after which something may have been written. The work is not repeated then. */
export const mayHaveWritten = (error: unknown): boolean =>
  isConnectionLoss(error) || (error instanceof Error && writtenAllTheSame.has(error))

/** Notes that something was written before the failure. */
export function afterWriting(error: unknown): unknown {
  if (error instanceof Error) writtenAllTheSame.add(error)
  return error
}

/** True for a failure of the program: those of Postgres, of the way to it, and refusals have a code. */
export const isOfProgram = (error: unknown): boolean => sqlState(error) === ''

/** True for failures that a repetition of the whole transaction cures: serialisation failure and deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** True when `error` is a violation of the named unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && (error as { constraint_name?: string }).constraint_name === constraint
}

/** Why Postgres answers and cannot write. */
export type StorageFault = 'full' | 'read only' | 'failing'

/** The fault of the storage behind a failure, if there is one. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  const state = sqlState(error)
  if (connectionFailures.has(state)) return undefined
  if (state === '53100') return 'full'
  if (state === '25006') return 'read only'
  // Classes of SQLSTATE: insufficient resources, and errors of the system below Postgres.
  return /^5[38]\w{3}$/.test(state) ? 'failing' : undefined
}

/** Turns "Postgres is away, too slow or cannot write" into a 503; leaves every other error as it is. */
export function translateDbError(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (isAway(error)) return away(error)
  return storageFaultOf(error) ? storageFailed(error) : error
}
