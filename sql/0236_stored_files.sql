-- How many bytes of pictures and recordings each person has on this server. Where a reservation stands, its name has no extension
-- yet; names of files in other folders than those of pictures are paths below that of pictures.
create table stored_file (
  name text primary key,
  person_id uuid not null references account (id),
  bytes bigint not null constraint stored_file_bytes check (bytes >= 0),
  created_at timestamptz(3) not null
);
create index stored_file_person on stored_file (person_id) include (bytes);
