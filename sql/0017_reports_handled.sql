-- The reports that a moderator is looking after: what he does meanwhile is tagged with the same group.
create table moderator_work (
  moderator_id uuid primary key references account (id),
  action_group uuid not null
);
