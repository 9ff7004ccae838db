-- Whether two accounts are in a block as of now: inside a statement that has waited for a lock, also one
-- that was made meanwhile. A volatile function takes a snapshot of its own; one with a sub-select is not
-- merged into the statement that calls it.
create function in_block_now(viewer uuid, other uuid) returns boolean language sql volatile as $$
  select exists (select from unnest(blocked_accounts(viewer)) as blocked (id) where blocked.id = other)
$$;
