-- Whose cabin it is: the team looks people up by what stands on their door.

create index account_room on account (lower(room_number));
