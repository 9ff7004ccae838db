-- Puzzle hunts, and what solvers have called in.

create table hunt (
  id uuid primary key,
  title text not null,
  description text not null
);

create table hunt_puzzle (
  id uuid primary key,
  hunt_id uuid not null references hunt (id) on delete cascade,
  -- Order among puzzles that unlock together.
  position int not null,
  title text not null,
  body text not null,
  answer text not null,
  -- The answer as call-ins are compared with it, made by the server.
  answer_key text not null,
  -- Wrong answers in the form of keys, with what to say to them.
  hints jsonb not null,
  -- Absent: open from the beginning.
  unlock_time timestamptz(3)
);
create index hunt_puzzle_order on hunt_puzzle (hunt_id, unlock_time nulls first, position);

create table hunt_call_in (
  id int generated always as identity primary key,
  puzzle_id uuid not null references hunt_puzzle (id) on delete cascade,
  account_id uuid not null references account (id),
  submission text not null,
  submission_key text not null,
  result text not null constraint hunt_call_in_result check (result in ('correct', 'hint', 'incorrect')),
  created_at timestamptz(3) not null
);
-- By digest: an index entry does not have room for every text.
create unique index hunt_call_in_once on hunt_call_in (puzzle_id, account_id, md5(submission_key));
