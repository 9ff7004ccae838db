// Whether a new version may change the database while servers of the version before use it.
import { lookBefore, migrationsFolder } from '../core/db/migrate.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { announcedIn } from './inventory.ts'

/** Migrations from this day on say what they take away. */
const firstThatSays = '2026-11-30'

/** True for one that was written when nobody asked; those of numbers are older. */
const isSilent = (name: string): boolean => !name.startsWith('2') || name < firstThatSays

/**
 * Lets migrations go on that only add, whoever uses the database.
 *
 * @throws OperatorError when one takes something away, or may, and somebody else uses the database.
 */
export async function requireUnused(databaseUrl: string, folder = migrationsFolder): Promise<void> {
  const { users, pending } = await lookBefore(databaseUrl, folder)
  if (users === 0) return
  const taking = pending.find((name) => isSilent(name) || announcedIn(folder, [name]).size > 0)
  if (taking === undefined) return
  const taken = [...announcedIn(folder, [taking])]
  throw new OperatorError(
    `Servers or workers of the version before use the database, and sql/${taking}.sql ${
      taken.length > 0 ? `changes what they need: ${taken.join(', ')}` : 'may change what they need'
    }. Stop them first.`,
  )
}
