-- What changes of names and profiles leave behind, and searching by parts of names.

create extension if not exists pg_trgm;

-- The profile as it was before a change: for moderators, and for the limit on changing one's own name.
create table profile_edit (
  id uuid primary key,
  account_id uuid not null references account (id),
  editor_id uuid not null references account (id),
  username text not null,
  -- All profile fields under their wire names.
  profile jsonb not null,
  user_image text,
  created_at timestamptz(3) not null
);
create index profile_edit_account on profile_edit (account_id, created_at desc);

create index account_username_part on account using gin (username_key gin_trgm_ops);
create index account_search_part on account using gin (lower(user_search) gin_trgm_ops);
