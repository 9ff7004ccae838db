-- Slow mode: a person posts once in so many seconds in a forum, a chat or the microblog. Zero: as often as they like.
alter table forum add column slow_seconds int not null default 0;
alter table fez add column slow_seconds int not null default 0;

-- When a person last posted where slow mode is on.
create table slow_post (
  place text not null,
  person_id uuid not null references account (id) on delete cascade,
  posted_at timestamptz(3),
  primary key (place, person_id)
);
create index slow_post_person on slow_post (person_id);
