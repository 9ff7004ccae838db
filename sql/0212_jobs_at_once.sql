-- A job that is to run at once has no time: it does not wait when the clock is set back.
alter table outbox alter column run_at drop not null;
