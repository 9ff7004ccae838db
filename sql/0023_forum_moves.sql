-- Only a move keeps the category that a forum was in before; until now all changes were of titles.
alter table forum_edit alter column category_id drop not null;
update forum_edit set category_id = null;
