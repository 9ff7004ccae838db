-- Keys of devices that an account can be signed in with in a browser (WebAuthn).
create table passkey (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  -- By which devices find it.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often it has signed; 0 with those that do not count.
  counter bigint not null,
  -- The host name of the pages that it is for.
  host text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id);
