// The settings as the database has them, for programs that are no node.
import type { Sql } from '../core/db/db.ts'
import { selectSettings } from './queries.ts'
import { defaultSettings, type Settings } from './values.ts'

/** All settings, with the defaults of those that nobody has set. */
export async function storedSettings(sql: Sql): Promise<Settings> {
  return { ...defaultSettings, ...(await selectSettings(sql)) }
}
