// Postgres's advisory locks are numbers; here they have names.
import { createHash } from 'node:crypto'

/** The number of the lock with this name, the same on every node. */
export function advisoryLock(name: string): number {
  return createHash('sha1').update(`quarterdeck ${name}`).digest().readInt32BE(0)
}
