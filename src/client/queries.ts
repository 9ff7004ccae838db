// Statements of the health check and of what apps ask about the server.
import type { Sql } from '../core/db/db.ts'

/** Rejects when the database or its schema is not there. */
export async function probeDatabase(sql: Sql): Promise<void> {
  await sql`select from account limit 1`
}

/** The id that this database was given when it was first seeded. */
export async function selectInstallationId(sql: Sql): Promise<string> {
  const [row] = await sql<{ value: string }[]>`select value from setting where name = 'installationID'`
  return row?.value ?? ''
}
