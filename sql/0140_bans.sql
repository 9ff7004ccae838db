-- Bans with a reason, and with an end where they have one. A person that was banned without either has no row.

create table ban (
  person_id uuid primary key references account (id),
  reason text not null,
  -- Absent: for good.
  until timestamptz(3),
  -- The level of the accounts before; it comes back at the end.
  level_before access_level not null,
  banned_by uuid not null references account (id),
  created_at timestamptz(3) not null
);

-- The queue of reports shows what belongs together.
create index report_content on report (type, reported_id);
-- What moderators did with somebody's content.
create index moderator_action_target on moderator_action (target_user_id, created_at desc);
