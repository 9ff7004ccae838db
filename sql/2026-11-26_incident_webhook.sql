-- Where incidents are told outside of the product, and what is still to be told there.

create table incident_webhook (
  -- One row at most.
  id boolean primary key default true check (id),
  -- Whoever knows it can often write there.
  url text not null
);

create table incident_message (
  id int generated always as identity primary key,
  incident_id int not null references incident (id) on delete cascade,
  -- Of its end; else of its beginning.
  is_over boolean not null,
  attempts int not null default 0,
  due_at timestamptz(3) not null
);
