-- Where a person has logged in before: there he gets in although somebody elsewhere keeps guessing his
-- password. Addresses are kept as digests made with the servers' secret.

create table known_address (
  person_id uuid not null references account (id),
  address_digest bytea not null,
  seen_at timestamptz(3) not null,
  primary key (person_id, address_digest)
);
