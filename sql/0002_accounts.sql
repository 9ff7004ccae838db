-- Accounts, persons (a primary account with its sub-accounts), and what accounts say about each other.

create type access_level as enum ('banned', 'unverified', 'quarantined', 'verified', 'client', 'moderator', 'serviceteam', 'tho', 'admin');
create type moderation_status as enum ('normal', 'autoQuarantined', 'quarantined', 'modReviewed', 'locked');
create type user_role as enum ('karaokemanager', 'shutternautmanager', 'shutternaut', 'karaokeambassador', 'performerselfeditor');
create type dinner_team as enum ('red', 'gold', 'sro');

create table account (
  id uuid primary key,
  -- The primary account of the person; its own id for a primary account.
  person_id uuid not null references account (id),
  username text not null,
  -- Lower-cased by the server: names are unique whatever their case.
  username_key text not null unique,
  level access_level not null,
  roles user_role[] not null default '{}',
  -- A built-in or client account: its name and level cannot be changed.
  special boolean not null default false,
  password_hash text not null,
  -- Of the normalised key; the same for all accounts of a person.
  recovery_key_hash text,
  recovery_failures int not null default 0,
  temp_quarantine_until timestamptz(3),
  -- An access token is derived from this nonce and the server's secret; only the digest of the token is kept.
  token_nonce bytea,
  token_digest bytea unique,
  moderation_status moderation_status not null default 'normal',
  display_name text,
  real_name text,
  preferred_pronoun text,
  home_location text,
  room_number text,
  email text,
  message text,
  about text,
  dinner_team dinner_team,
  discord_username text,
  user_image text,
  -- What name searches look at: display name, @username, real name.
  user_search text not null,
  profile_updated_at timestamptz(3) not null,
  -- Counts changes of what others see of the account, under its row lock: caches keep the highest.
  rev int not null default 1,
  created_at timestamptz(3) not null
);
create index account_person on account (person_id);

create table registration_code (
  -- Lower case, no spaces.
  code text primary key,
  person_id uuid unique references account (id),
  used_for_recovery boolean not null default false
);

-- As entered: this person blocks this one account. What it hides is worked out for both persons.
create table block (
  person_id uuid not null references account (id),
  blocked_id uuid not null references account (id),
  created_at timestamptz(3) not null default now(),
  primary key (person_id, blocked_id)
);
create index block_blocked on block (blocked_id);

create table mute (
  account_id uuid not null references account (id),
  muted_id uuid not null references account (id),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, muted_id)
);
create index mute_muted on mute (muted_id);

create type report_type as enum ('forum', 'forumPost', 'twarrt', 'userProfile', 'fez', 'fezPost', 'mkSong', 'mkSongSnippet', 'streamPhoto', 'personalEvent');

create table report (
  id uuid primary key,
  type report_type not null,
  reported_id text not null,
  -- Owner of the reported content.
  reported_user_id uuid not null references account (id),
  -- Primary account of the reporter.
  author_id uuid not null references account (id),
  message text not null,
  handled_by uuid references account (id),
  action_group uuid,
  is_closed boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint report_once unique (type, reported_id, author_id)
);
create index report_newest on report (created_at desc);

create table moderator_action (
  id uuid primary key,
  action_type text not null,
  content_type report_type not null,
  content_id text not null,
  moderator_id uuid not null references account (id),
  target_user_id uuid not null references account (id),
  action_group uuid,
  created_at timestamptz(3) not null
);
create index moderator_action_newest on moderator_action (created_at desc);

-- Persons that this person blocks or is blocked by.
create function blocked_persons(viewer_person uuid) returns uuid[] language sql stable as $$
  select array(
    select account.person_id from block join account on account.id = block.blocked_id where block.person_id = viewer_person
    union
    select block.person_id from block join account on account.id = block.blocked_id where account.person_id = viewer_person)
$$;

-- Accounts whose content a viewer does not get to see: muted by this account, or in a block with its
-- person. Moderators and above neither hide from blocks nor are hidden by them.
create function hidden_authors(viewer uuid) returns uuid[] language sql stable as $$
  select array(
    select muted_id from mute where account_id = viewer
    union
    select other.id from account as me
      join account as other on other.person_id = any (blocked_persons(me.person_id))
      where me.id = viewer and me.level < 'moderator' and other.level < 'moderator')
$$;
