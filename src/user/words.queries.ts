// Statements about alertwords and mutewords.
import type { Sql } from '../core/db/db.ts'

/** Named as their tables. */
export type WordList = 'alertword' | 'muteword'

/** An account's words, in order. */
export async function selectWords(sql: Sql, list: WordList, accountId: string): Promise<string[]> {
  return (await sql<{ word: string }[]>`select word from ${sql(list)} where account_id = ${accountId} order by word`).map(
    ({ word }) => word,
  )
}

export async function insertWord(sql: Sql, list: WordList, accountId: string, word: string, now: Date): Promise<void> {
  await sql`insert into ${sql(list)} (account_id, word, created_at) values (${accountId}, ${word}, ${now}) on conflict do nothing`
}

/** False when it was not there. */
export async function deleteWord(sql: Sql, list: WordList, accountId: string, word: string): Promise<boolean> {
  const result = await sql`delete from ${sql(list)} where account_id = ${accountId} and word = ${word}`
  return result.count > 0
}
