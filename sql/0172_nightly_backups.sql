-- The backup of the night is long work that nobody in particular has asked for.

alter table operation alter column asked_by drop not null;
