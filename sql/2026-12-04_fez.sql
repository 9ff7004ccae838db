-- Groups to join, with all that counting them needs: in place of fez_open, whose rows have to be looked up.
create index fez_joinable on fez (start_time, title, id) include (owner_id, fez_type)
  where deleted_at is null and not cancelled and fez_type not in ('closed', 'open', 'personalEvent', 'privateEvent');
