-- Failed recoveries of names that nobody has are counted as those of accounts are, or the sixth would tell which
-- names there are. A bucket is a digest of the name, cut short: the table cannot grow without end.

create table unknown_recovery (
  bucket integer primary key,
  failures integer not null
);
