-- What is or was wrong with the machine, and the processes that say that they are there.

create table process (
  -- Another one for each start.
  id uuid primary key,
  kind text not null check (kind in ('server', 'worker')),
  name text not null,
  host text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- Stopped in order, or found to have been replaced.
  ended_at timestamptz(3)
);

create table incident (
  id int generated always as identity primary key,
  -- What it is about, and of what: one is open at a time.
  kind text not null,
  subject text not null,
  state text not null check (state in ('warning', 'bad')),
  sentence text not null,
  mend text,
  code text,
  "values" jsonb,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create unique index incident_open on incident (kind, subject) where ended_at is null;
create index incident_ended on incident (ended_at desc) where ended_at is not null;
