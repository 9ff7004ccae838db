-- Group chats: LFG groups, private threads (seamail) and, later, private events.

create type fez_type as enum ('closed', 'open', 'activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore', 'personalEvent', 'privateEvent');

create table fez (
  id uuid primary key,
  owner_id uuid not null references account (id),
  fez_type fez_type not null,
  title text not null,
  info text not null,
  location text,
  -- Floating times: the instant at which a clock in the port's zone shows the wanted wall clock.
  start_time timestamptz(3),
  end_time timestamptz(3),
  min_capacity int not null,
  max_capacity int not null,
  cancelled boolean not null default false,
  moderation_status moderation_status not null default 'normal',
  -- Numbers the events of this chat; bumped under the row lock in every writing transaction.
  seq int not null default 0,
  -- The number of posts that are not deleted, and the highest id among all posts ever made.
  post_count int not null default 0,
  last_post_id int not null default 0,
  member_count int not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', title || ' ' || info)) stored
);
create index fez_owner on fez (owner_id, created_at desc) where deleted_at is null;
create index fez_open on fez (start_time, title, id) where deleted_at is null and not cancelled and fez_type not in ('closed', 'open', 'personalEvent', 'privateEvent');
create index fez_starting on fez (start_time) where deleted_at is null and not cancelled;
create index fez_search on fez using gin (search);

-- A row stays when a member leaves, so that former members can be listed and a return revives it.
create table fez_member (
  fez_id uuid not null references fez (id),
  account_id uuid not null references account (id),
  -- Join order: taken from the chat's seq, so it only grows. The first max_capacity members take part, the others wait.
  position int not null,
  -- Everything up to this post has been read.
  read_post_id int not null default 0,
  is_muted boolean not null default false,
  -- Added by the owner and not looked at since.
  added boolean not null default false,
  left_at timestamptz(3),
  joined_at timestamptz(3) not null,
  primary key (fez_id, account_id)
);
create index fez_member_account on fez_member (account_id, fez_id) where left_at is null;
create index fez_member_order on fez_member (fez_id, position) where left_at is null;

create table fez_post (
  id int generated always as identity primary key,
  fez_id uuid not null references fez (id),
  author_id uuid not null references account (id),
  -- Who really wrote it, when it was posted as moderator or service team.
  real_author_id uuid not null references account (id),
  text text not null,
  image text,
  moderation_status moderation_status not null default 'normal',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', text)) stored
);
create index fez_post_page on fez_post (fez_id, id) include (author_id) where deleted_at is null;
create index fez_post_search on fez_post using gin (search) where deleted_at is null;

create table fez_edit (
  id uuid primary key,
  fez_id uuid not null references fez (id),
  editor_id uuid not null references account (id),
  title text not null,
  info text not null,
  location text not null,
  created_at timestamptz(3) not null
);
create index fez_edit_fez on fez_edit (fez_id, created_at);

-- Scheduled notices that have been sent: one row per item and start time, so each goes out once.
create table notice_sent (
  kind text not null,
  subject_id text not null,
  start_time timestamptz(3) not null,
  sent_at timestamptz(3) not null,
  primary key (kind, subject_id, start_time)
);

-- Zone changes of the trip.
create table time_zone_change (
  active_date timestamptz(3) primary key,
  abbreviation text not null,
  zone_id text not null
);
