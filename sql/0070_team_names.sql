-- Both names of the team are its own from now on: somebody who has one of them keeps it with a number behind it.
-- Their key is derived from the name as for every account.
update account set
  username = username || '-' || left(replace(id::text, '-', ''), 6),
  username_key = username_key || '-' || left(replace(id::text, '-', ''), 6),
  user_search = replace(user_search, '@' || username, '@' || username || '-' || left(replace(id::text, '-', ''), 6)),
  profile_updated_at = now(),
  rev = rev + 1
where username_key = 'twitarrteam' and id <> '00000000-0000-4000-8000-000000000004';
