-- Width and height of each image, in the order of the names, so that a page knows them before the file is there. Null as
-- long as nobody has looked; empty when a file cannot be read.

alter table forum_post add column image_sizes int[];
alter table microblog_post add column image_sizes int[];
alter table fez_post add column image_sizes int[];
alter table stream_photo add column image_sizes int[];
alter table daily_theme add column image_sizes int[];

-- For the job that looks at images of older versions.
create index forum_post_unsized on forum_post (id) where image_sizes is null and images <> '{}';
create index microblog_post_unsized on microblog_post (id) where image_sizes is null and images <> '{}';
create index fez_post_unsized on fez_post (id) where image_sizes is null and image is not null;
create index stream_photo_unsized on stream_photo (id) where image_sizes is null;
