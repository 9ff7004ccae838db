-- How far the clocks of people's devices are from the server's.

create table device_clock (
  account_id uuid primary key references account (id) on delete cascade,
  -- The device's time less the server's.
  seconds_ahead int not null,
  told_at timestamptz(3) not null
);
create index device_clock_told on device_clock (told_at);
