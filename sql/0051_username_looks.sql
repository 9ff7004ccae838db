-- How usernames look, as skeletons that the server computes: a new name must not look like another. Empty for names
-- from before, until the server has seen them, and for those that looked like another already.

alter table account add column look text, add column folded_look text;
create unique index account_look on account (look);
create unique index account_folded_look on account (folded_look);
