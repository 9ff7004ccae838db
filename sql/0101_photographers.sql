-- Events whose pictures somebody shall take, and the users who have said that they will.

create table event_photo_wish (
  event_id uuid primary key references event (id)
);

create table event_photographer (
  account_id uuid not null references account (id),
  event_id uuid not null references event (id),
  created_at timestamptz(3) not null,
  primary key (account_id, event_id)
);
create index event_photographer_event on event_photographer (event_id, created_at);
