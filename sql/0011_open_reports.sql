-- Counting the reports that nobody looks after yet must not read those that were settled long ago.
create index report_open on report (id) where not is_closed and handled_by is null;
