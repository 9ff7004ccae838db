-- The first member of a chat, and everybody who writes in it, has a row in fez_member for good, with foreign keys to the chat
-- and the account (moderators write in open chats without). So these cannot be deleted, and the foreign keys of posts said it
-- once more, for a quarter of the time of the statement that writes posts.
alter table fez_post
  drop constraint fez_post_fez_id_fkey,
  drop constraint fez_post_author_id_fkey,
  drop constraint fez_post_real_author_id_fkey;
