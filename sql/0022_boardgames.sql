-- The library of board games and who has favorited what in it.

create table boardgame (
  id uuid primary key default gen_random_uuid(),
  -- The library's own title, and which of several entries with the same one: what a game is known by when its file is read again.
  game_name text not null,
  entry int not null,
  -- Everything else that the file says; see src/boardgames/catalogue.ts.
  facts jsonb not null,
  -- When it was last found missing in the file. It comes back with its favorites.
  removed_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', game_name)) stored,
  constraint boardgame_once unique (game_name, entry)
);
create index boardgame_search on boardgame using gin (search) where removed_at is null;

create table boardgame_favorite (
  account_id uuid not null references account (id),
  game_id uuid not null references boardgame (id),
  created_at timestamptz(3) not null,
  primary key (account_id, game_id)
);
