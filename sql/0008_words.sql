-- Words that an account wants to hear of, and words in content that it does not want to see. Both are
-- normalised by the server: lower case, letters only.

create table alertword (
  account_id uuid not null references account (id),
  word text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (account_id, word)
);
-- New content is looked up by its words.
create index alertword_word on alertword (word, account_id);

create table muteword (
  account_id uuid not null references account (id),
  word text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (account_id, word)
);
