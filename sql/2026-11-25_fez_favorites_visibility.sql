-- Private events that whoever has their address may see and join.
alter table fez add column unlisted boolean not null default false;
alter table fez add constraint fez_unlisted check (not unlisted or fez_type = 'privateEvent');

-- Favorites; in a shared inbox each of its team has marks of their own. `read_post_id` is null until they open the chat there.
alter table fez_member add column is_favorite boolean not null default false;
alter table fez_inbox_reader add column is_favorite boolean not null default false;
alter table fez_inbox_reader add column is_muted boolean not null default false;
alter table fez_inbox_reader alter column read_post_id drop not null;

-- Times as they were: somebody who has left a private event is shown the event as it was then.
alter table fez_edit add column start_time timestamptz(3);
alter table fez_edit add column end_time timestamptz(3);

-- Reports on private events, and what moderators did about them, have a type of their own; groups keep `fez`.
alter type report_type rename value 'personalEvent' to 'privateEvent';
update report set type = 'privateEvent' where type = 'fez'
  and reported_id in (select id::text from fez where fez_type in ('personalEvent', 'privateEvent'))
  and not exists (select from report as other where other.type = 'privateEvent' and other.reported_id = report.reported_id
    and other.author_id = report.author_id);
update moderator_action set content_type = 'privateEvent' where content_type = 'fez'
  and content_id in (select id::text from fez where fez_type in ('personalEvent', 'privateEvent'));
update audit set subject_type = 'privateEvent' where subject_type = 'personalEvent';
