-- Forums: categories, threads and their posts, and how far each account has read each thread.

create table forum_category (
  id uuid primary key,
  title text not null constraint forum_category_title unique,
  purpose text not null,
  is_event boolean not null default false,
  -- Lowest levels that may see the category and start forums in it.
  view_level access_level not null,
  create_level access_level not null,
  -- Below moderator, only holders see the category.
  required_role user_role,
  -- Forums that are not deleted.
  forum_count int not null default 0,
  created_at timestamptz(3) not null default now()
);

create table forum (
  id uuid primary key,
  category_id uuid not null references forum_category (id),
  creator_id uuid not null references account (id),
  title text not null,
  -- Lower-cased by the server: what lists are sorted by.
  title_key text collate "C" not null,
  moderation_status moderation_status not null default 'normal',
  is_pinned boolean not null default false,
  -- The number of posts that are not deleted, and the highest id among all posts ever made.
  post_count int not null default 0,
  last_post_id int not null default 0,
  -- When somebody last posted.
  last_post_time timestamptz(3) not null,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', title)) stored
);
create index forum_of_category on forum (category_id, last_post_time desc) where deleted_at is null;
create index forum_of_creator on forum (creator_id) where deleted_at is null;
create index forum_search on forum using gin (search) where deleted_at is null;

create table forum_post (
  -- Given under the lock of the forum's row, so that within a forum ids follow commit order.
  id int generated always as identity primary key,
  forum_id uuid not null references forum (id),
  author_id uuid not null references account (id),
  -- Who really wrote it, when it was posted as moderator or service team.
  real_author_id uuid not null references account (id),
  text text not null,
  -- Null for posts of the system that never had a list.
  images text[],
  -- What searches for exactly one tag or name look at, lower case; see src/forum/tags.ts.
  hashtags text[] not null default '{}',
  mentions text[] not null default '{}',
  moderation_status moderation_status not null default 'normal',
  is_pinned boolean not null default false,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (to_tsvector('english', text)) stored
);
create index forum_post_page on forum_post (forum_id, id) include (author_id, created_at) where deleted_at is null;
-- For counting what a viewer hides in a forum, and for the posts of one author.
create index forum_post_author on forum_post (forum_id, author_id) where deleted_at is null;
create index forum_post_of_author on forum_post (author_id, id desc) where deleted_at is null;
create index forum_post_newest on forum_post (id desc) include (forum_id, author_id) where deleted_at is null;
create index forum_post_search on forum_post using gin (search) where deleted_at is null;
create index forum_post_hashtags on forum_post using gin (hashtags) where deleted_at is null;
create index forum_post_mentions on forum_post using gin (mentions) where deleted_at is null;
create index forum_post_pinned on forum_post (forum_id, id) where is_pinned and deleted_at is null;

create table forum_reader (
  account_id uuid not null references account (id),
  forum_id uuid not null references forum (id),
  -- Everything up to this post has been read.
  read_post_id int not null default 0,
  is_favorite boolean not null default false,
  is_muted boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, forum_id),
  constraint forum_favorite_or_muted check (not (is_favorite and is_muted))
);
create index forum_reader_recent on forum_reader (account_id, updated_at desc);

-- Accounts that are in a block with the viewer's person. Moderators and above neither hide nor are hidden.
create function blocked_accounts(viewer uuid) returns uuid[] language sql stable as $$
  select array(
    select other.id from account as me
      join account as other on other.person_id = any (blocked_persons(me.person_id))
      where me.id = viewer and me.level < 'moderator' and other.level < 'moderator')
$$;

-- Who sees a category and everything in it.
create function may_view(view_level access_level, required_role user_role, viewer_level access_level, viewer_roles user_role[]) returns boolean language sql immutable as $$
  select viewer_level >= view_level and (viewer_level >= 'moderator' or required_role is null or required_role = any (viewer_roles))
$$;
