-- What all migrations together make. Generated; see test/core/schema.test.ts.

create type access_level as enum ('banned', 'unverified', 'quarantined', 'verified', 'client', 'moderator', 'serviceteam', 'tho', 'admin');

create type barrel_kind as enum ('seamonkey', 'userWords');

create type dinner_team as enum ('red', 'gold', 'sro');

create type event_type as enum ('gaming', 'general', 'livePodcast', 'mainConcert', 'officeHours', 'party', 'qaPanel', 'readingPerformance', 'shadow', 'signing', 'workshop', 'dining');

create type fez_type as enum ('closed', 'open', 'activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore', 'personalEvent', 'privateEvent');

create type hit_kind as enum ('microblogMention', 'forumMention', 'moderatorForumMention', 'serviceTeamForumMention', 'microblogAlertword', 'forumAlertword', 'microKaraokeSong');

create type moderation_status as enum ('normal', 'autoQuarantined', 'quarantined', 'modReviewed', 'locked');

create type poll_place as enum ('fez', 'forum', 'microblog');

create type post_reaction as enum ('laugh', 'like', 'love');

create type quartermaster_category as enum ('have', 'need');

create type report_type as enum ('forum', 'forumPost', 'twarrt', 'userProfile', 'fez', 'fezPost', 'mkSong', 'mkSongSnippet', 'streamPhoto', 'privateEvent', 'quartermasterItem');

create type user_role as enum ('karaokemanager', 'shutternautmanager', 'shutternaut', 'karaokeambassador', 'performerselfeditor', 'accountmanager', 'huntmanager');

create table account (
  id uuid not null,
  person_id uuid not null,
  username text not null,
  username_key text not null,
  level access_level not null,
  roles user_role[] not null default '{}'::user_role[],
  special boolean not null default false,
  password_hash text not null,
  recovery_key_hash text,
  recovery_failures integer not null default 0,
  temp_quarantine_until timestamp(3) with time zone,
  token_nonce bytea,
  token_digest bytea,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  display_name text,
  real_name text,
  preferred_pronoun text,
  home_location text,
  room_number text,
  email text,
  message text,
  about text,
  dinner_team dinner_team,
  discord_username text,
  user_image text,
  user_search text not null,
  profile_updated_at timestamp(3) with time zone not null,
  rev integer not null default 1,
  created_at timestamp(3) with time zone not null,
  read_announcement_id integer not null default 0,
  look text,
  folded_look text,
  deleted_at timestamp(3) with time zone,
  constraint account_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_token_digest_key UNIQUE (token_digest),
  constraint account_username_key_key UNIQUE (username_key)
);

create table account_seen (
  account_id uuid not null,
  seen_at timestamp(3) with time zone not null,
  constraint account_seen_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_seen_pkey PRIMARY KEY (account_id)
);

create table alertword (
  account_id uuid not null,
  word text not null,
  created_at timestamp(3) with time zone not null,
  constraint alertword_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint alertword_pkey PRIMARY KEY (account_id, word)
);

create table announcement (
  id integer not null generated always as identity,
  author_id uuid not null,
  text text not null,
  display_until timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint announcement_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint announcement_pkey PRIMARY KEY (id)
);

create table audit (
  id bigint not null generated always as identity,
  actor_id uuid not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  user_id uuid,
  details jsonb not null,
  request_id text not null,
  created_at timestamp(3) with time zone not null,
  constraint audit_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES account(id),
  constraint audit_pkey PRIMARY KEY (id),
  constraint audit_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id)
);

create table ban (
  person_id uuid not null,
  reason text not null,
  until timestamp(3) with time zone,
  level_before access_level not null,
  banned_by uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint ban_banned_by_fkey FOREIGN KEY (banned_by) REFERENCES account(id),
  constraint ban_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint ban_pkey PRIMARY KEY (person_id)
);

create table barrel (
  id uuid not null,
  account_id uuid not null,
  kind barrel_kind not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  constraint barrel_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint barrel_pkey PRIMARY KEY (id)
);

create table barrel_user (
  barrel_id uuid not null,
  user_id uuid not null,
  constraint barrel_user_barrel_id_fkey FOREIGN KEY (barrel_id) REFERENCES barrel(id) ON DELETE CASCADE,
  constraint barrel_user_pkey PRIMARY KEY (barrel_id, user_id),
  constraint barrel_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES account(id)
);

create table barrel_word (
  barrel_id uuid not null,
  word text not null,
  constraint barrel_word_barrel_id_fkey FOREIGN KEY (barrel_id) REFERENCES barrel(id) ON DELETE CASCADE,
  constraint barrel_word_pkey PRIMARY KEY (barrel_id, word)
);

create table block (
  person_id uuid not null,
  blocked_id uuid not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint block_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES account(id),
  constraint block_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint block_pkey PRIMARY KEY (person_id, blocked_id)
);

create table boardgame (
  id uuid not null default gen_random_uuid(),
  game_name text not null,
  entry integer not null,
  facts jsonb not null,
  removed_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, game_name)) stored,
  constraint boardgame_once UNIQUE (game_name, entry),
  constraint boardgame_pkey PRIMARY KEY (id)
);

create table boardgame_favorite (
  account_id uuid not null,
  game_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint boardgame_favorite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint boardgame_favorite_game_id_fkey FOREIGN KEY (game_id) REFERENCES boardgame(id),
  constraint boardgame_favorite_pkey PRIMARY KEY (account_id, game_id)
);

create table browser_session (
  id uuid not null,
  account_id uuid not null,
  cookie_digest bytea not null,
  device text not null,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  scope text,
  constraint browser_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint browser_session_cookie_digest_key UNIQUE (cookie_digest),
  constraint browser_session_pkey PRIMARY KEY (id),
  constraint browser_session_scope_check CHECK ((scope = ANY (ARRAY['all'::text, 'read'::text])))
);

create table bus_frame (
  id bigint not null generated always as identity,
  sender uuid not null,
  channel text not null,
  frame bytea not null,
  sent_at timestamp with time zone not null default now(),
  constraint bus_frame_pkey PRIMARY KEY (id)
);

create table calendar_subscription (
  account_id uuid not null,
  secret_digest bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint calendar_subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint calendar_subscription_pkey PRIMARY KEY (account_id),
  constraint calendar_subscription_secret_digest_key UNIQUE (secret_digest)
);

create table daily_theme (
  id uuid not null,
  title text not null,
  info text not null,
  image text,
  cruise_day integer not null,
  image_sizes integer[],
  updated_at timestamp(3) with time zone not null default now(),
  constraint daily_theme_day UNIQUE (cruise_day),
  constraint daily_theme_pkey PRIMARY KEY (id)
);

create table device_clock (
  account_id uuid not null,
  seconds_ahead integer not null,
  told_at timestamp(3) with time zone not null,
  constraint device_clock_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint device_clock_pkey PRIMARY KEY (account_id)
);

create table ended_session (
  cookie_digest bytea not null,
  account_id uuid not null,
  ended_at timestamp(3) with time zone not null,
  constraint ended_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint ended_session_pkey PRIMARY KEY (cookie_digest)
);

create table event (
  id uuid not null,
  uid text not null,
  title text not null,
  description text not null,
  location text not null,
  event_type event_type not null,
  start_time timestamp(3) with time zone not null,
  end_time timestamp(3) with time zone not null,
  forum_id uuid,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, ((title || ' '::text) || description))) stored,
  constraint event_forum UNIQUE (forum_id),
  constraint event_forum_id_fkey FOREIGN KEY (forum_id) REFERENCES forum(id),
  constraint event_pkey PRIMARY KEY (id),
  constraint event_uid UNIQUE (uid)
);

create table event_feedback (
  id uuid not null,
  author_id uuid not null,
  event_id uuid not null,
  event_title text not null,
  event_location text not null,
  event_time timestamp(3) with time zone not null,
  host_name text not null,
  attendance text not null,
  recap text not null,
  issues text not null,
  is_actionable boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  constraint event_feedback_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint event_feedback_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint event_feedback_once UNIQUE (author_id, event_id),
  constraint event_feedback_pkey PRIMARY KEY (id)
);

create table event_follower (
  account_id uuid not null,
  event_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint event_follower_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint event_follower_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint event_follower_pkey PRIMARY KEY (account_id, event_id)
);

create table event_photo_wish (
  event_id uuid not null,
  constraint event_photo_wish_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint event_photo_wish_pkey PRIMARY KEY (event_id)
);

create table event_photographer (
  account_id uuid not null,
  event_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint event_photographer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint event_photographer_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint event_photographer_pkey PRIMARY KEY (account_id, event_id)
);

create table fault (
  id bigint not null generated always as identity,
  at timestamp(3) with time zone not null,
  source text not null,
  method text not null,
  path text not null,
  status integer not null,
  code text not null,
  request_id text not null,
  cause text not null,
  constraint fault_pkey PRIMARY KEY (id)
);

create table favorite (
  account_id uuid not null,
  favorite_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint favorite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint favorite_favorite_id_fkey FOREIGN KEY (favorite_id) REFERENCES account(id),
  constraint favorite_pkey PRIMARY KEY (account_id, favorite_id)
);

create table fez (
  id uuid not null,
  owner_id uuid not null,
  fez_type fez_type not null,
  title text not null,
  info text not null,
  location text,
  start_time timestamp(3) with time zone,
  end_time timestamp(3) with time zone,
  min_capacity integer not null,
  max_capacity integer not null,
  cancelled boolean not null default false,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  seq integer not null default 0,
  post_count integer not null default 0,
  last_post_id integer not null default 0,
  member_count integer not null default 0,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector,
  post_events integer not null default 0,
  slow_seconds integer not null default 0,
  unlisted boolean not null default false,
  constraint fez_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id),
  constraint fez_pkey PRIMARY KEY (id),
  constraint fez_unlisted CHECK (((NOT unlisted) OR (fez_type = 'privateEvent'::fez_type)))
);

create table fez_edit (
  id uuid not null,
  fez_id uuid not null,
  editor_id uuid not null,
  title text not null,
  info text not null,
  location text not null,
  created_at timestamp(3) with time zone not null,
  start_time timestamp(3) with time zone,
  end_time timestamp(3) with time zone,
  constraint fez_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint fez_edit_fez_id_fkey FOREIGN KEY (fez_id) REFERENCES fez(id),
  constraint fez_edit_pkey PRIMARY KEY (id)
);

create table fez_inbox_reader (
  account_id uuid not null,
  inbox_id uuid not null,
  fez_id uuid not null,
  read_post_id integer,
  is_favorite boolean not null default false,
  is_muted boolean not null default false,
  constraint fez_inbox_reader_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint fez_inbox_reader_fez_id_fkey FOREIGN KEY (fez_id) REFERENCES fez(id),
  constraint fez_inbox_reader_inbox_id_fkey FOREIGN KEY (inbox_id) REFERENCES account(id),
  constraint fez_inbox_reader_pkey PRIMARY KEY (account_id, inbox_id, fez_id)
);

create table fez_member (
  fez_id uuid not null,
  account_id uuid not null,
  "position" integer not null,
  read_post_id integer not null default 0,
  is_muted boolean not null default false,
  added boolean not null default false,
  left_at timestamp(3) with time zone,
  joined_at timestamp(3) with time zone not null,
  is_favorite boolean not null default false,
  constraint fez_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint fez_member_fez_id_fkey FOREIGN KEY (fez_id) REFERENCES fez(id),
  constraint fez_member_pkey PRIMARY KEY (fez_id, account_id)
);

create table fez_post (
  id integer not null generated always as identity,
  fez_id uuid not null,
  author_id uuid not null,
  real_author_id uuid not null,
  text text not null,
  image text,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, text)) stored,
  image_sizes integer[],
  constraint fez_post_pkey PRIMARY KEY (id)
);

create table figure (
  minute timestamp(3) with time zone not null,
  online integer not null,
  requests integer not null,
  errors integer not null,
  posts integer not null,
  p50 real,
  p99 real,
  lag real not null,
  waiting integer not null,
  memory_mb integer not null,
  disk_free_mb integer,
  constraint figure_pkey PRIMARY KEY (minute)
);

create table forum (
  id uuid not null,
  category_id uuid not null,
  creator_id uuid not null,
  title text not null,
  title_key text not null,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  is_pinned boolean not null default false,
  post_count integer not null default 0,
  last_post_id integer not null default 0,
  last_post_time timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector,
  slow_seconds integer not null default 0,
  constraint forum_category_id_fkey FOREIGN KEY (category_id) REFERENCES forum_category(id),
  constraint forum_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES account(id),
  constraint forum_pkey PRIMARY KEY (id)
);

create table forum_category (
  id uuid not null,
  title text not null,
  purpose text not null,
  is_event boolean not null default false,
  view_level access_level not null,
  create_level access_level not null,
  required_role user_role,
  forum_count integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  place integer,
  updated_at timestamp(3) with time zone not null default now(),
  constraint forum_category_pkey PRIMARY KEY (id),
  constraint forum_category_title UNIQUE (title)
);

create table forum_edit (
  id uuid not null,
  forum_id uuid not null,
  editor_id uuid not null,
  title text not null,
  category_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint forum_edit_category_id_fkey FOREIGN KEY (category_id) REFERENCES forum_category(id),
  constraint forum_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint forum_edit_forum_id_fkey FOREIGN KEY (forum_id) REFERENCES forum(id),
  constraint forum_edit_pkey PRIMARY KEY (id)
);

create table forum_post (
  id integer not null generated always as identity,
  forum_id uuid not null,
  author_id uuid not null,
  real_author_id uuid not null,
  text text not null,
  images text[],
  hashtags text[] not null default '{}'::text[],
  mentions text[] not null default '{}'::text[],
  moderation_status moderation_status not null default 'normal'::moderation_status,
  is_pinned boolean not null default false,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, text)) stored,
  image_sizes integer[],
  constraint forum_post_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint forum_post_forum_id_fkey FOREIGN KEY (forum_id) REFERENCES forum(id),
  constraint forum_post_pkey PRIMARY KEY (id),
  constraint forum_post_real_author_id_fkey FOREIGN KEY (real_author_id) REFERENCES account(id)
);

create table forum_post_edit (
  id uuid not null,
  post_id integer not null,
  editor_id uuid not null,
  text text not null,
  images text[],
  created_at timestamp(3) with time zone not null,
  constraint forum_post_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint forum_post_edit_pkey PRIMARY KEY (id),
  constraint forum_post_edit_post_id_fkey FOREIGN KEY (post_id) REFERENCES forum_post(id)
);

create table forum_post_mark (
  account_id uuid not null,
  post_id integer not null,
  reaction post_reaction,
  is_bookmarked boolean not null default false,
  constraint forum_post_mark_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint forum_post_mark_pkey PRIMARY KEY (account_id, post_id)
);

create table forum_reader (
  account_id uuid not null,
  forum_id uuid not null,
  read_post_id integer not null default 0,
  is_favorite boolean not null default false,
  is_muted boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint forum_favorite_or_muted CHECK ((NOT (is_favorite AND is_muted))),
  constraint forum_reader_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint forum_reader_forum_id_fkey FOREIGN KEY (forum_id) REFERENCES forum(id),
  constraint forum_reader_pkey PRIMARY KEY (account_id, forum_id)
);

create table hashtag (
  tag text not null,
  constraint hashtag_pkey PRIMARY KEY (tag)
);

create table hit (
  account_id uuid not null,
  kind hit_kind not null,
  word text not null default ''::text,
  item_id integer not null,
  is_new boolean not null default true,
  constraint hit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint hit_pkey PRIMARY KEY (account_id, kind, word, item_id) INCLUDE (is_new)
);

create table hunt (
  id uuid not null,
  title text not null,
  description text not null,
  constraint hunt_pkey PRIMARY KEY (id)
);

create table hunt_call_in (
  id integer not null generated always as identity,
  puzzle_id uuid not null,
  account_id uuid not null,
  submission text not null,
  submission_key text not null,
  result text not null,
  created_at timestamp(3) with time zone not null,
  constraint hunt_call_in_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint hunt_call_in_pkey PRIMARY KEY (id),
  constraint hunt_call_in_puzzle_id_fkey FOREIGN KEY (puzzle_id) REFERENCES hunt_puzzle(id) ON DELETE CASCADE,
  constraint hunt_call_in_result CHECK ((result = ANY (ARRAY['correct'::text, 'hint'::text, 'incorrect'::text])))
);

create table hunt_puzzle (
  id uuid not null,
  hunt_id uuid not null,
  "position" integer not null,
  title text not null,
  body text not null,
  answer text not null,
  answer_key text not null,
  hints jsonb not null,
  unlock_time timestamp(3) with time zone,
  constraint hunt_puzzle_hunt_id_fkey FOREIGN KEY (hunt_id) REFERENCES hunt(id) ON DELETE CASCADE,
  constraint hunt_puzzle_pkey PRIMARY KEY (id)
);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  route text not null,
  digest text not null,
  answer text,
  created_at timestamp(3) with time zone not null default now(),
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key, route)
);

create table image_description (
  image text not null,
  account_id uuid not null,
  description text not null,
  created_at timestamp(3) with time zone not null,
  constraint image_description_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint image_description_pkey PRIMARY KEY (image)
);

create table incident (
  id integer not null generated always as identity,
  kind text not null,
  subject text not null,
  state text not null,
  sentence text not null,
  mend text,
  code text,
  "values" jsonb,
  began_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint incident_pkey PRIMARY KEY (id),
  constraint incident_state_check CHECK ((state = ANY (ARRAY['warning'::text, 'bad'::text])))
);

create table incident_message (
  id integer not null generated always as identity,
  incident_id integer not null,
  is_over boolean not null,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null,
  held_until timestamp(3) with time zone,
  constraint incident_message_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  constraint incident_message_pkey PRIMARY KEY (id)
);

create table incident_webhook (
  id boolean not null default true,
  url text not null,
  quiet_from text,
  quiet_to text,
  constraint incident_webhook_check CHECK (((quiet_from IS NULL) = (quiet_to IS NULL))),
  constraint incident_webhook_id_check CHECK (id),
  constraint incident_webhook_pkey PRIMARY KEY (id),
  constraint incident_webhook_quiet_from_check CHECK ((quiet_from ~ '^\d\d:\d\d$'::text)),
  constraint incident_webhook_quiet_to_check CHECK ((quiet_to ~ '^\d\d:\d\d$'::text))
);

create table job_run (
  at timestamp(3) with time zone not null,
  job text not null,
  done integer not null,
  failed integer not null,
  ms bigint not null,
  longest_ms integer not null,
  constraint job_run_pkey PRIMARY KEY (at, job)
);

create table karaoke_favorite (
  account_id uuid not null,
  song_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint karaoke_favorite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint karaoke_favorite_pkey PRIMARY KEY (account_id, song_id),
  constraint karaoke_favorite_song_id_fkey FOREIGN KEY (song_id) REFERENCES karaoke_song(id)
);

create table karaoke_performance (
  id integer not null generated always as identity,
  song_id uuid not null,
  manager_id uuid not null,
  performers text not null,
  performers_key text not null,
  created_at timestamp(3) with time zone not null,
  constraint karaoke_performance_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES account(id),
  constraint karaoke_performance_pkey PRIMARY KEY (id),
  constraint karaoke_performance_song_id_fkey FOREIGN KEY (song_id) REFERENCES karaoke_song(id)
);

create table karaoke_song (
  id uuid not null default gen_random_uuid(),
  artist text not null,
  song_name text not null,
  version integer not null,
  is_midi boolean not null,
  is_voice_reduced boolean not null,
  artist_key text not null,
  song_key text not null,
  removed_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, ((artist || ' '::text) || song_name))) stored,
  constraint karaoke_song_kind CHECK ((NOT (is_midi AND is_voice_reduced))),
  constraint karaoke_song_once UNIQUE (artist, song_name, version),
  constraint karaoke_song_pkey PRIMARY KEY (id)
);

create table known_address (
  person_id uuid not null,
  address_digest bytea not null,
  seen_at timestamp(3) with time zone not null,
  constraint known_address_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint known_address_pkey PRIMARY KEY (person_id, address_digest)
);

create table microblog_post (
  id integer not null generated always as identity,
  author_id uuid not null,
  real_author_id uuid not null,
  text text not null,
  images text[] not null,
  reply_group integer,
  hashtags text[] not null,
  mentions text[] not null,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, text)) stored,
  image_sizes integer[],
  constraint microblog_post_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint microblog_post_pkey PRIMARY KEY (id),
  constraint microblog_post_real_author_id_fkey FOREIGN KEY (real_author_id) REFERENCES account(id)
);

create table microblog_post_edit (
  id uuid not null,
  post_id integer not null,
  editor_id uuid not null,
  text text not null,
  images text[] not null,
  created_at timestamp(3) with time zone not null,
  constraint microblog_post_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint microblog_post_edit_pkey PRIMARY KEY (id),
  constraint microblog_post_edit_post_id_fkey FOREIGN KEY (post_id) REFERENCES microblog_post(id)
);

create table microblog_post_mark (
  account_id uuid not null,
  post_id integer not null,
  reaction post_reaction,
  is_bookmarked boolean not null default false,
  constraint microblog_post_mark_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint microblog_post_mark_pkey PRIMARY KEY (account_id, post_id)
);

create table mk_snippet (
  id uuid not null,
  song_id integer not null,
  slot integer not null,
  author_id uuid not null,
  is_filler boolean not null default false,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint mk_snippet_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint mk_snippet_pkey PRIMARY KEY (id),
  constraint mk_snippet_slot UNIQUE (song_id, slot),
  constraint mk_snippet_song_id_fkey FOREIGN KEY (song_id) REFERENCES mk_song(id)
);

create table mk_song (
  id integer not null generated always as identity,
  name text not null,
  artist text not null,
  bpm integer not null,
  is_portrait boolean not null,
  durations double precision[] not null,
  is_complete boolean not null default false,
  mod_approved boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint mk_song_approved_when_complete CHECK ((is_complete OR (NOT mod_approved))),
  constraint mk_song_pkey PRIMARY KEY (id)
);

create table moderator_action (
  id uuid not null,
  action_type text not null,
  content_type report_type not null,
  content_id text not null,
  moderator_id uuid not null,
  target_user_id uuid not null,
  action_group uuid,
  created_at timestamp(3) with time zone not null,
  constraint moderator_action_moderator_id_fkey FOREIGN KEY (moderator_id) REFERENCES account(id),
  constraint moderator_action_pkey PRIMARY KEY (id),
  constraint moderator_action_target_user_id_fkey FOREIGN KEY (target_user_id) REFERENCES account(id)
);

create table moderator_work (
  moderator_id uuid not null,
  action_group uuid not null,
  constraint moderator_work_moderator_id_fkey FOREIGN KEY (moderator_id) REFERENCES account(id),
  constraint moderator_work_pkey PRIMARY KEY (moderator_id)
);

create table mute (
  account_id uuid not null,
  muted_id uuid not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint mute_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint mute_muted_id_fkey FOREIGN KEY (muted_id) REFERENCES account(id),
  constraint mute_pkey PRIMARY KEY (account_id, muted_id)
);

create table muteword (
  account_id uuid not null,
  word text not null,
  created_at timestamp(3) with time zone not null,
  constraint muteword_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint muteword_pkey PRIMARY KEY (account_id, word)
);

create table note (
  id uuid not null,
  author_id uuid not null,
  subject_id uuid not null,
  note text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint note_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint note_once UNIQUE (author_id, subject_id),
  constraint note_pkey PRIMARY KEY (id),
  constraint note_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES account(id)
);

create table notice_sent (
  kind text not null,
  subject_id text not null,
  start_time timestamp(3) with time zone not null,
  sent_at timestamp(3) with time zone not null,
  constraint notice_sent_pkey PRIMARY KEY (kind, subject_id, start_time)
);

create table oidc_identity (
  id uuid not null,
  account_id uuid not null,
  issuer text not null,
  subject text not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint oidc_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint oidc_identity_issuer_subject_key UNIQUE (issuer, subject),
  constraint oidc_identity_pkey PRIMARY KEY (id)
);

create table operation (
  id uuid not null,
  kind text not null,
  input jsonb not null,
  state text not null default 'waiting'::text,
  note text not null default ''::text,
  asked_by uuid,
  created_at timestamp(3) with time zone not null,
  beat_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  note_code text,
  note_values jsonb,
  person_id uuid,
  constraint operation_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES account(id),
  constraint operation_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint operation_pkey PRIMARY KEY (id),
  constraint operation_state CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

create table outbox (
  id bigint not null generated always as identity,
  job text not null,
  payload jsonb not null,
  run_at timestamp(3) with time zone,
  request_id text not null default ''::text,
  relayed_at timestamp(3) with time zone,
  attempt integer not null default 0,
  failures integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  last_error text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table passkey (
  id uuid not null,
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  host text not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkey_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_pkey PRIMARY KEY (id)
);

create table paused_job (
  job text not null,
  paused_by uuid not null,
  paused_at timestamp(3) with time zone not null,
  constraint paused_job_paused_by_fkey FOREIGN KEY (paused_by) REFERENCES account(id),
  constraint paused_job_pkey PRIMARY KEY (job)
);

create table performer (
  id uuid not null,
  account_id uuid,
  is_official boolean not null,
  name text not null,
  sort_key text not null,
  pronouns text,
  bio text,
  photo text,
  organization text,
  title text,
  website text,
  facebook_url text,
  x_url text,
  instagram_url text,
  youtube_url text,
  years_attended integer[] not null,
  alternative_names text[] not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, ((((((((name || ' '::text) || COALESCE(organization, ''::text)) || ' '::text) || COALESCE(title, ''::text)) || ' '::text) || COALESCE(bio, ''::text)) || ' '::text) || joined_words(alternative_names)))) stored,
  constraint performer_account UNIQUE (account_id),
  constraint performer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint performer_pkey PRIMARY KEY (id)
);

create table performer_change (
  only_one boolean not null default true,
  version integer not null,
  constraint performer_change_only_one_check CHECK (only_one),
  constraint performer_change_pkey PRIMARY KEY (only_one)
);

create table performer_event (
  performer_id uuid not null,
  event_id uuid not null,
  constraint performer_event_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint performer_event_performer_id_fkey FOREIGN KEY (performer_id) REFERENCES performer(id),
  constraint performer_event_pkey PRIMARY KEY (performer_id, event_id)
);

create table performer_upload (
  kind text not null,
  content jsonb not null,
  uploader_id uuid not null,
  uploaded_at timestamp(3) with time zone not null,
  constraint performer_upload_kind CHECK ((kind = ANY (ARRAY['links'::text, 'profiles'::text]))),
  constraint performer_upload_pkey PRIMARY KEY (kind),
  constraint performer_upload_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES account(id)
);

create table planned_announcement (
  id uuid not null,
  author_id uuid not null,
  planned_by uuid not null,
  text text not null,
  show_at timestamp(3) with time zone not null,
  display_until timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint planned_announcement_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint planned_announcement_pkey PRIMARY KEY (id),
  constraint planned_announcement_planned_by_fkey FOREIGN KEY (planned_by) REFERENCES account(id)
);

create table poll (
  id uuid not null,
  author_id uuid not null,
  place poll_place not null,
  fez_id uuid,
  post_id integer,
  question text not null,
  choices text[] not null,
  is_several boolean not null,
  is_anonymous boolean not null,
  ends_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint poll_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint poll_fez_id_fkey FOREIGN KEY (fez_id) REFERENCES fez(id),
  constraint poll_in_chat CHECK (((place = 'fez'::poll_place) = (fez_id IS NOT NULL))),
  constraint poll_pkey PRIMARY KEY (id)
);

create table poll_vote (
  poll_id uuid not null,
  person_id uuid not null,
  choice smallint not null,
  account_id uuid not null,
  voted_at timestamp(3) with time zone not null,
  constraint poll_vote_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint poll_vote_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint poll_vote_pkey PRIMARY KEY (poll_id, person_id, choice),
  constraint poll_vote_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES poll(id) ON DELETE CASCADE
);

create table process (
  id uuid not null,
  kind text not null,
  name text not null,
  host text not null,
  started_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint process_kind_check CHECK ((kind = ANY (ARRAY['server'::text, 'worker'::text]))),
  constraint process_pkey PRIMARY KEY (id)
);

create table profile_edit (
  id uuid not null,
  account_id uuid not null,
  editor_id uuid not null,
  username text not null,
  profile jsonb not null,
  user_image text,
  created_at timestamp(3) with time zone not null,
  constraint profile_edit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint profile_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint profile_edit_pkey PRIMARY KEY (id)
);

create table public_text (
  name text not null,
  content text not null,
  author_id uuid,
  updated_at timestamp(3) with time zone not null,
  constraint public_text_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint public_text_pkey PRIMARY KEY (name)
);

create table push_device (
  id uuid not null,
  account_id uuid not null,
  session_key text not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  types text[] not null,
  quiet_from text,
  quiet_to text,
  time_zone text,
  created_at timestamp(3) with time zone not null,
  constraint push_device_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint push_device_endpoint_key UNIQUE (endpoint),
  constraint push_device_pkey PRIMARY KEY (id)
);

create table quartermaster_edit (
  id uuid not null,
  item_id uuid not null,
  editor_id uuid not null,
  created_at timestamp(3) with time zone not null,
  name text not null,
  description text,
  location text,
  hides_owner boolean not null,
  image text,
  constraint quartermaster_edit_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES account(id),
  constraint quartermaster_edit_item_id_fkey FOREIGN KEY (item_id) REFERENCES quartermaster_item(id) ON DELETE CASCADE,
  constraint quartermaster_edit_pkey PRIMARY KEY (id)
);

create table quartermaster_item (
  id uuid not null,
  owner_id uuid not null,
  category quartermaster_category not null,
  name text not null,
  description text,
  location text,
  hides_owner boolean not null,
  image text,
  image_sizes integer[],
  moderation_status moderation_status not null default 'normal'::moderation_status,
  created_at timestamp(3) with time zone not null,
  changed_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  search tsvector generated always as (to_tsvector('english'::regconfig, ((((name || ' '::text) || COALESCE(description, ''::text)) || ' '::text) || COALESCE(location, ''::text)))) stored,
  constraint quartermaster_item_hidden_owner CHECK (((NOT hides_owner) OR (location IS NOT NULL))),
  constraint quartermaster_item_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id),
  constraint quartermaster_item_pkey PRIMARY KEY (id)
);

create table registration_code (
  code text not null,
  person_id uuid,
  used_for_recovery boolean not null default false,
  for_chat_user boolean not null default false,
  chat_username text,
  created_at timestamp(3) with time zone not null default now(),
  constraint registration_code_chat_user CHECK (((chat_username IS NULL) OR for_chat_user)),
  constraint registration_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint registration_code_person_id_key UNIQUE (person_id),
  constraint registration_code_pkey PRIMARY KEY (code)
);

create table report (
  id uuid not null,
  type report_type not null,
  reported_id text not null,
  reported_user_id uuid not null,
  author_id uuid not null,
  message text not null,
  handled_by uuid,
  action_group uuid,
  is_closed boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint report_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint report_handled_by_fkey FOREIGN KEY (handled_by) REFERENCES account(id),
  constraint report_once UNIQUE (type, reported_id, author_id),
  constraint report_pkey PRIMARY KEY (id),
  constraint report_reported_user_id_fkey FOREIGN KEY (reported_user_id) REFERENCES account(id)
);

create table report_excerpt (
  report_id uuid not null,
  title text not null,
  member_ids uuid[] not null,
  posts jsonb not null,
  constraint report_excerpt_pkey PRIMARY KEY (report_id),
  constraint report_excerpt_report_id_fkey FOREIGN KEY (report_id) REFERENCES report(id) ON DELETE CASCADE
);

create table schedule_log (
  id integer not null generated always as identity,
  automatic boolean not null,
  change_count integer not null,
  difference jsonb,
  error text,
  created_at timestamp(3) with time zone not null,
  actor_id uuid,
  before jsonb,
  undoes integer,
  is_undo boolean not null default false,
  constraint schedule_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES account(id),
  constraint schedule_log_pkey PRIMARY KEY (id)
);

create table schedule_upload (
  only_one boolean not null default true,
  calendar text not null,
  uploader_id uuid not null,
  uploaded_at timestamp(3) with time zone not null,
  constraint schedule_upload_only_one_check CHECK (only_one),
  constraint schedule_upload_pkey PRIMARY KEY (only_one),
  constraint schedule_upload_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES account(id)
);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table seamail_template (
  id uuid not null,
  title text not null,
  content text not null,
  author_id uuid not null,
  updated_at timestamp(3) with time zone not null,
  constraint seamail_template_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint seamail_template_pkey PRIMARY KEY (id)
);

create table second_factor (
  account_id uuid not null,
  secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  recovery_codes bytea[] not null default '{}'::bytea[],
  constraint second_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint second_factor_pkey PRIMARY KEY (account_id)
);

create table setting (
  name text not null,
  value jsonb not null,
  updated_at timestamp(3) with time zone not null default now(),
  constraint setting_pkey PRIMARY KEY (name)
);

create table slow_post (
  place text not null,
  person_id uuid not null,
  posted_at timestamp(3) with time zone,
  constraint slow_post_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint slow_post_pkey PRIMARY KEY (place, person_id)
);

create table stored_file (
  name text not null,
  person_id uuid not null,
  bytes bigint not null,
  created_at timestamp(3) with time zone not null,
  constraint stored_file_bytes CHECK ((bytes >= 0)),
  constraint stored_file_person_id_fkey FOREIGN KEY (person_id) REFERENCES account(id),
  constraint stored_file_pkey PRIMARY KEY (name)
);

create table stream_photo (
  id integer not null generated always as identity,
  author_id uuid not null,
  image text not null,
  created_at timestamp(3) with time zone not null,
  event_id uuid,
  location text,
  moderation_status moderation_status not null default 'normal'::moderation_status,
  deleted_at timestamp(3) with time zone,
  image_sizes integer[],
  constraint stream_photo_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id),
  constraint stream_photo_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id),
  constraint stream_photo_pkey PRIMARY KEY (id),
  constraint stream_photo_place CHECK ((num_nonnulls(event_id, location) = 1))
);

create table time_zone_change (
  active_date timestamp(3) with time zone not null,
  abbreviation text not null,
  zone_id text not null,
  constraint time_zone_change_pkey PRIMARY KEY (active_date)
);

create table unknown_recovery (
  bucket integer not null,
  failures integer not null,
  constraint unknown_recovery_pkey PRIMARY KEY (bucket)
);

create table webhook_delivery (
  id uuid not null,
  endpoint_id uuid not null,
  kind text not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  last_tried_at timestamp(3) with time zone,
  status smallint,
  reason text,
  constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])))
);

create table webhook_endpoint (
  id uuid not null,
  name text not null,
  url text not null,
  secret bytea not null,
  kinds text[] not null,
  is_paused boolean not null default false,
  not_before timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint webhook_endpoint_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX account_folded_look ON public.account USING btree (folded_look);

CREATE INDEX account_image ON public.account USING btree (user_image) WHERE (user_image IS NOT NULL);

CREATE UNIQUE INDEX account_look ON public.account USING btree (look);

CREATE INDEX account_person ON public.account USING btree (person_id);

CREATE INDEX account_profile_updated ON public.account USING btree (profile_updated_at);

CREATE INDEX account_room ON public.account USING btree (lower(room_number));

CREATE INDEX account_search_part ON public.account USING gin (lower(user_search) gin_trgm_ops);

CREATE INDEX account_team ON public.account USING btree (level) WHERE (level >= 'moderator'::access_level);

CREATE INDEX account_username_part ON public.account USING gin (username_key gin_trgm_ops);

CREATE INDEX account_with_roles ON public.account USING gin (roles) WHERE (roles <> '{}'::user_role[]);

CREATE INDEX alertword_word ON public.alertword USING btree (word, account_id);

CREATE INDEX audit_actor ON public.audit USING btree (actor_id, id);

CREATE INDEX audit_newest ON public.audit USING btree (created_at DESC, id DESC);

CREATE INDEX audit_of ON public.audit USING btree (user_id, id DESC);

CREATE INDEX audit_subject ON public.audit USING btree (subject_type, subject_id, id DESC);

CREATE INDEX audit_user ON public.audit USING btree (user_id, id);

CREATE INDEX barrel_account ON public.barrel USING btree (account_id);

CREATE INDEX block_blocked ON public.block USING btree (blocked_id);

CREATE INDEX boardgame_search ON public.boardgame USING gin (search) WHERE (removed_at IS NULL);

CREATE INDEX browser_session_account ON public.browser_session USING btree (account_id);

CREATE INDEX bus_frame_mark ON public.bus_frame USING btree (sender, frame DESC) WHERE (channel = ANY (ARRAY['apart'::text, 'back'::text]));

CREATE INDEX device_clock_told ON public.device_clock USING btree (told_at);

CREATE INDEX ended_session_account ON public.ended_session USING btree (account_id, ended_at);

CREATE INDEX ended_session_ended_at ON public.ended_session USING btree (ended_at);

CREATE INDEX event_feedback_event ON public.event_feedback USING btree (event_id);

CREATE INDEX event_follower_event ON public.event_follower USING btree (event_id);

CREATE INDEX event_photographer_event ON public.event_photographer USING btree (event_id, created_at);

CREATE INDEX event_search ON public.event USING gin (search) WHERE (deleted_at IS NULL);

CREATE INDEX event_start ON public.event USING btree (start_time) WHERE (deleted_at IS NULL);

CREATE INDEX fault_at ON public.fault USING btree (at DESC);

CREATE INDEX favorite_favorite ON public.favorite USING btree (favorite_id);

CREATE INDEX fez_deleted ON public.fez USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX fez_edit_fez ON public.fez_edit USING btree (fez_id, created_at);

CREATE INDEX fez_inbox_reader_chat ON public.fez_inbox_reader USING btree (fez_id, inbox_id);

CREATE INDEX fez_joinable ON public.fez USING btree (start_time, title, id) INCLUDE (owner_id, fez_type) WHERE ((deleted_at IS NULL) AND (NOT cancelled) AND (fez_type <> ALL (ARRAY['closed'::fez_type, 'open'::fez_type, 'personalEvent'::fez_type, 'privateEvent'::fez_type])));

CREATE INDEX fez_member_account ON public.fez_member USING btree (account_id, fez_id) WHERE (left_at IS NULL);

CREATE INDEX fez_member_left ON public.fez_member USING btree (account_id) WHERE (left_at IS NOT NULL);

CREATE INDEX fez_member_order ON public.fez_member USING btree (fez_id, "position") WHERE (left_at IS NULL);

CREATE INDEX fez_open ON public.fez USING btree (start_time, title, id) WHERE ((deleted_at IS NULL) AND (NOT cancelled) AND (fez_type <> ALL (ARRAY['closed'::fez_type, 'open'::fez_type, 'personalEvent'::fez_type, 'privateEvent'::fez_type])));

CREATE INDEX fez_owner ON public.fez USING btree (owner_id, created_at DESC) WHERE (deleted_at IS NULL);

CREATE INDEX fez_post_deleted ON public.fez_post USING btree (fez_id, deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX fez_post_image ON public.fez_post USING btree (image) WHERE (image IS NOT NULL);

CREATE INDEX fez_post_page ON public.fez_post USING btree (fez_id, id) INCLUDE (author_id) WHERE (deleted_at IS NULL);

CREATE INDEX fez_post_search ON public.fez_post USING gin (search) WITH (gin_pending_list_limit='64') WHERE (deleted_at IS NULL);

CREATE INDEX fez_post_unsized ON public.fez_post USING btree (id) WHERE ((image_sizes IS NULL) AND (image IS NOT NULL));

CREATE INDEX fez_search ON public.fez USING gin (search);

CREATE INDEX fez_starting ON public.fez USING btree (start_time) WHERE ((deleted_at IS NULL) AND (NOT cancelled));

CREATE INDEX forum_deleted ON public.forum USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX forum_edit_forum ON public.forum_edit USING btree (forum_id, created_at);

CREATE INDEX forum_of_category ON public.forum USING btree (category_id, last_post_time DESC) WHERE (deleted_at IS NULL);

CREATE INDEX forum_of_creator ON public.forum USING btree (creator_id) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_author ON public.forum_post USING btree (forum_id, author_id) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_deleted ON public.forum_post USING btree (forum_id, deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX forum_post_edit_images ON public.forum_post_edit USING gin (images) WHERE (images IS NOT NULL);

CREATE INDEX forum_post_edit_post ON public.forum_post_edit USING btree (post_id, created_at);

CREATE INDEX forum_post_hashtags ON public.forum_post USING gin (hashtags) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_images ON public.forum_post USING gin (images) WHERE (images IS NOT NULL);

CREATE INDEX forum_post_mark_reaction ON public.forum_post_mark USING btree (post_id, reaction, account_id) WHERE (reaction IS NOT NULL);

CREATE INDEX forum_post_mentions ON public.forum_post USING gin (mentions) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_newest ON public.forum_post USING btree (id DESC) INCLUDE (forum_id, author_id) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_of_author ON public.forum_post USING btree (author_id, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_page ON public.forum_post USING btree (forum_id, id) INCLUDE (author_id, created_at) WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_pinned ON public.forum_post USING btree (forum_id, id) WHERE (is_pinned AND (deleted_at IS NULL));

CREATE INDEX forum_post_search ON public.forum_post USING gin (search) WITH (gin_pending_list_limit='64') WHERE (deleted_at IS NULL);

CREATE INDEX forum_post_unsized ON public.forum_post USING btree (id) WHERE ((image_sizes IS NULL) AND (images <> '{}'::text[]));

CREATE INDEX forum_reader_recent ON public.forum_reader USING btree (account_id, updated_at DESC);

CREATE INDEX forum_search ON public.forum USING gin (search) WHERE (deleted_at IS NULL);

CREATE INDEX hit_item ON public.hit USING btree (item_id, kind);

CREATE UNIQUE INDEX hunt_call_in_once ON public.hunt_call_in USING btree (puzzle_id, account_id, md5(submission_key));

CREATE INDEX hunt_puzzle_order ON public.hunt_puzzle USING btree (hunt_id, unlock_time NULLS FIRST, "position");

CREATE INDEX idempotency_key_created ON public.idempotency_key USING btree (created_at);

CREATE INDEX image_description_account ON public.image_description USING btree (account_id);

CREATE INDEX incident_ended ON public.incident USING btree (ended_at DESC) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX incident_open ON public.incident USING btree (kind, subject) WHERE (ended_at IS NULL);

CREATE INDEX karaoke_performance_song ON public.karaoke_performance USING btree (song_id, id);

CREATE INDEX karaoke_song_order ON public.karaoke_song USING btree (artist_key, song_key, id) WHERE (removed_at IS NULL);

CREATE INDEX karaoke_song_search ON public.karaoke_song USING gin (search);

CREATE INDEX microblog_post_created ON public.microblog_post USING btree (created_at) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_deleted ON public.microblog_post USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX microblog_post_edit_images ON public.microblog_post_edit USING gin (images);

CREATE INDEX microblog_post_edit_post ON public.microblog_post_edit USING btree (post_id, created_at);

CREATE INDEX microblog_post_group ON public.microblog_post USING btree (reply_group, id) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_group_deleted ON public.microblog_post USING btree (reply_group) WHERE (deleted_at IS NOT NULL);

CREATE INDEX microblog_post_hashtags ON public.microblog_post USING gin (hashtags) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_images ON public.microblog_post USING gin (images);

CREATE INDEX microblog_post_mark_reaction ON public.microblog_post_mark USING btree (post_id, reaction, account_id) WHERE (reaction IS NOT NULL);

CREATE INDEX microblog_post_mentions ON public.microblog_post USING gin (mentions) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_newest ON public.microblog_post USING btree (id DESC) INCLUDE (author_id, reply_group) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_of_author ON public.microblog_post USING btree (author_id, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_search ON public.microblog_post USING gin (search) WITH (gin_pending_list_limit='64') WHERE (deleted_at IS NULL);

CREATE INDEX microblog_post_unsized ON public.microblog_post USING btree (id) WHERE ((image_sizes IS NULL) AND (images <> '{}'::text[]));

CREATE INDEX mk_snippet_author ON public.mk_snippet USING btree (author_id);

CREATE INDEX mk_song_building ON public.mk_song USING btree (id) WHERE (NOT is_complete);

CREATE INDEX moderator_action_newest ON public.moderator_action USING btree (created_at DESC);

CREATE INDEX moderator_action_target ON public.moderator_action USING btree (target_user_id, created_at DESC);

CREATE INDEX mute_muted ON public.mute USING btree (muted_id);

CREATE INDEX oidc_identity_account ON public.oidc_identity USING btree (account_id);

CREATE INDEX operation_newest ON public.operation USING btree (created_at DESC);

CREATE INDEX operation_of_person ON public.operation USING btree (person_id, created_at DESC) WHERE (person_id IS NOT NULL);

CREATE UNIQUE INDEX operation_own_data ON public.operation USING btree (person_id) WHERE ((kind = 'own-data'::text) AND (state = ANY (ARRAY['waiting'::text, 'running'::text])));

CREATE INDEX outbox_due ON public.outbox USING btree (run_at, id);

CREATE INDEX passkey_account ON public.passkey USING btree (account_id);

CREATE INDEX performer_event_event ON public.performer_event USING btree (event_id);

CREATE INDEX performer_photo ON public.performer USING btree (photo) WHERE (photo IS NOT NULL);

CREATE INDEX performer_search ON public.performer USING gin (search);

CREATE INDEX poll_author ON public.poll USING btree (author_id);

CREATE UNIQUE INDEX poll_post ON public.poll USING btree (place, post_id);

CREATE INDEX poll_vote_account ON public.poll_vote USING btree (account_id);

CREATE INDEX poll_vote_person ON public.poll_vote USING btree (person_id);

CREATE INDEX poll_without_post ON public.poll USING btree (created_at) WHERE (post_id IS NULL);

CREATE INDEX profile_edit_account ON public.profile_edit USING btree (account_id, created_at DESC);

CREATE INDEX profile_edit_image ON public.profile_edit USING btree (user_image) WHERE (user_image IS NOT NULL);

CREATE INDEX push_device_account ON public.push_device USING btree (account_id);

CREATE INDEX quartermaster_edit_editor ON public.quartermaster_edit USING btree (editor_id);

CREATE INDEX quartermaster_edit_image ON public.quartermaster_edit USING btree (image) WHERE (image IS NOT NULL);

CREATE INDEX quartermaster_edit_item ON public.quartermaster_edit USING btree (item_id, created_at);

CREATE INDEX quartermaster_item_image ON public.quartermaster_item USING btree (image) WHERE (image IS NOT NULL);

CREATE INDEX quartermaster_item_newest ON public.quartermaster_item USING btree (changed_at DESC, id) WHERE (deleted_at IS NULL);

CREATE INDEX quartermaster_item_owner ON public.quartermaster_item USING btree (owner_id);

CREATE INDEX quartermaster_item_search ON public.quartermaster_item USING gin (search);

CREATE INDEX registration_code_created ON public.registration_code USING btree (created_at DESC, code);

CREATE INDEX report_content ON public.report USING btree (type, reported_id);

CREATE INDEX report_newest ON public.report USING btree (created_at DESC);

CREATE INDEX report_open ON public.report USING btree (id) WHERE ((NOT is_closed) AND (handled_by IS NULL));

CREATE INDEX report_reported_user ON public.report USING btree (reported_user_id, created_at DESC);

CREATE INDEX slow_post_person ON public.slow_post USING btree (person_id);

CREATE INDEX stored_file_person ON public.stored_file USING btree (person_id) INCLUDE (bytes);

CREATE INDEX stream_photo_author ON public.stream_photo USING btree (author_id, id DESC);

CREATE INDEX stream_photo_event ON public.stream_photo USING btree (event_id, id DESC) WHERE (event_id IS NOT NULL);

CREATE INDEX stream_photo_image ON public.stream_photo USING btree (image);

CREATE INDEX stream_photo_unsized ON public.stream_photo USING btree (id) WHERE (image_sizes IS NULL);

CREATE INDEX webhook_delivery_created_at_idx ON public.webhook_delivery USING btree (created_at);

CREATE INDEX webhook_delivery_endpoint_id_created_at_idx ON public.webhook_delivery USING btree (endpoint_id, created_at DESC);

CREATE OR REPLACE FUNCTION public.blocked_accounts(viewer uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select array(
    select other.id from account as me
      join account as other on other.person_id = any (blocked_persons(me.person_id))
      where me.id = viewer and me.level < 'moderator' and other.level < 'moderator')
$function$;

CREATE OR REPLACE FUNCTION public.blocked_accounts_now(viewer uuid)
 RETURNS uuid[]
 LANGUAGE sql
AS $function$
  select (select blocked_accounts(viewer))
$function$;

CREATE OR REPLACE FUNCTION public.blocked_persons(viewer_person uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select array(
    select account.person_id from block join account on account.id = block.blocked_id where block.person_id = viewer_person
    union
    select block.person_id from block join account on account.id = block.blocked_id where account.person_id = viewer_person)
$function$;

CREATE OR REPLACE FUNCTION public.hidden_authors(viewer uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select array(select muted_id from mute where account_id = viewer union select unnest(blocked_accounts(viewer)))
$function$;

CREATE OR REPLACE FUNCTION public.is_hidden(status moderation_status)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select status in ('quarantined', 'autoQuarantined')
$function$;

CREATE OR REPLACE FUNCTION public.joined_words(texts text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_to_string(texts, ' ')
$function$;

CREATE OR REPLACE FUNCTION public.may_view(view_level access_level, required_role user_role, viewer_level access_level, viewer_roles user_role[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select viewer_level >= view_level and (viewer_level >= 'moderator' or required_role is null or required_role = any (viewer_roles))
$function$;

CREATE OR REPLACE FUNCTION public.shows_creator(create_level access_level, creator_id uuid, blocked uuid[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select create_level >= 'moderator' or creator_id <> all (blocked)
$function$;
