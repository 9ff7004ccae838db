// Who may call what, by the reference: every route of the product and its sockets. test/core/access.test.ts
// holds the product against it.

/**
 * Method, path, who, feature, and `creates` when temporary quarantine forbids it.
 *
 * Who: `none`, `flex`, `basic`, `either` (a token or a password), `service` (the password of a built-in
 * account), `token` (everybody who can log in), or the lowest level. Feature: `-` where none is needed.
 */
const table = `
GET /admin/moderators tho -
GET /admin/serviceteam tho -
GET /admin/tho tho -
POST /admin/moderator/promote/:user_id tho -
POST /admin/serviceteam/promote/:user_id tho -
POST /admin/tho/promote/:user_id admin -
POST /admin/admin/promote/:user_id admin -
GET /admin/announcements/planned serviceteam -
POST /admin/announcements/planned serviceteam -
DELETE /admin/announcements/planned/:planned_id serviceteam -
POST /admin/user/demote/:user_id tho -
GET /admin/userroles/:user_role tho -
POST /admin/userroles/:user_role/addrole/:user_id tho -
POST /admin/userroles/:user_role/removerole/:user_id tho -
GET /admin/serversettings serviceteam -
POST /admin/serversettings/update admin -
GET /admin/settings serviceteam -
POST /admin/settings/:setting_name/reset admin -
POST /fez/:fezID/reportposts token friendlyfez
POST /mod/user/:user_id/stop moderator -
GET /mod/user/:user_id/written moderator -
POST /mod/content/setstate/:mod_state moderator -
POST /mod/content/delete moderator -
POST /mod/fez/:fez_id/slowmode moderator -
POST /mod/forum/:forum_id/slowmode moderator -
POST /mod/microblog/slowmode moderator -
GET /microblog/slowmode token tweets
GET /mod/templates moderator -
POST /mod/templates moderator -
POST /mod/templates/:template_id moderator -
DELETE /mod/templates/:template_id moderator -
GET /admin/texts serviceteam -
POST /admin/texts/:text_name tho -
DELETE /admin/texts/:text_name tho -
GET /admin/users moderator -
GET /admin/users/:user_id serviceteam -
GET /admin/users/csv serviceteam -
POST /admin/users/bulk tho -
POST /admin/users/:user_id/signout tho -
GET /admin/figures serviceteam -
GET /admin/checks serviceteam -
GET /admin/incidents moderator -
DELETE /admin/incidents/webhook admin -
GET /admin/incidents/webhook tho -
POST /admin/incidents/webhook admin -
POST /admin/incidents/webhook/test admin -
GET /admin/reach moderator -
GET /admin/jobs serviceteam -
GET /admin/jobs/kinds serviceteam -
GET /admin/jobs/history serviceteam -
POST /admin/jobs/kinds/:job_kind/pause tho -
POST /admin/jobs/kinds/:job_kind/resume tho -
POST /admin/jobs/kinds/:job_kind/retry tho -
DELETE /admin/jobs/kinds/:job_kind/failed tho -
POST /admin/jobs/:job_id/retry tho -
DELETE /admin/jobs/:job_id tho -
POST /admin/memory/reload admin -
GET /admin/errors serviceteam -
GET /admin/audit admin -
GET /admin/audit/csv admin -
GET /admin/backups admin -
POST /admin/boardgames/verify admin -
POST /admin/boardgames/upload admin -
GET /admin/boardgames/file admin -
POST /admin/karaoke/verify admin -
POST /admin/karaoke/upload admin -
GET /admin/karaoke/file admin -
GET /user/export token -
POST /user/export token -
GET /user/deletion token -
POST /user/delete token -
GET /user/export/file token -
POST /admin/backups admin -
POST /admin/backups/schedule admin -
GET /admin/event serviceteam -
POST /admin/event/trip admin -
GET /admin/report serviceteam -
GET /admin/everybody admin -
POST /admin/everybody admin -
POST /admin/everybody/ticket admin -
GET /admin/wipe admin -
POST /admin/wipe admin -
POST /admin/backups/:backup_name/verify admin -
POST /admin/backups/:backup_name/ticket admin -
GET /admin/backups/:backup_name admin -
GET /admin/regcodes/stats serviceteam -
POST /admin/regcodes/verify admin -
POST /admin/regcodes/upload admin -
POST /admin/regcodes/make admin -
GET /admin/regcodes/list admin -
POST /admin/regcodes/delete admin -
GET /admin/regcodes/unused admin -
GET /admin/schedule/changes serviceteam -
GET /admin/rollup serviceteam -
POST /admin/notifications/reload serviceteam -
GET /admin/regcodes/discord/allocate/:username serviceteam -
POST /admin/regcodes/discord/allocate/:username serviceteam -
POST /admin/regcodes/unlock/:userID serviceteam -
GET /admin/regcodes/find/:search_string serviceteam -
GET /admin/regcodes/findbyuser/:user_id serviceteam -
GET /admin/timezonechanges none -
POST /admin/timezonechanges/reloadtzdata admin -
POST /admin/bulkuserfile/ticket admin -
GET /admin/bulkuserfile/download admin -
POST /admin/bulkuserfile/upload admin -
GET /admin/bulkuserfile/verify admin -
GET /admin/bulkuserfile/update/apply admin -
POST /admin/bulkuserfile/update/apply admin -
GET /admin/bulkuserfile/images admin -
POST /admin/dailytheme/create tho - creates
POST /admin/dailytheme/table tho - creates
POST /admin/dailytheme/:themeID/edit tho - creates
POST /admin/dailytheme/:themeID/delete tho - creates
DELETE /admin/dailytheme/:themeID tho - creates

POST /admin/schedule/update serviceteam -
GET /admin/schedule/verify serviceteam -
POST /admin/schedule/verify serviceteam -
POST /admin/schedule/update/apply serviceteam -
GET /admin/schedule/viewlog serviceteam -
GET /admin/schedule/viewlog/:schedule_log_id serviceteam -
POST /admin/schedule/viewlog/:schedule_log_id/undo serviceteam -
GET /admin/schedule/reload serviceteam -
POST /admin/schedule/reload serviceteam -

POST /auth/login basic -
POST /auth/logout token -
POST /auth/logout/everywhere token -
GET /auth/sessions token -
GET /auth/sessions/ended none -
DELETE /auth/sessions/:session_id token -
POST /auth/recovery none -
POST /auth/username flex -

GET /boardgames flex gameslist
GET /boardgames/:boardgame_id flex gameslist
GET /boardgames/expansions/:boardgame_id flex gameslist
GET /boardgames/recommend flex gameslist
POST /boardgames/recommend flex gameslist
POST /boardgames/:boardgame_id/favorite token gameslist
POST /boardgames/:boardgame_id/favorite/remove token gameslist
DELETE /boardgames/:boardgame_id/favorite token gameslist
POST /boardgames/reload admin gameslist

POST /client/clock token -
GET /notification/push token -
POST /notification/push token -
DELETE /notification/push token -
GET /client/health none -
GET /client/settings none -
GET /client/start token -
GET /client/user/headers/since/:date client -
GET /client/user/updates/since/:date client -
GET /client/usersearch client -
POST /client/alert service -
GET /client/metrics service -

GET /events flex schedule
GET /events/favorites token schedule
GET /events/photographerreport serviceteam schedule
GET /events/photographerreport/download serviceteam schedule
POST /events/update admin -
GET /events/:event_id flex schedule
GET /events/:event_id/calendarevent.ics flex schedule
GET /events/:event_id/forum token schedule+forums
POST /events/:event_id/favorite token schedule
POST /events/:event_id/favorite/remove token schedule
DELETE /events/:event_id/favorite token schedule

GET /fez/types flex friendlyfez
GET /fez/former token friendlyfez
GET /fez/open token friendlyfez
GET /fez/joined token friendlyfez
GET /fez/owner token friendlyfez
POST /fez/create verified friendlyfez creates
GET /fez/:fezID token friendlyfez
POST /fez/:fezID/update token friendlyfez creates
POST /fez/:fezID/cancel token friendlyfez
POST /fez/:fezID/delete moderator friendlyfez creates
DELETE /fez/:fezID moderator friendlyfez creates
POST /fez/:fezID/report token friendlyfez
POST /fez/:fezID/join token friendlyfez
POST /fez/:fezID/unjoin token friendlyfez
POST /fez/:fezID/user/:userID/add token friendlyfez
POST /fez/:fezID/user/:userID/remove token friendlyfez creates
POST /fez/:fezID/mute token friendlyfez
POST /fez/:fezID/mute/remove token friendlyfez
DELETE /fez/:fezID/mute token friendlyfez
POST /fez/:fezID/favorite token friendlyfez
POST /fez/:fezID/favorite/remove token friendlyfez
DELETE /fez/:fezID/favorite token friendlyfez
POST /fez/:fezID/markRead token friendlyfez
POST /fez/:fezID/post verified friendlyfez creates
POST /fez/:fezID/post/:postID/delete token friendlyfez creates
POST /fez/post/:postID/delete token friendlyfez creates
DELETE /fez/post/:postID token friendlyfez creates
POST /fez/post/:postID/report token friendlyfez
WS /fez/:fezID/socket token friendlyfez

POST /forum/:forum_id/create verified forums creates
POST /forum/post/:post_id/update verified forums creates
POST /forum/post/:post_id verified forums creates
POST /forum/post/:post_id/delete verified forums creates
DELETE /forum/post/:post_id verified forums creates
POST /forum/post/:post_id/image verified forums creates
POST /forum/post/:post_id/image/remove verified forums creates
GET /forum/categories flex forums
GET /forum/categories/:category_id token forums
POST /forum/categories/:category_id/create verified forums creates
GET /forum/:forum_id token forums
GET /forum/forevent/:event_id token forums
GET /forum/post/:post_id/forum token forums
POST /forum/:forum_id/markRead token forums
POST /forum/:forum_id/rename/:new_name verified forums creates
POST /forum/:forum_id/delete moderator forums creates
DELETE /forum/:forum_id moderator forums creates
POST /forum/post/:post_id/pin verified forums creates
POST /forum/post/:post_id/pin/remove verified forums creates
DELETE /forum/post/:post_id/pin verified forums creates
GET /forum/owner token forums
GET /forum/favorites token forums
GET /forum/mutes token forums
GET /forum/unread token forums
GET /forum/recent token forums
GET /forum/search token forums
POST /forum/:forum_id/favorite token forums
POST /forum/:forum_id/favorite/remove token forums
DELETE /forum/:forum_id/favorite token forums
POST /forum/:forum_id/mute token forums
POST /forum/:forum_id/mute/remove token forums
DELETE /forum/:forum_id/mute token forums
GET /forum/:forum_id/pinnedposts token forums
GET /forum/post/search token forums
GET /forum/post/search/:search_string token forums
GET /forum/post/hashtag/:hashtag token forums
GET /forum/:forum_id/search/:search_string token forums
GET /forum/bookmarks token forums
GET /forum/likes token forums
GET /forum/mentions token forums
GET /forum/posts token forums
GET /forum/post/:post_id token forums
POST /forum/post/:post_id/laugh token forums
POST /forum/post/:post_id/like token forums
POST /forum/post/:post_id/love token forums
POST /forum/post/:post_id/unreact token forums
DELETE /forum/post/:post_id/laugh token forums
DELETE /forum/post/:post_id/like token forums
DELETE /forum/post/:post_id/love token forums
POST /forum/post/:post_id/bookmark token forums
POST /forum/post/:post_id/bookmark/remove token forums
DELETE /forum/post/:post_id/bookmark token forums
POST /forum/post/:post_id/report token forums
POST /forum/:forum_id/report token forums
POST /forum/:forum_id/pin moderator forums
POST /forum/:forum_id/pin/remove moderator forums
DELETE /forum/:forum_id/pin moderator forums

GET /image/descriptions token images
GET /image/full/:image_filename flex images
GET /image/qrcode flex images
GET /image/thumb/:image_filename flex images
GET /image/archive/:image_filename moderator images
GET /image/user/identicon/:user_id flex images
GET /image/user/full/:user_id flex images
GET /image/user/thumb/:user_id flex images

POST /events/:event_id/needsphotographer token schedule
POST /events/:event_id/needsphotographer/remove token schedule
DELETE /events/:event_id/needsphotographer token schedule
POST /events/:event_id/photographer token schedule
POST /events/:event_id/photographer/remove token schedule
DELETE /events/:event_id/photographer token schedule
GET /feedback/eventlist token eventFeedback
GET /feedback/id/:event_id token eventFeedback
GET /feedback/uid/:event_uid token eventFeedback
POST /feedback verified eventFeedback creates
GET /admin/feedback/roomlist serviceteam eventFeedback
GET /admin/feedback/reports serviceteam eventFeedback
GET /admin/feedback/stats serviceteam eventFeedback
GET /admin/feedback/report/:feedback_id serviceteam eventFeedback
POST /admin/feedback/report/:feedback_id/mark serviceteam eventFeedback
POST /admin/feedback/report/:feedback_id/unmark serviceteam eventFeedback
DELETE /admin/feedback/report/:feedback_id/mark serviceteam eventFeedback

GET /performer/official flex performers
GET /performer/shadow flex performers
GET /performer/self token performers
GET /performer/:performer_id flex performers
POST /performer/forevent/:event_id token performers
DELETE /performer/forevent/:event_id token performers
POST /performer/self/delete token performers
DELETE /performer/self token performers
DELETE /performer/:performer_id moderator performers
POST /admin/performer/upsert serviceteam performers
DELETE /admin/performer/:performer_id serviceteam performers
POST /admin/performer/link/upload serviceteam performers
GET /admin/performer/link/verify serviceteam performers
POST /admin/performer/link/apply serviceteam performers
POST /admin/performer/bulk/upload serviceteam performers
GET /admin/performer/bulk/verify serviceteam performers
POST /admin/performer/bulk/apply serviceteam performers
GET /photostream token photostream
GET /photostream/placenames token photostream
POST /photostream/upload verified photostream creates
POST /photostream/:stream_photoID/report token photostream
GET /mod/photostream/:stream_photoID moderator photostream creates
POST /mod/photostream/:stream_photoID/setstate/:mod_state moderator photostream
POST /mod/photostream/:stream_photoID/delete moderator photostream creates
DELETE /mod/photostream/:stream_photoID moderator photostream creates

GET /quartermaster token quartermaster
GET /quartermaster/:item_id token quartermaster
POST /quartermaster/create verified quartermaster creates
POST /quartermaster/:item_id/update token quartermaster creates
POST /quartermaster/:item_id/delete token quartermaster creates
DELETE /quartermaster/:item_id token quartermaster creates
POST /quartermaster/:item_id/report token quartermaster
GET /mod/quartermaster/:item_id moderator quartermaster
POST /mod/quartermaster/:item_id/setstate/:mod_state moderator quartermaster
GET /poll token -
GET /poll/:poll_id token -
POST /poll/create verified - creates
POST /poll/:poll_id/vote verified - creates
POST /poll/:poll_id/end token -
GET /hunts flex hunts
GET /hunts/:hunt_id flex hunts
GET /hunts/puzzles/:puzzle_id flex hunts
POST /hunts/puzzles/:puzzle_id/callin token hunts
POST /hunts/create serviceteam hunts
GET /hunts/:hunt_id/admin serviceteam hunts
PATCH /hunts/:hunt_id serviceteam hunts
PATCH /hunts/puzzles/:puzzle_id serviceteam hunts
DELETE /hunts/:hunt_id serviceteam hunts

GET /karaoke flex karaoke
GET /karaoke/latest flex karaoke
GET /karaoke/performance flex karaoke
GET /karaoke/userIsManager token karaoke
GET /karaoke/userismanager token karaoke
POST /karaoke/userIsManager token karaoke
POST /karaoke/userismanager token karaoke
GET /karaoke/:song_id flex karaoke
POST /karaoke/:song_id/favorite token karaoke
POST /karaoke/:song_id/favorite/remove token karaoke
DELETE /karaoke/:song_id/favorite token karaoke
POST /karaoke/:song_id/logperformance token karaoke
POST /karaoke/reload admin karaoke

GET /microblog token tweets
GET /microblog/bookmarks token tweets
GET /microblog/likes token tweets
GET /microblog/mentions token tweets
GET /microblog/user token tweets
GET /microblog/user/:user_id token tweets
GET /microblog/barrel/:barrel_id token tweets
GET /microblog/hashtag/:hashtag token tweets
GET /microblog/search/:search_string token tweets
POST /microblog/create verified tweets creates
POST /microblog/:post_id/reply verified tweets creates
GET /microblog/:post_id token tweets
POST /microblog/:post_id/update verified tweets creates
POST /microblog/:post_id/delete verified tweets creates
DELETE /microblog/:post_id verified tweets creates
POST /microblog/:post_id/image verified tweets creates
POST /microblog/:post_id/image/remove verified tweets creates
POST /microblog/:post_id/laugh token tweets
POST /microblog/:post_id/like token tweets
POST /microblog/:post_id/love token tweets
POST /microblog/:post_id/unreact token tweets
DELETE /microblog/:post_id/laugh token tweets
DELETE /microblog/:post_id/like token tweets
DELETE /microblog/:post_id/love token tweets
POST /microblog/:post_id/bookmark token tweets
POST /microblog/:post_id/bookmark/remove token tweets
DELETE /microblog/:post_id/bookmark token tweets
POST /microblog/:post_id/report token tweets
POST /karaoke/mk/offer verified karaoke+microkaraoke creates
POST /karaoke/mk/recording verified karaoke+microkaraoke creates
GET /karaoke/mk/songlist token karaoke+microkaraoke
GET /karaoke/mk/song/:micro_karaoke_song_id token karaoke+microkaraoke
GET /karaoke/mk/video/:filename flex karaoke+microkaraoke
POST /karaoke/mk/song/:micro_karaoke_song_id/report token karaoke+microkaraoke
POST /karaoke/mk/snippet/:micro_karaoke_snippet_id/report token karaoke+microkaraoke

POST /microkaraoke/offer verified microkaraoke creates
POST /microkaraoke/recording verified microkaraoke creates
GET /microkaraoke/songlist token microkaraoke
GET /microkaraoke/song/:micro_karaoke_song_id token microkaraoke
GET /microkaraoke/video/:filename flex microkaraoke
POST /microkaraoke/song/:micro_karaoke_song_id/report token microkaraoke
POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report token microkaraoke

GET /mod/microkaraoke/songlist moderator -
GET /mod/microkaraoke/song/:micro_karaoke_song_id moderator -
GET /mod/microkaraoke/snippets/:micro_karaoke_song_id moderator -
POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete moderator -
DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id moderator -
POST /mod/microkaraoke/approve/:micro_karaoke_song_id moderator -

GET /mod/reports moderator -
GET /mod/reports/queue moderator -
POST /mod/reports/:report_id/handleall moderator -
POST /mod/reports/:report_id/closeall moderator -
GET /mod/moderationlog moderator -
GET /mod/fez/:fez_id moderator -
GET /mod/personalevent/:personal_event_id moderator -
GET /mod/privateevent/:personal_event_id moderator -
POST /mod/fez/:fez_id/setstate/:mod_state moderator -
GET /mod/fezpost/:post_id moderator -
POST /mod/fezpost/:post_id/setstate/:mod_state moderator -
GET /mod/forum/:forum_id moderator -
POST /mod/forum/:forum_id/setstate/:mod_state moderator -
POST /mod/forum/:forum_id/setcategory/:category_id moderator -
GET /mod/forumpost/:post_id moderator -
GET /mod/forumPost/:post_id moderator -
POST /mod/forumpost/:post_id/setstate/:mod_state moderator -
POST /mod/forumPost/:post_id/setstate/:mod_state moderator -
POST /mod/category/create moderator -
GET /mod/categories moderator -
POST /mod/categories/order moderator -
POST /mod/category/:category_id/update moderator -
DELETE /mod/category/:category_id moderator -
GET /mod/microblog/:post_id moderator -
POST /mod/microblog/:post_id/setstate/:mod_state moderator -
GET /mod/twarrt/:post_id moderator -
POST /mod/twarrt/:post_id/setstate/:mod_state moderator -
GET /mod/profile/:user_id moderator -
POST /mod/profile/:user_id/setstate/:mod_state moderator -
GET /mod/user/:user_id moderator -
POST /mod/user/:user_id/setaccesslevel/:access_level moderator -
POST /mod/user/:user_id/tempquarantine/:quarantine_length moderator -
GET /mod/user/:user_id/record moderator -
POST /mod/user/:user_id/ban tho -
DELETE /mod/user/:user_id/ban tho -

GET /notification/global flex -
GET /notification/user flex -
GET /notification/dailythemes flex -
GET /notification/hashtags/:search_string none -
GET /notification/announcements flex -
GET /notification/announcement/:announcementID serviceteam -
POST /notification/announcement/create serviceteam -
POST /notification/announcement/:announcementID/edit serviceteam -
POST /notification/announcement/:announcementID/delete serviceteam -
DELETE /notification/announcement/:announcementID serviceteam -
WS /notification/socket token -

POST /phone/initiate/:callID/to/:userID token phone+directphone
POST /phone/answer/:callID token phone
POST /phone/decline/:callID token phone
WS /phone/socket/initiate/:callID/to/:userID token phone
WS /phone/socket/answer/:callID token phone

GET /user/calendar token schedule
POST /user/calendar token schedule
DELETE /user/calendar token -
POST /user/barrel token -
GET /user/barrels token -
GET /user/barrels/seamonkey token -
GET /user/barrels/:barrel_id token -
POST /user/barrels/:barrel_id/add/:string token -
POST /user/barrels/:barrel_id/remove/:string token -
POST /user/barrels/:barrel_id/rename/:barrel_name token -
POST /user/barrels/:barrel_id/delete token -
DELETE /user/barrels/:barrel_id token -
POST /user/create none registration
POST /user/add verified - creates
GET /user/whoami either -
POST /user/verify either -
POST /user/password token -
POST /user/recoverykey token -
POST /user/username token - creates
POST /user/:user_id/username moderator - creates
GET /user/profile either -
POST /user/profile either - creates
POST /user/:user_id/profile moderator - creates
POST /user/image either - creates
POST /user/image/remove either - creates
DELETE /user/image either - creates
DELETE /user/:user_id/image moderator - creates
GET /user/notes token -
GET /user/forums token forums
POST /user/note token -
GET /user/alertwords token -
POST /user/alertwords/add/:alert_word token -
POST /user/alertwords/remove/:alert_word token -
GET /user/mutewords token -
POST /user/mutewords/add/:mute_word token -
POST /user/mutewords/remove/:mute_word token -

GET /users/find/:user_search_string token -
GET /users/match/allnames/:search_string token -
GET /users/match/username/:search_string token -
GET /users/blocks token users
POST /users/:user_id/block token users
POST /users/:user_id/unblock token users
GET /users/mutes token users
POST /users/:user_id/mute token users
POST /users/:user_id/unmute token users
GET /users/favorites token users
POST /users/:user_id/favorite token users
POST /users/:user_id/unfavorite token users
DELETE /users/:user_id/favorite token users
GET /users/:user_id/note token users
POST /users/:user_id/note token users
POST /users/:user_id/note/delete token users
DELETE /users/:user_id/note token users
GET /users/userrole/:user_role token users
POST /users/userrole/:user_role/addrole/:user_id token users
POST /users/userrole/:user_role/removerole/:user_id token users
GET /users/:user_id token -
GET /users/:user_id/header token -
GET /personalevents token personalevents
POST /personalevents/create verified personalevents creates
GET /personalevents/:fezID token personalevents
POST /personalevents/:fezID token personalevents
POST /personalevents/:fezID/update token personalevents
POST /personalevents/:fezID/delete token personalevents
DELETE /personalevents/:fezID token personalevents
POST /personalevents/:fezID/user/:userID/remove token personalevents
DELETE /personalevents/:fezID/user/:userID token personalevents
POST /personalevents/:fezID/report token personalevents
GET /users/:user_id/profile token -
GET /users/:user_id/vcard token users
POST /users/:user_id/report token -
`

export interface Expected {
  method: string
  path: string
  who: string
  features: string[]
  creates: boolean
}

/** The table, row by row. */
export const expectations: readonly Expected[] = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [method = '', path = '', who = '', feature = '', creates] = line.split(' ')
    return { method, path, who, features: feature === '-' ? [] : feature.split('+'), creates: creates === 'creates' }
  })
