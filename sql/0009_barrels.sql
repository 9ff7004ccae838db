-- Lists of users and of words that accounts make for themselves. The built-in ones are views of other
-- tables and have no rows here.

create type barrel_kind as enum ('seamonkey', 'userWords');

create table barrel (
  id uuid primary key,
  account_id uuid not null references account (id),
  kind barrel_kind not null,
  name text not null,
  created_at timestamptz(3) not null
);
create index barrel_account on barrel (account_id);

create table barrel_user (
  barrel_id uuid not null references barrel (id) on delete cascade,
  user_id uuid not null references account (id),
  primary key (barrel_id, user_id)
);

create table barrel_word (
  barrel_id uuid not null references barrel (id) on delete cascade,
  word text collate "C" not null,
  primary key (barrel_id, word)
);
