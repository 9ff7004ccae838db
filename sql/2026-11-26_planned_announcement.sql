-- Announcements that are written ahead: each becomes one when its time has come, with the next number, so that nobody has read it before.

create table planned_announcement (
  id uuid primary key,
  -- In whose name.
  author_id uuid not null references account (id),
  -- Who wrote it.
  planned_by uuid not null references account (id),
  text text not null,
  -- Both floating, as everything that happens aboard.
  show_at timestamptz(3) not null,
  display_until timestamptz(3) not null,
  created_at timestamptz(3) not null
);
