-- Texts for everybody that the host has written in place of those that come with the program.
create table public_text (
  name text primary key,
  content text not null,
  author_id uuid references account (id),
  updated_at timestamptz(3) not null
);
