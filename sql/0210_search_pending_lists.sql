-- What new posts add to their search is sorted in 64 kB at a time. Postgres would gather 4 MB and sort them in within the
-- statement of one post, while all others wait: 150 to 200 ms.
alter index fez_post_search set (gin_pending_list_limit = 64);
alter index forum_post_search set (gin_pending_list_limit = 64);
alter index microblog_post_search set (gin_pending_list_limit = 64);
