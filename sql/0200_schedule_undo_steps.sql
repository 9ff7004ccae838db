-- Undo of more than the newest update: each keeps the events before it. An undo is marked, since undoing it applies the update again.
alter table schedule_log add column is_undo boolean not null default false;
update schedule_log set is_undo = true where undoes is not null;
