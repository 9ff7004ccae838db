// Statements about hunts, puzzles and call-ins.
import type { Sql } from '../core/db/db.ts'
import type { CallInRow, HuntRow, PuzzleRow } from './rows.ts'

/** All hunts, in no order. */
export async function selectHunts(sql: Sql): Promise<HuntRow[]> {
  return await sql<HuntRow[]>`select id, title, description from hunt`
}

export async function selectHunt(sql: Sql, huntId: string): Promise<HuntRow | undefined> {
  const [row] = await sql<HuntRow[]>`select id, title, description from hunt where id = ${huntId}`
  return row
}

const puzzleColumns = (sql: Sql) => sql`puzzle.id, puzzle.hunt_id, puzzle.title, body, answer, answer_key, hints, unlock_time`

/** The puzzles of a hunt in the order in which they unlock, and whether the viewer has solved them. */
export async function selectPuzzles(
  sql: Sql,
  huntId: string,
  viewerId: string | undefined,
): Promise<(PuzzleRow & { isSolved: boolean })[]> {
  return await sql<(PuzzleRow & { isSolved: boolean })[]>`
    select ${puzzleColumns(sql)},
      exists (select from hunt_call_in where puzzle_id = puzzle.id and account_id = ${viewerId ?? null}::uuid and result = 'correct')
        as is_solved
    from hunt_puzzle puzzle where hunt_id = ${huntId} order by unlock_time nulls first, position`
}

export async function selectPuzzle(sql: Sql, puzzleId: string): Promise<(PuzzleRow & { huntTitle: string }) | undefined> {
  const [row] = await sql<(PuzzleRow & { huntTitle: string })[]>`
    select ${puzzleColumns(sql)}, hunt.title as hunt_title from hunt_puzzle puzzle join hunt on hunt.id = hunt_id
      where puzzle.id = ${puzzleId}`
  return row
}

/** Locks a puzzle: its call-ins are counted, and its answer changes, one after another. */
export async function lockPuzzle(sql: Sql, puzzleId: string): Promise<PuzzleRow | undefined> {
  const [row] = await sql<PuzzleRow[]>`select ${puzzleColumns(sql)} from hunt_puzzle puzzle where id = ${puzzleId} for no key update`
  return row
}

/** Locks a hunt. */
export async function lockHunt(sql: Sql, huntId: string): Promise<HuntRow | undefined> {
  const [row] = await sql<HuntRow[]>`select id, title, description from hunt where id = ${huntId} for update`
  return row
}

export async function insertHunt(sql: Sql, { id, title, description }: HuntRow): Promise<void> {
  await sql`insert into hunt (id, title, description) values (${id}, ${title}, ${description})`
}

/** Writes puzzles of one hunt; those that unlock together stay in this order. */
export async function insertPuzzles(sql: Sql, puzzles: readonly PuzzleRow[]): Promise<void> {
  await sql`
    insert into hunt_puzzle (id, hunt_id, position, title, body, answer, answer_key, hints, unlock_time)
    select id, hunt_id, position, title, body, answer, answer_key, hints, unlock_time from unnest(
      ${puzzles.map(({ id }) => id)}::uuid[], ${puzzles.map(({ huntId }) => huntId)}::uuid[], ${puzzles.map(({ title }) => title)}::text[],
      ${puzzles.map(({ body }) => body)}::text[], ${puzzles.map(({ answer }) => answer)}::text[],
        ${puzzles.map(({ answerKey }) => answerKey)}::text[],
      ${puzzles.map(({ hints }) => JSON.stringify(hints))}::text[]::jsonb[],
        ${puzzles.map(({ unlockTime }) => unlockTime?.toISOString() ?? null)}::text[]::timestamptz[])
      with ordinality as given (id, hunt_id, title, body, answer, answer_key, hints, unlock_time, position)`
}

export async function updateHunt(sql: Sql, { id, title, description }: HuntRow): Promise<void> {
  await sql`update hunt set title = ${title}, description = ${description} where id = ${id}`
}

export async function updatePuzzle(sql: Sql, { id, title, body, answer, answerKey, hints, unlockTime }: PuzzleRow): Promise<void> {
  await sql`
    update hunt_puzzle set title = ${title}, body = ${body}, answer = ${answer}, answer_key = ${answerKey},
      hints = ${JSON.stringify(hints)}::text::jsonb, unlock_time = ${unlockTime}
    where id = ${id}`
}

/** Deletes a hunt with its puzzles and call-ins. */
export async function deleteHunt(sql: Sql, huntId: string): Promise<void> {
  await sql`delete from hunt where id = ${huntId}`
}

/** The call-ins of an account for a puzzle, oldest first. */
export async function selectCallIns(sql: Sql, puzzleId: string, accountId: string): Promise<CallInRow[]> {
  return await sql<CallInRow[]>`
    select submission, submission_key, result, created_at from hunt_call_in
    where puzzle_id = ${puzzleId} and account_id = ${accountId} order by id`
}

/** `earlier`: the call-in of the same text; `isSolved`: whether the account has found the answer. */
export async function selectStanding(
  sql: Sql,
  puzzleId: string,
  accountId: string,
  key: string,
): Promise<{ earlier: CallInRow | undefined; isSolved: boolean }> {
  const rows = await sql<CallInRow[]>`
    select submission, submission_key, result, created_at from hunt_call_in
    where puzzle_id = ${puzzleId} and account_id = ${accountId} and (result = 'correct' or md5(submission_key) = md5(${key}))`
  return { earlier: rows.find(({ submissionKey }) => submissionKey === key), isSolved: rows.some(({ result }) => result === 'correct') }
}

export async function insertCallIn(
  sql: Sql,
  puzzleId: string,
  accountId: string,
  { submission, submissionKey, result, createdAt }: CallInRow,
): Promise<void> {
  await sql`
    insert into hunt_call_in (puzzle_id, account_id, submission, submission_key, result, created_at)
    values (${puzzleId}, ${accountId}, ${submission}, ${submissionKey}, ${result}, ${createdAt})`
}

/** Call-ins with this key become correct. */
export async function updateToCorrect(sql: Sql, puzzleId: string, key: string): Promise<void> {
  await sql`update hunt_call_in set result = 'correct' where puzzle_id = ${puzzleId} and submission_key = ${key}`
}

/** Incorrect call-ins with one of these keys become hints. */
export async function updateToHints(sql: Sql, puzzleId: string, keys: readonly string[]): Promise<void> {
  await sql`
    update hunt_call_in set result = 'hint' where puzzle_id = ${puzzleId} and result = 'incorrect'
      and submission_key = any(${keys as string[]}::text[])`
}

/** True when there are no hunts. */
export async function hasNoHunts(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ none: boolean }[]>`select not exists (select from hunt) as none`
  return row?.none ?? false
}
