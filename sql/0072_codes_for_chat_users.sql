-- Codes for users of an outside chat, who have no booking: the team hands them out one by one.
alter table registration_code
  add column for_chat_user boolean not null default false,
  add column chat_username text,
  add constraint registration_code_chat_user check (chat_username is null or for_chat_user);
