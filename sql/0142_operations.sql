-- Work that takes longer than a request: backups and their checks. Everybody who may look sees how far it is.

create table operation (
  id uuid primary key,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting' constraint operation_state check (state in ('waiting', 'running', 'done', 'failed')),
  -- How far it is, or how it ended, in a sentence.
  note text not null default '',
  asked_by uuid not null references account (id),
  created_at timestamptz(3) not null,
  -- The worker that does it says so every few seconds.
  beat_at timestamptz(3),
  ended_at timestamptz(3)
);
create index operation_newest on operation (created_at desc);
