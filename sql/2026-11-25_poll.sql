-- Polls: questions with choices, each about a post that has its words.

create type poll_place as enum ('fez', 'forum', 'microblog');

create table poll (
  id uuid primary key,
  author_id uuid not null references account (id),
  place poll_place not null,
  -- The chat that its post is in.
  fez_id uuid references fez (id),
  -- Null until the post is written. A poll without one is there for nobody.
  post_id int,
  question text not null,
  choices text[] not null,
  -- Somebody may vote for more than one.
  is_several boolean not null,
  -- Nobody sees who voted for what.
  is_anonymous boolean not null,
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint poll_in_chat check ((place = 'fez') = (fez_id is not null))
);
create unique index poll_post on poll (place, post_id);
create index poll_without_post on poll (created_at) where post_id is null;
create index poll_author on poll (author_id);

-- A person votes once, with whichever of their accounts.
create table poll_vote (
  poll_id uuid not null references poll (id) on delete cascade,
  person_id uuid not null references account (id),
  -- Index in the choices.
  choice smallint not null,
  account_id uuid not null references account (id),
  voted_at timestamptz(3) not null,
  primary key (poll_id, person_id, choice)
);
create index poll_vote_person on poll_vote (person_id);
create index poll_vote_account on poll_vote (account_id);
