-- Few accounts have roles; those of a role are listed.

create index account_with_roles on account using gin (roles) where roles <> '{}';
