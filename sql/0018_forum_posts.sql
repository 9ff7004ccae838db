-- What forums and posts were before a change, and what accounts say about posts.

create table forum_edit (
  id uuid primary key,
  forum_id uuid not null references forum (id),
  editor_id uuid not null references account (id),
  title text not null,
  category_id uuid not null references forum_category (id),
  created_at timestamptz(3) not null
);
create index forum_edit_forum on forum_edit (forum_id, created_at);

create table forum_post_edit (
  id uuid primary key,
  post_id int not null references forum_post (id),
  editor_id uuid not null references account (id),
  text text not null,
  images text[],
  created_at timestamptz(3) not null
);
create index forum_post_edit_post on forum_post_edit (post_id, created_at);
-- Images are kept as long as a row refers to them.
create index forum_post_edit_images on forum_post_edit using gin (images) where images is not null;

create type post_reaction as enum ('laugh', 'like', 'love');

create table forum_post_mark (
  account_id uuid not null references account (id),
  post_id int not null references forum_post (id),
  reaction post_reaction,
  is_bookmarked boolean not null default false,
  primary key (account_id, post_id)
);
create index forum_post_mark_reaction on forum_post_mark (post_id, reaction, account_id) where reaction is not null;
