-- What an account keeps about others for itself: favorites and notes.

create table favorite (
  account_id uuid not null references account (id),
  favorite_id uuid not null references account (id),
  created_at timestamptz(3) not null,
  primary key (account_id, favorite_id)
);
create index favorite_favorite on favorite (favorite_id);

create table note (
  id uuid primary key,
  author_id uuid not null references account (id),
  subject_id uuid not null references account (id),
  note text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint note_once unique (author_id, subject_id)
);
