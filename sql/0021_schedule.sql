-- The schedule: events as the calendar last had them, who follows them, the calendar that waits to be
-- applied, and what was changed when.

create type event_type as enum ('gaming', 'general', 'livePodcast', 'mainConcert', 'officeHours', 'party', 'qaPanel', 'readingPerformance', 'shadow', 'signing', 'workshop', 'dining');

create table event (
  id uuid primary key,
  -- What the calendar calls it: the same in every version of the file and on every server.
  uid text not null constraint event_uid unique,
  title text not null,
  description text not null,
  location text not null,
  event_type event_type not null,
  -- Floating times: the instant at which a clock in the port's zone shows the wanted wall clock.
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  -- Null when there was no category for it.
  forum_id uuid constraint event_forum unique references forum (id),
  updated_at timestamptz(3) not null,
  -- A row stays: its followers and its forum come back with it.
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', title || ' ' || description)) stored
);
create index event_start on event (start_time) where deleted_at is null;
create index event_search on event using gin (search) where deleted_at is null;

create table event_follower (
  account_id uuid not null references account (id),
  event_id uuid not null references event (id),
  created_at timestamptz(3) not null,
  primary key (account_id, event_id)
);
create index event_follower_event on event_follower (event_id);

-- At most one row: a new upload takes the place of the one before.
create table schedule_upload (
  only_one boolean primary key default true check (only_one),
  calendar text not null,
  uploader_id uuid not null references account (id),
  uploaded_at timestamptz(3) not null
);

create table schedule_log (
  id int generated always as identity primary key,
  automatic boolean not null,
  change_count int not null,
  -- An EventUpdateDifferenceData; null when nothing was changed.
  difference jsonb,
  -- Why an automatic run changed nothing although it should have.
  error text,
  created_at timestamptz(3) not null
);
