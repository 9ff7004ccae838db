-- Announcements to everybody, and how far each account has read them.

create table announcement (
  -- Given under a lock of the table, so that ids follow commit order: one read mark per account is enough.
  id int generated always as identity primary key,
  author_id uuid not null references account (id),
  text text not null,
  -- Floating.
  display_until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);

-- The highest announcement that the account has read; never lowered.
alter table account add column read_announcement_id int not null default 0;
