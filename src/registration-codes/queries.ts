// Statements about registration codes.
import type { Sql } from '../core/db/db.ts'

/** How many codes there are, and how many belong to a person. */
export async function countCodes(sql: Sql): Promise<{ allocated: number; used: number }> {
  const [row] = await sql<
    [{ allocated: number; used: number }]
  >`select count(*)::int as allocated, count(person_id)::int as used from registration_code`
  return row
}

/** The person that a code belongs to, null while it is unused; undefined when there is no such code. */
export async function selectPersonWithCode(sql: Sql, code: string): Promise<string | null | undefined> {
  const [row] = await sql<{ personId: string | null }[]>`select person_id from registration_code where code = ${code}`
  return row?.personId
}

/** The code of a person. */
export async function selectCodeOfPerson(sql: Sql, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ code: string }[]>`select code from registration_code where person_id = ${personId}`
  return row?.code
}
