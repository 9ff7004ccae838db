-- What moderators have done about one thing is read with every look at it, and before each of their actions.
create index audit_subject on audit (subject_type, subject_id, id desc);
