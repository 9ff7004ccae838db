-- Sessions of browsers, beside the one token of an account: each ends on its own. The cookie is random;
-- only its digest is kept.

create table browser_session (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  cookie_digest bytea not null unique,
  -- The kind of browser and system, for the user's list of devices.
  device text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index browser_session_account on browser_session (account_id);
