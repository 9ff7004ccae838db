-- Requests that a server failed at, by kind and place: what the console shows of them outlives a restart.

create table fault (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  -- Of the server.
  source text not null,
  method text not null,
  path text not null,
  status int not null,
  code text not null,
  request_id text not null,
  cause text not null
);
create index fault_at on fault (at desc);
