-- Who updated the schedule, and what it was before the latest update, so that this one can be undone.
alter table schedule_log
  add column actor_id uuid references account (id),
  -- Events of the schedule before it; only of the latest update that changed something.
  add column before jsonb,
  -- The update that this one undid.
  add column undoes int;
