-- The item board: what people have to lend or give, and what they need.

alter type report_type add value 'quartermasterItem';

create type quartermaster_category as enum ('have', 'need');

create table quartermaster_item (
  id uuid primary key,
  owner_id uuid not null references account (id),
  category quartermaster_category not null,
  name text not null,
  description text,
  location text,
  -- Others do not see whose it is: it can be found at its location.
  hides_owner boolean not null,
  image text,
  image_sizes int[],
  moderation_status moderation_status not null default 'normal',
  created_at timestamptz(3) not null,
  -- By its owner or a moderator: the list is in this order.
  changed_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  search tsvector generated always as (
    to_tsvector('english', name || ' ' || coalesce(description, '') || ' ' || coalesce(location, ''))
  ) stored,
  constraint quartermaster_item_hidden_owner check (not hides_owner or location is not null)
);
create index quartermaster_item_newest on quartermaster_item (changed_at desc, id) where deleted_at is null;
create index quartermaster_item_owner on quartermaster_item (owner_id);
create index quartermaster_item_image on quartermaster_item (image) where image is not null;
create index quartermaster_item_search on quartermaster_item using gin (search);

-- An item as it was before a change.
create table quartermaster_edit (
  id uuid primary key,
  item_id uuid not null references quartermaster_item (id) on delete cascade,
  editor_id uuid not null references account (id),
  created_at timestamptz(3) not null,
  name text not null,
  description text,
  location text,
  hides_owner boolean not null,
  image text
);
create index quartermaster_edit_item on quartermaster_edit (item_id, created_at);
create index quartermaster_edit_editor on quartermaster_edit (editor_id);
create index quartermaster_edit_image on quartermaster_edit (image) where image is not null;
