-- What a member of a chat has handed to the moderators with a report: a copy of the messages that they picked, and who was in the chat.
-- It stays as it was, whatever becomes of the messages.

create table report_excerpt (
  report_id uuid primary key references report (id) on delete cascade,
  title text not null,
  member_ids uuid[] not null,
  -- Id, author, text, image and time of each, in order.
  posts jsonb not null
);
