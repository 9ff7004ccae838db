-- When a code was added: the newest are listed first.

alter table registration_code add column created_at timestamptz(3) not null default now();
create index registration_code_created on registration_code (created_at desc, code);
