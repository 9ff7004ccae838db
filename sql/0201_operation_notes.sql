-- What long work says of itself as a code and figures, so that pages say it in the reader's language.
alter table operation
  add column note_code text,
  add column note_values jsonb;
