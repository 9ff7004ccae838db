-- A person has one file with their own data made at a time, from whichever of their accounts.
alter table operation add column person_id uuid references account (id);
update operation set person_id = account.person_id from account where account.id = operation.asked_by and operation.kind = 'own-data';

-- Of several that have not ended, the first goes on.
update operation set state = 'failed', ended_at = now()
where kind = 'own-data' and state in ('waiting', 'running') and id not in (
  select distinct on (person_id) id from operation where kind = 'own-data' and state in ('waiting', 'running') order by person_id, created_at, id);

create unique index operation_own_data on operation (person_id) where kind = 'own-data' and state in ('waiting', 'running');
create index operation_of_person on operation (person_id, created_at desc) where person_id is not null;
