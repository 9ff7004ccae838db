-- Devices that are told of notices while the app is closed, by the push service of their browser.

create table push_device (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- Of the browser session that made it; empty when an app's token did.
  session_key text not null,
  -- Of the push service; whoever knows it and the keys can write to the device.
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  -- Of notices that are wanted.
  types text[] not null,
  -- Nothing is sent from the one time to the other, as 22:30, by the clock of the device.
  quiet_from text,
  quiet_to text,
  time_zone text,
  created_at timestamptz(3) not null
);
create index push_device_account on push_device (account_id);
