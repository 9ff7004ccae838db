-- What the frame itself needs: jobs waiting to be done, and answers kept for repeated requests.

-- A row is a promise made by a committed transaction; it goes when the job's own transaction commits.
create table outbox (
  id bigint generated always as identity primary key,
  job text not null,
  payload jsonb not null,
  run_at timestamptz(3) not null,
  request_id text not null default '',
  relayed_at timestamptz(3),
  attempt int not null default 0,
  failures int not null default 0,
  created_at timestamptz(3) not null default now()
);
create index outbox_due on outbox (run_at, id);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  route text not null,
  digest text not null,
  answer text,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, key, route)
);
create index idempotency_key_created on idempotency_key (created_at);

-- One row per setting that is not at its default, and facts that all nodes must agree on.
create table setting (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null default now()
);
