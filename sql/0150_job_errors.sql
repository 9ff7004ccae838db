-- Of the error of a job, only its kind is kept: its words may quote what a user wrote.
update outbox set last_error = split_part(last_error, ':', 1) where last_error is not null;
