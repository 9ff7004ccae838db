-- The microblog: short posts for everybody, answers in groups, and what accounts say about them.

create table microblog_post (
  -- Given one after another, so that ids follow commit order.
  id int generated always as identity primary key,
  author_id uuid not null references account (id),
  -- Who really wrote it, when it was posted as moderator or service team.
  real_author_id uuid not null references account (id),
  text text not null,
  images text[] not null,
  -- The post that began the group of answers which this one belongs to: its own id for that one, null as long as nobody has answered.
  reply_group int references microblog_post (id),
  -- What searches for exactly one tag or name look at, lower case; see src/post/tags.ts.
  hashtags text[] not null,
  mentions text[] not null,
  moderation_status moderation_status not null default 'normal',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', text)) stored
);
create index microblog_post_newest on microblog_post (id desc) include (author_id, reply_group) where deleted_at is null;
create index microblog_post_created on microblog_post (created_at) where deleted_at is null;
create index microblog_post_of_author on microblog_post (author_id, id desc) where deleted_at is null;
create index microblog_post_group on microblog_post (reply_group, id) where deleted_at is null;
create index microblog_post_search on microblog_post using gin (search) where deleted_at is null;
create index microblog_post_hashtags on microblog_post using gin (hashtags) where deleted_at is null;
create index microblog_post_mentions on microblog_post using gin (mentions) where deleted_at is null;
-- Images are kept as long as a row refers to them.
create index microblog_post_images on microblog_post using gin (images);

create table microblog_post_edit (
  id uuid primary key,
  post_id int not null references microblog_post (id),
  editor_id uuid not null references account (id),
  text text not null,
  images text[] not null,
  created_at timestamptz(3) not null
);
create index microblog_post_edit_post on microblog_post_edit (post_id, created_at);
create index microblog_post_edit_images on microblog_post_edit using gin (images);

create table microblog_post_mark (
  account_id uuid not null references account (id),
  post_id int not null references microblog_post (id),
  reaction post_reaction,
  is_bookmarked boolean not null default false,
  primary key (account_id, post_id)
);
create index microblog_post_mark_reaction on microblog_post_mark (post_id, reaction, account_id) where reaction is not null;
