-- Who did what to whom with a right that others do not have. Rows are only ever added.
create table audit (
  id bigint generated always as identity primary key,
  actor_id uuid not null references account (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  -- Whom it concerns: the user himself, or the owner of the content.
  user_id uuid references account (id),
  details jsonb not null,
  -- The same as in the logs.
  request_id text not null,
  created_at timestamptz(3) not null
);
create index audit_user on audit (user_id, id);
create index audit_actor on audit (actor_id, id);

-- The team is listed by level.
create index account_team on account (level) where level >= 'moderator';
-- Everything a person was ever reported for.
create index report_reported_user on report (reported_user_id, created_at desc);
