-- How many of a chat's numbered events were posts. What the others change may decide who can post: as long as
-- `seq - post_events` stays, a chat that was looked at a moment ago can be posted in.
alter table fez add column post_events int not null default 0;

-- A job looks for alertwords in all posts that one statement has written.
update outbox set payload = jsonb_build_object('feed', payload->'feed', 'postIds', jsonb_build_array(payload->'postId'))
where job = 'alertword-scan' and payload ? 'postId';
