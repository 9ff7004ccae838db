-- The address under which calendar programs read what somebody has planned, without a password. One for each account.

create table calendar_subscription (
  account_id uuid primary key references account (id),
  -- SHA-256 of the secret in the address: the address itself is shown once.
  secret_digest bytea not null unique,
  created_at timestamptz(3) not null
);
