-- Performers: the official ones, and users who organise something themselves; and at which events they appear.

create table performer (
  id uuid primary key,
  -- The user whose page it is; official performers have none.
  account_id uuid constraint performer_account unique references account (id),
  is_official boolean not null,
  name text not null,
  -- Of the last word of the name: the order of lists, made by the server.
  sort_key text collate "C" not null,
  pronouns text,
  bio text,
  photo text,
  organization text,
  title text,
  website text,
  facebook_url text,
  x_url text,
  instagram_url text,
  youtube_url text,
  years_attended int[] not null,
  alternative_names text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Hidden everywhere. The row stays for its user, who may come back.
  deleted_at timestamptz(3)
);
create index performer_order on performer (is_official, sort_key, name, id) where deleted_at is null;
create index performer_photo on performer (photo) where photo is not null;

create table performer_event (
  performer_id uuid not null references performer (id),
  event_id uuid not null references event (id),
  primary key (performer_id, event_id)
);
create index performer_event_event on performer_event (event_id);

-- At most one row: counts changes of performers and of their events. Whoever changes them takes it first, one after another.
create table performer_change (
  only_one boolean primary key default true check (only_one),
  version int not null
);

-- What was uploaded last of each kind, to be compared and applied.
create table performer_upload (
  kind text primary key constraint performer_upload_kind check (kind in ('links', 'profiles')),
  content jsonb not null,
  uploader_id uuid not null references account (id),
  uploaded_at timestamptz(3) not null
);
