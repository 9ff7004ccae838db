-- How far each member of a team has read the chats of the team's shared account. Without a row he has
-- read nothing, and has not looked at the chat since the account was added to it.

create table fez_inbox_reader (
  account_id uuid not null references account (id),
  -- The shared account: a member of the chat.
  inbox_id uuid not null references account (id),
  fez_id uuid not null references fez (id),
  -- Everything up to this post has been read.
  read_post_id int not null,
  primary key (account_id, inbox_id, fez_id)
);
create index fez_inbox_reader_chat on fez_inbox_reader (fez_id, inbox_id);

-- So far a team had read what one of it had read.
insert into fez_inbox_reader (account_id, inbox_id, fez_id, read_post_id)
select account.id, member.account_id, member.fez_id, member.read_post_id
from fez_member member
join account on account.level >= case member.account_id
  when '00000000-0000-4000-8000-000000000003' then 'moderator'::access_level
  when '00000000-0000-4000-8000-000000000004' then 'serviceteam'::access_level end
where member.left_at is null and not member.added;
