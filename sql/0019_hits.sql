-- What is there for an account in content by others: mentions, alertwords, songs. All numbers that are
-- shown of them are counted from these rows.

create type hit_kind as enum ('microblogMention', 'forumMention', 'moderatorForumMention', 'serviceTeamForumMention', 'microblogAlertword', 'forumAlertword', 'microKaraokeSong');

create table hit (
  account_id uuid not null references account (id),
  kind hit_kind not null,
  -- Of alertwords; empty for everything else.
  word text collate "C" not null default '',
  -- The post or song.
  item_id int not null,
  -- Not looked at since.
  is_new boolean not null default true,
  -- Counting an account's rows reads only this index.
  primary key (account_id, kind, word, item_id) include (is_new)
);
create index hit_item on hit (item_id, kind);

-- Every hashtag that was ever used, without its #: for completion.
create table hashtag (
  tag text collate "C" primary key
);
