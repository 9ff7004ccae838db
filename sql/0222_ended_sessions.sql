-- Browser sessions that somebody ended on purpose, from elsewhere: the browser that still has the cookie hears that it is to
-- forget what it keeps of the account. A session that has merely expired leaves no row.

create table ended_session (
  cookie_digest bytea primary key,
  account_id uuid not null references account (id) on delete cascade,
  ended_at timestamptz(3) not null
);
create index ended_session_account on ended_session (account_id, ended_at);
create index ended_session_ended_at on ended_session (ended_at);
