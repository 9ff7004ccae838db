-- The karaoke library, who has favorited which song, and who sang what.

create table karaoke_song (
  id uuid primary key default gen_random_uuid(),
  artist text not null,
  song_name text not null,
  -- Counts the recordings of a song. With artist and title, what a song is known by when its file is read again.
  version int not null,
  is_midi boolean not null,
  is_voice_reduced boolean not null,
  -- What lists are sorted by, made by the server.
  artist_key text collate "C" not null,
  song_key text collate "C" not null,
  -- When it was last found missing in the file. It comes back with its favorites; what was sung stays in the log.
  removed_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', artist || ' ' || song_name)) stored,
  constraint karaoke_song_once unique (artist, song_name, version),
  constraint karaoke_song_kind check (not (is_midi and is_voice_reduced))
);
create index karaoke_song_order on karaoke_song (artist_key, song_key, id) where removed_at is null;
create index karaoke_song_search on karaoke_song using gin (search);

create table karaoke_favorite (
  account_id uuid not null references account (id),
  song_id uuid not null references karaoke_song (id),
  created_at timestamptz(3) not null,
  primary key (account_id, song_id)
);

create table karaoke_performance (
  id int generated always as identity primary key,
  song_id uuid not null references karaoke_song (id),
  -- Who wrote it down.
  manager_id uuid not null references account (id),
  -- Who sang, as a text for people, and the same as searches look at it.
  performers text not null,
  performers_key text not null,
  created_at timestamptz(3) not null
);
create index karaoke_performance_song on karaoke_performance (song_id, id);
