-- Letters that moderators write again and again.
create table seamail_template (
  id uuid primary key,
  title text not null,
  content text not null,
  author_id uuid not null references account (id),
  updated_at timestamptz(3) not null
);
