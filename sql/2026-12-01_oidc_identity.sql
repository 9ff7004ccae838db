-- Identities at a provider of OpenID Connect that an account can be signed in with.
create table oidc_identity (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  issuer text not null,
  -- By which the provider knows them, for good.
  subject text not null,
  -- By which they know themselves: a name or a mail address.
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (issuer, subject)
);
create index oidc_identity_account on oidc_identity (account_id);
