-- The order in which the team wants categories of forums, and when one was changed last. Categories without a place come after those
-- that have one, the most restricted first.

alter table forum_category add column place int;
alter table forum_category add column updated_at timestamptz(3) not null default now();
