-- What the console keeps: when accounts were last seen, figures by the minute, why a job failed.

create table account_seen (
  account_id uuid primary key references account (id) on delete cascade,
  seen_at timestamptz(3) not null
);

-- One row a minute for the whole cluster.
create table figure (
  minute timestamptz(3) primary key,
  online int not null,
  requests int not null,
  errors int not null,
  posts int not null,
  -- Milliseconds; absent in a minute without requests.
  p50 real,
  p99 real,
  lag real not null,
  waiting int not null,
  memory_mb int not null,
  disk_free_mb int
);

alter table outbox add column last_error text;

create index audit_newest on audit (created_at desc, id desc);
create index audit_of on audit (user_id, id desc);
