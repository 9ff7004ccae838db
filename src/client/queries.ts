// Statements of the health check.
import type { Sql } from '../core/db.ts'

/** Rejects when the database or its schema is not there. */
export async function probeDatabase(sql: Sql): Promise<void> {
  await sql`select from account limit 1`
}
