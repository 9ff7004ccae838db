-- May help people at the desk whose accounts are out of their reach.
alter type user_role add value 'accountmanager';
