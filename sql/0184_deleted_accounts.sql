-- Accounts that their person has deleted. The row stays for what others still read; nothing in it says whose it was.
alter table account add column deleted_at timestamptz(3);
