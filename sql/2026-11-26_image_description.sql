-- What is to be seen in pictures, in the words of whoever has uploaded them.

create table image_description (
  image text primary key,
  account_id uuid not null references account (id),
  description text not null,
  created_at timestamptz(3) not null
);
create index image_description_account on image_description (account_id);
