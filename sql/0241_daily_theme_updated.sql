-- The version of a theme: whoever changes one that somebody else has changed meanwhile is told.
alter table daily_theme add column updated_at timestamp(3) with time zone not null default now();
