-- How events went, as those who held or attended them say: for the team.

create table event_feedback (
  id uuid primary key,
  author_id uuid not null references account (id),
  event_id uuid not null references event (id),
  -- The event as the author describes it. The time is floating, as those of events.
  event_title text not null,
  event_location text not null,
  event_time timestamptz(3) not null,
  host_name text not null,
  attendance text not null,
  recap text not null,
  issues text not null,
  -- Set by the team: somebody has to do something about it.
  is_actionable boolean not null default false,
  updated_at timestamptz(3) not null,
  constraint event_feedback_once unique (author_id, event_id)
);
create index event_feedback_event on event_feedback (event_id);
