-- Clients ask for the profiles that have changed since they last asked.

create index account_profile_updated on account (profile_updated_at);
