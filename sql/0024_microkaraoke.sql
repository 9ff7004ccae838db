-- Micro karaoke: songs that are sung by many, one slot each.

create table mk_song (
  id int generated always as identity primary key,
  -- Also the name of the folder with its sounds.
  name text not null,
  artist text not null,
  bpm int not null,
  is_portrait boolean not null,
  -- Seconds; one for each slot.
  durations float8[] not null,
  is_complete boolean not null default false,
  mod_approved boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint mk_song_approved_when_complete check (is_complete or not mod_approved)
);
create index mk_song_building on mk_song (id) where not is_complete;

-- Who has a slot, or had it last: what is left of an expired or deleted one stays until the slot is given away anew.
create table mk_snippet (
  id uuid primary key,
  song_id int not null references mk_song (id),
  slot int not null,
  author_id uuid not null references account (id),
  -- Comes with the song; nobody sings it.
  is_filler boolean not null default false,
  -- Of an offer; null once there is a video.
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  constraint mk_snippet_slot unique (song_id, slot)
);
create index mk_snippet_author on mk_snippet (author_id);
