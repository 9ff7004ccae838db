// Statements about board games and favorites among them.
import type { Sql } from '../core/db/db.ts'
import type { CatalogueGame, GameFacts } from './catalogue.ts'

export interface GameRow {
  id: string
  gameName: string
  facts: GameFacts
}

/** The whole library. */
export async function selectGames(sql: Sql): Promise<GameRow[]> {
  return await sql<GameRow[]>`select id, game_name, facts from boardgame where removed_at is null order by game_name, entry`
}

/** One reading of the file at a time, until the transaction ends. */
export async function lockGames(sql: Sql): Promise<void> {
  await sql`lock table boardgame in share row exclusive mode`
}

/** True when the library was never filled. */
export async function hasNoGames(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ none: boolean }[]>`select not exists (select from boardgame) as none`
  return row?.none ?? false
}

/** Makes the library hold exactly these games. Those that were there before, ever, keep their ids. */
export async function replaceGames(sql: Sql, games: readonly CatalogueGame[], now: Date): Promise<void> {
  // The planner knows nothing of new rows yet, and might compare two whole libraries pair by pair.
  await sql`set local enable_nestloop = off`
  await sql`
    with given as materialized (
      select * from unnest(${games.map(({ gameName }) => gameName)}::text[], ${games.map(({ entry }) => entry)}::int[],
        ${games.map(({ facts }) => JSON.stringify(facts))}::text[]::jsonb[])
        as given (game_name, entry, facts)),
    removed as (
      update boardgame set removed_at = ${now}
      where removed_at is null and not exists (select from given where given.game_name = boardgame.game_name
        and given.entry = boardgame.entry))
    insert into boardgame (game_name, entry, facts) select game_name, entry, facts from given
    on conflict (game_name, entry) do update set facts = excluded.facts, removed_at = null
    where boardgame.removed_at is not null or boardgame.facts <> excluded.facts`
}

/** Ids of an account's favorites, and of the games whose library title matches, where a search was asked for. */
export async function selectChosen(
  sql: Sql,
  accountId: string | undefined,
  search: string | undefined,
): Promise<{ favorites: string[]; found: string[] | null }> {
  const [row] = await sql<{ favorites: string[]; found: string[] | null }[]>`
    select ${
      accountId === undefined
        ? sql`'{}'::uuid[]`
        : sql`array(select game_id from boardgame_favorite
      where account_id = ${accountId})`
    } as favorites,
      ${
        search === undefined
          ? sql`null`
          : sql`array(select id from boardgame where removed_at is null
        and search @@ websearch_to_tsquery('english', ${search}))`
      } as found`
  return row ?? { favorites: [], found: [] }
}

/** `exists`: whether the game is in the library; `added`: whether it was no favorite before. */
export async function insertFavorite(sql: Sql, accountId: string, gameId: string, now: Date): Promise<{ exists: boolean; added: boolean }> {
  const [row] = await sql<{ exists: boolean; added: boolean }[]>`
    with game as (select id from boardgame where id = ${gameId} and removed_at is null),
    added as (
      insert into boardgame_favorite (account_id, game_id, created_at) select ${accountId}, id, ${now} from game
      on conflict do nothing returning 1)
    select exists (select from game) as exists, exists (select from added) as added`
  return row ?? { exists: false, added: false }
}

/** Returns false when it was no favorite. */
export async function deleteFavorite(sql: Sql, accountId: string, gameId: string): Promise<boolean> {
  const result = await sql`delete from boardgame_favorite where account_id = ${accountId} and game_id = ${gameId}`
  return result.count > 0
}
