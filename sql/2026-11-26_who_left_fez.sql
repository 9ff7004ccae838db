-- Chats that somebody has left: `/fez/former` read all that anybody is or was in.

create index fez_member_left on fez_member (account_id) where left_at is not null;
