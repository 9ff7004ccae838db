-- Words of performers, for a search.

create function joined_words(texts text[]) returns text language sql immutable parallel safe as $$
  select array_to_string(texts, ' ')
$$;

alter table performer add column search tsvector generated always as (
  to_tsvector('english', name || ' ' || coalesce(organization, '') || ' ' || coalesce(title, '') || ' ' || coalesce(bio, '') || ' ' ||
    joined_words(alternative_names))
) stored;
create index performer_search on performer using gin (search);
