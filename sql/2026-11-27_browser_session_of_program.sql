-- Sessions of programs: made by hand, with a name in place of the device, and an end that no use moves.

-- What the program may do. Null for browsers.
alter table browser_session add column scope text check (scope in ('all', 'read'));
