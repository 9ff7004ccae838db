-- A GIN index gathers new rows in a pending list, and sorts it in within the statement that fills it. With the default of
-- 4 MB one post took 150 to 200 ms, and all others waited for it.
alter index fez_post_search set (gin_pending_list_limit = 64);
alter index forum_post_search set (gin_pending_list_limit = 64);
alter index microblog_post_search set (gin_pending_list_limit = 64);
