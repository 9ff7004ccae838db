-- A second factor of an account: six digits that change every half minute, of an app for that.
create table second_factor (
  account_id uuid primary key references account on delete cascade,
  -- What the digits are made of, encrypted with a key that is not in the database.
  secret bytea not null,
  -- Null while it is being set up: it counts for nothing until then.
  confirmed_at timestamptz,
  -- The latest half minute whose digits were used: each is good for once.
  last_step bigint not null default 0,
  -- Digests of the codes that take the place of the digits, each of them once.
  recovery_codes bytea[] not null default '{}'
);
