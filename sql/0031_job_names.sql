-- Jobs are named after what they do: notify.
update outbox set job = 'alertword-notify' where job = 'alertword-tell';
update outbox set job = 'hits-notify' where job = 'hits-tell';
