-- What jobs have come to, by kind, in steps of five minutes; and kinds that nobody works on at the moment.

create table job_run (
  at timestamptz(3) not null,
  job text not null,
  done int not null,
  failed int not null,
  -- Of all of them together, and of the longest.
  ms bigint not null,
  longest_ms int not null,
  primary key (at, job)
);

create table paused_job (
  job text primary key,
  paused_by uuid not null references account (id),
  paused_at timestamptz(3) not null
);
