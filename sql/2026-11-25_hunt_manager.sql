-- Who writes puzzle hunts without being of the team.
alter type user_role add value 'huntmanager';
