-- Rules that several statements need stand in one place each.

create or replace function hidden_authors(viewer uuid) returns uuid[] language sql stable as $$
  select array(select muted_id from mute where account_id = viewer union select unnest(blocked_accounts(viewer)))
$$;

-- As isHidden in src/moderation/types.ts.
create function is_hidden(status moderation_status) returns boolean language sql immutable as $$
  select status in ('quarantined', 'autoQuarantined')
$$;

-- A forum of somebody in a block is hidden, except in a category whose forums only moderators create.
create function shows_creator(create_level access_level, creator_id uuid, blocked uuid[]) returns boolean language sql immutable as $$
  select create_level >= 'moderator' or creator_id <> all (blocked)
$$;

-- As blocked_accounts, as of now: inside a statement that has waited for a lock, also blocks that were made
-- meanwhile. A volatile function takes a snapshot of its own; one with a sub-select is not merged into the statement.
drop function in_block_now;
create function blocked_accounts_now(viewer uuid) returns uuid[] language sql volatile as $$
  select (select blocked_accounts(viewer))
$$;
