-- What was deleted goes for good when it is old enough: it is found by when, and by where it stood.

create index fez_deleted on fez (deleted_at) where deleted_at is not null;
create index fez_post_deleted on fez_post (fez_id, deleted_at) where deleted_at is not null;
create index forum_deleted on forum (deleted_at) where deleted_at is not null;
create index forum_post_deleted on forum_post (forum_id, deleted_at) where deleted_at is not null;
create index microblog_post_deleted on microblog_post (deleted_at) where deleted_at is not null;

-- Each post that goes would have these tables searched from end to end. Its marks go with it, and a thread before its first post.
alter table forum_post_mark drop constraint forum_post_mark_post_id_fkey;
alter table microblog_post_mark drop constraint microblog_post_mark_post_id_fkey;
alter table microblog_post drop constraint microblog_post_reply_group_fkey;
create index microblog_post_group_deleted on microblog_post (reply_group) where deleted_at is not null;
