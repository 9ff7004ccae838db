-- What a node could not tell the others by Redis: frames of the bus, for some minutes.
create table bus_frame (
  id bigint generated always as identity primary key,
  -- A node, which is no row.
  sender uuid not null,
  channel text not null,
  frame bytea not null,
  sent_at timestamptz not null default now()
);
-- Of each node, the last word on whether Redis reaches it.
create index bus_frame_mark on bus_frame (sender, frame desc) where channel in ('apart', 'back');
