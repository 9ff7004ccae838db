-- Finding the rows that refer to a stored image.

create index account_image on account (user_image) where user_image is not null;
create index fez_post_image on fez_post (image) where image is not null;
create index profile_edit_image on profile_edit (user_image) where user_image is not null;
create index forum_post_images on forum_post using gin (images) where images is not null;
