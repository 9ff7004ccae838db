-- Photos that everybody sees as one stream, each of an event or of a place.

create table stream_photo (
  id int generated always as identity primary key,
  author_id uuid not null references account (id),
  image text not null,
  -- When it was taken, as its author says.
  created_at timestamptz(3) not null,
  event_id uuid references event (id),
  location text,
  moderation_status moderation_status not null default 'normal',
  deleted_at timestamptz(3),
  constraint stream_photo_place check (num_nonnulls(event_id, location) = 1)
);
create index stream_photo_author on stream_photo (author_id, id desc);
create index stream_photo_event on stream_photo (event_id, id desc) where event_id is not null;
create index stream_photo_image on stream_photo (image);
