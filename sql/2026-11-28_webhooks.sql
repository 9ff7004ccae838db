-- Programs elsewhere that are told of what happens, as admins have set it.

create table webhook_endpoint (
  id uuid primary key,
  name text not null,
  url text not null,
  -- With which what is sent there is signed; whoever reads this table can sign, too.
  secret bytea not null,
  -- Of what it is told.
  kinds text[] not null,
  is_paused boolean not null default false,
  -- After a failure nothing is tried before then.
  not_before timestamptz(3),
  created_at timestamptz(3) not null
);

-- One event for one of them.
create table webhook_delivery (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  kind text not null,
  -- As it is sent.
  body text not null,
  created_at timestamptz(3) not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  last_tried_at timestamptz(3),
  -- Of the last attempt: what the address has answered, or why there was no answer.
  status smallint,
  reason text
);
create index on webhook_delivery (endpoint_id, created_at desc);
create index on webhook_delivery (created_at);
