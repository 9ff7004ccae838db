-- Hours in which warnings wait, by the ship's clock as HH:MM; both or neither.

alter table incident_webhook
  add quiet_from text check (quiet_from ~ '^\d\d:\d\d$'),
  add quiet_to text check (quiet_to ~ '^\d\d:\d\d$'),
  add check ((quiet_from is null) = (quiet_to is null));

-- The end of the quiet hours in which a message began to wait.
alter table incident_message add held_until timestamptz(3);
