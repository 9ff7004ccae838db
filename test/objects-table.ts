// Whose things a route takes, by the reference: every id in every path, with things in all the states of
// test/support/world.ts. test/core/objects.test.ts holds the product against it.
import type { World } from './support/world.ts'

/**
 * Method, path, parameter, who calls, and what comes of each state.
 *
 * The caller has the lowest level that the route lets in; the `stranger` has no part in anything, and
 * `blocked` is what the one who blocks him made. `missing=` says what an id of nothing is answered with.
 * Other states: `missing` for exactly that answer, `ok` for success, or the status of a refusal.
 *
 * Blocks mean nothing to moderators, and nothing in the libraries. Ending a favorite, a mute or a bookmark
 * is no question of what can be seen. Barrels are private but no secret. Pictures are for who knows their names.
 */
const table = `
POST /admin/moderator/promote/:user_id user_id tho: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /admin/serviceteam/promote/:user_id user_id tho: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=400 tho=400 admin=400 special=400
POST /admin/tho/promote/:user_id user_id admin: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=ok tho=400 admin=400 special=400
POST /admin/admin/promote/:user_id user_id admin: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=ok tho=ok admin=400 special=400
POST /admin/user/demote/:user_id user_id tho: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=ok serviceteam=ok tho=403 admin=403 special=400
POST /admin/userroles/:user_role/addrole/:user_id user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /admin/userroles/:user_role/removerole/:user_id user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /admin/users/:user_id user_id serviceteam: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /admin/users/:user_id/signout user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=403 serviceteam=403 tho=403 admin=403 special=403
GET /admin/regcodes/findbyuser/:user_id user_id serviceteam: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /admin/regcodes/unlock/:userID userID serviceteam: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /admin/dailytheme/:themeID/edit themeID tho: missing=400 other=ok
POST /admin/dailytheme/:themeID/delete themeID tho: missing=400 other=ok
DELETE /admin/dailytheme/:themeID themeID tho: missing=400 other=ok
GET /admin/schedule/viewlog/:schedule_log_id schedule_log_id serviceteam: missing=400 other=ok
POST /admin/schedule/viewlog/:schedule_log_id/undo schedule_log_id serviceteam: missing=400 other=400

DELETE /auth/sessions/:session_id session_id stranger: missing=400 own=ok other=missing

GET /user/barrels/:barrel_id barrel_id stranger: missing=400 own=ok other=403
POST /user/barrels/:barrel_id/add/:string barrel_id stranger: missing=400 own=400 other=403
POST /user/barrels/:barrel_id/remove/:string barrel_id stranger: missing=400 own=400 other=403
POST /user/barrels/:barrel_id/rename/:barrel_name barrel_id stranger: missing=400 own=ok other=403
POST /user/barrels/:barrel_id/delete barrel_id stranger: missing=400 own=ok other=403
DELETE /user/barrels/:barrel_id barrel_id stranger: missing=400 own=ok other=403
POST /user/:user_id/username user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403
POST /user/:user_id/profile user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403
DELETE /user/:user_id/image user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403

GET /boardgames/:boardgame_id boardgame_id stranger: missing=400 other=ok
GET /boardgames/expansions/:boardgame_id boardgame_id stranger: missing=400 other=ok
POST /boardgames/:boardgame_id/favorite boardgame_id stranger: missing=400 other=ok
POST /boardgames/:boardgame_id/favorite/remove boardgame_id stranger: missing=ok other=ok
DELETE /boardgames/:boardgame_id/favorite boardgame_id stranger: missing=ok other=ok

GET /events/:event_id event_id stranger: missing=400 other=ok deleted=missing
GET /events/:event_id/calendarevent.ics event_id stranger: missing=400 other=ok deleted=missing
GET /events/:event_id/forum event_id stranger: missing=400 other=ok deleted=missing
POST /events/:event_id/favorite event_id stranger: missing=400 other=ok deleted=missing
POST /events/:event_id/favorite/remove event_id stranger: missing=ok other=ok deleted=ok
DELETE /events/:event_id/favorite event_id stranger: missing=ok other=ok deleted=ok
POST /events/:event_id/needsphotographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/needsphotographer/remove event_id manager: missing=400 other=ok deleted=missing
DELETE /events/:event_id/needsphotographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/photographer event_id manager: missing=400 other=ok deleted=missing
POST /events/:event_id/photographer/remove event_id stranger: missing=ok other=ok deleted=ok
DELETE /events/:event_id/photographer event_id stranger: missing=ok other=ok deleted=ok

GET /fez/:fezID fezID stranger: missing=400 own=ok other=ok secret=missing blocked=missing deleted=missing quarantined=ok
POST /fez/:fezID/update fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/cancel fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/delete fezID moderator: missing=400 own=ok other=ok secret=missing blocked=ok deleted=missing quarantined=ok
DELETE /fez/:fezID fezID moderator: missing=400 own=ok other=ok secret=missing blocked=ok deleted=missing quarantined=ok
POST /fez/:fezID/report fezID stranger: missing=400 own=ok other=ok secret=missing blocked=missing deleted=missing quarantined=ok
POST /fez/:fezID/reportposts fezID stranger: missing=400 own=400 other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/join fezID stranger: missing=400 own=400 other=ok secret=missing blocked=missing deleted=missing quarantined=ok
POST /fez/:fezID/unjoin fezID stranger: missing=400 own=ok other=ok secret=missing blocked=missing deleted=missing quarantined=ok
POST /fez/:fezID/user/:userID/add fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/user/:userID/add userID stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /fez/:fezID/user/:userID/remove fezID stranger: missing=400 own=400 other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/user/:userID/remove userID stranger: missing=400 other=missing blocked=missing banned=missing quarantined=missing moderator=missing serviceteam=missing tho=missing admin=missing special=missing
POST /fez/:fezID/mute fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/mute/remove fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
DELETE /fez/:fezID/mute fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/favorite fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/favorite/remove fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
DELETE /fez/:fezID/favorite fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/markRead fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/post fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403
POST /fez/:fezID/post/:postID/delete fezID stranger: missing=400 own=400 other=400 secret=missing blocked=missing deleted=missing quarantined=400
POST /fez/:fezID/post/:postID/delete postID stranger: missing=400 other=missing secret=missing blocked=missing deleted=missing inDeleted=missing
POST /fez/post/:postID/delete postID stranger: missing=400 other=missing secret=missing blocked=missing deleted=missing inDeleted=missing
DELETE /fez/post/:postID postID stranger: missing=400 other=missing secret=missing blocked=missing deleted=missing inDeleted=missing
POST /fez/post/:postID/report postID stranger: missing=400 other=ok secret=missing blocked=missing deleted=missing inDeleted=missing
GET /personalevents/:fezID fezID stranger: missing=400 own=ok joined=ok other=missing blocked=missing deleted=missing chat=missing
POST /personalevents/:fezID fezID stranger: missing=400 own=ok joined=403 other=missing blocked=missing deleted=missing chat=missing
POST /personalevents/:fezID/update fezID stranger: missing=400 own=ok joined=403 other=missing blocked=missing deleted=missing chat=missing
POST /personalevents/:fezID/delete fezID stranger: missing=400 own=ok joined=403 other=missing blocked=missing deleted=missing chat=missing
DELETE /personalevents/:fezID fezID stranger: missing=400 own=ok joined=403 other=missing blocked=missing deleted=missing chat=missing
POST /personalevents/:fezID/user/:userID/remove fezID stranger: missing=400 own=400 joined=403 other=missing blocked=missing deleted=missing chat=missing
POST /personalevents/:fezID/user/:userID/remove userID stranger: missing=400 other=missing blocked=missing banned=missing quarantined=missing moderator=missing serviceteam=missing tho=missing admin=missing special=missing
DELETE /personalevents/:fezID/user/:userID fezID stranger: missing=400 own=400 joined=403 other=missing blocked=missing deleted=missing chat=missing
DELETE /personalevents/:fezID/user/:userID userID stranger: missing=400 other=missing blocked=missing banned=missing quarantined=missing moderator=missing serviceteam=missing tho=missing admin=missing special=missing
POST /personalevents/:fezID/report fezID stranger: missing=400 own=ok joined=ok other=missing blocked=missing deleted=missing chat=missing
WS /fez/:fezID/socket fezID stranger: missing=400 own=ok other=403 secret=missing blocked=missing deleted=missing quarantined=403

POST /forum/:forum_id/create forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=403 locked=403
POST /forum/post/:post_id/update post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id/delete post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
DELETE /forum/post/:post_id post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id/image post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id/image/remove post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id/pin post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
POST /forum/post/:post_id/pin/remove post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
DELETE /forum/post/:post_id/pin post_id stranger: missing=400 other=403 blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=403 inLocked=403
GET /forum/:forum_id/search/:search_string forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
GET /forum/post/:post_id post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/laugh post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/like post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/love post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/unreact post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
DELETE /forum/post/:post_id/laugh post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
DELETE /forum/post/:post_id/like post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
DELETE /forum/post/:post_id/love post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/bookmark post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/bookmark/remove post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
DELETE /forum/post/:post_id/bookmark post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/post/:post_id/report post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
GET /forum/categories/:category_id category_id stranger: missing=400 other=ok restricted=missing role=missing
POST /forum/categories/:category_id/create category_id stranger: missing=400 other=ok restricted=missing role=missing
GET /forum/forevent/:event_id event_id stranger: missing=400 other=ok deleted=missing
GET /forum/:forum_id forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
GET /forum/post/:post_id/forum post_id stranger: missing=400 other=ok blocked=missing inBlocked=missing deleted=missing inDeleted=missing restricted=missing role=missing quarantined=ok inLocked=ok
POST /forum/:forum_id/markRead forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
POST /forum/:forum_id/rename/:new_name forum_id stranger: missing=400 other=403 blocked=missing deleted=missing restricted=missing role=missing quarantined=403 locked=403
POST /forum/:forum_id/delete forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
DELETE /forum/:forum_id forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /forum/:forum_id/favorite forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
POST /forum/:forum_id/favorite/remove forum_id stranger: missing=ok other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
DELETE /forum/:forum_id/favorite forum_id stranger: missing=ok other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
POST /forum/:forum_id/mute forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
POST /forum/:forum_id/mute/remove forum_id stranger: missing=ok other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
DELETE /forum/:forum_id/mute forum_id stranger: missing=ok other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
GET /forum/:forum_id/pinnedposts forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok
POST /forum/:forum_id/pin forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /forum/:forum_id/pin/remove forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
DELETE /forum/:forum_id/pin forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /forum/:forum_id/report forum_id stranger: missing=400 other=ok blocked=missing deleted=missing restricted=missing role=missing quarantined=ok locked=ok

GET /image/full/:image_filename image_filename stranger: missing=400 other=ok archived=missing
GET /image/thumb/:image_filename image_filename stranger: missing=400 other=ok archived=missing
GET /image/archive/:image_filename image_filename moderator: missing=400 other=missing archived=ok
GET /image/user/identicon/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /image/user/full/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /image/user/thumb/:user_id user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok

GET /feedback/id/:event_id event_id stranger: missing=400 other=ok deleted=missing
GET /feedback/uid/:event_uid event_uid stranger: missing=400 other=ok deleted=missing
GET /admin/feedback/report/:feedback_id feedback_id serviceteam: missing=400 other=ok
POST /admin/feedback/report/:feedback_id/mark feedback_id serviceteam: missing=400 other=ok
POST /admin/feedback/report/:feedback_id/unmark feedback_id serviceteam: missing=400 other=ok
DELETE /admin/feedback/report/:feedback_id/mark feedback_id serviceteam: missing=400 other=ok
GET /performer/:performer_id performer_id stranger: missing=400 other=ok deleted=missing
POST /performer/forevent/:event_id event_id stranger: missing=400 other=missing deleted=missing
DELETE /performer/forevent/:event_id event_id stranger: missing=400 other=missing deleted=missing
DELETE /performer/:performer_id performer_id moderator: missing=ok other=ok deleted=ok
DELETE /admin/performer/:performer_id performer_id serviceteam: missing=ok other=ok deleted=ok

POST /photostream/:stream_photoID/report stream_photoID stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
GET /mod/photostream/:stream_photoID stream_photoID moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/photostream/:stream_photoID/setstate/:mod_state stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
POST /mod/photostream/:stream_photoID/delete stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
DELETE /mod/photostream/:stream_photoID stream_photoID moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok

GET /quartermaster/:item_id item_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /quartermaster/:item_id/update item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /quartermaster/:item_id/delete item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
DELETE /quartermaster/:item_id item_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /quartermaster/:item_id/report item_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
GET /mod/quartermaster/:item_id item_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/quartermaster/:item_id/setstate/:mod_state item_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
GET /poll/:poll_id poll_id stranger: missing=400 other=ok secret=missing blocked=missing deleted=missing
POST /poll/:poll_id/vote poll_id stranger: missing=400 other=ok secret=missing blocked=missing deleted=missing
POST /poll/:poll_id/end poll_id stranger: missing=400 other=403 secret=missing blocked=missing deleted=missing
GET /hunts/:hunt_id hunt_id stranger: missing=400 other=ok
GET /hunts/puzzles/:puzzle_id puzzle_id stranger: missing=400 other=ok locked=missing
POST /hunts/puzzles/:puzzle_id/callin puzzle_id stranger: missing=400 other=ok locked=missing
GET /hunts/:hunt_id/admin hunt_id serviceteam: missing=400 other=ok
PATCH /hunts/:hunt_id hunt_id serviceteam: missing=400 other=ok
PATCH /hunts/puzzles/:puzzle_id puzzle_id serviceteam: missing=400 other=ok locked=ok
DELETE /hunts/:hunt_id hunt_id serviceteam: missing=400 other=ok

GET /karaoke/:song_id song_id stranger: missing=400 other=ok
POST /karaoke/:song_id/favorite song_id stranger: missing=400 other=ok
POST /karaoke/:song_id/favorite/remove song_id stranger: missing=ok other=ok
DELETE /karaoke/:song_id/favorite song_id stranger: missing=ok other=ok
POST /karaoke/:song_id/logperformance song_id manager: missing=400 other=ok
GET /karaoke/mk/song/:micro_karaoke_song_id micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
GET /karaoke/mk/video/:filename filename stranger: missing=400
POST /karaoke/mk/song/:micro_karaoke_song_id/report micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
POST /karaoke/mk/snippet/:micro_karaoke_snippet_id/report micro_karaoke_snippet_id stranger: missing=400 other=ok blocked=ok unapproved=missing

GET /microblog/user/:user_id user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /microblog/barrel/:barrel_id barrel_id stranger: missing=400 own=ok other=ok
POST /microblog/:post_id/reply post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=400
GET /microblog/:post_id post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/update post_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /microblog/:post_id/delete post_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
DELETE /microblog/:post_id post_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /microblog/:post_id/image post_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /microblog/:post_id/image/remove post_id stranger: missing=400 other=403 blocked=missing deleted=missing quarantined=403
POST /microblog/:post_id/laugh post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/like post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/love post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/unreact post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
DELETE /microblog/:post_id/laugh post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
DELETE /microblog/:post_id/like post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
DELETE /microblog/:post_id/love post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/bookmark post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok
POST /microblog/:post_id/bookmark/remove post_id stranger: missing=ok other=ok blocked=ok deleted=ok quarantined=ok
DELETE /microblog/:post_id/bookmark post_id stranger: missing=ok other=ok blocked=ok deleted=ok quarantined=ok
POST /microblog/:post_id/report post_id stranger: missing=400 other=ok blocked=missing deleted=missing quarantined=ok

GET /microkaraoke/song/:micro_karaoke_song_id micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
GET /microkaraoke/video/:filename filename stranger: missing=400
POST /microkaraoke/song/:micro_karaoke_song_id/report micro_karaoke_song_id stranger: missing=400 other=ok unapproved=missing building=missing
POST /microkaraoke/snippet/:micro_karaoke_snippet_id/report micro_karaoke_snippet_id stranger: missing=400 other=ok blocked=ok unapproved=missing

GET /mod/microkaraoke/song/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=ok
GET /mod/microkaraoke/snippets/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=ok
POST /mod/microkaraoke/snippet/:micro_karaoke_snippet_id/delete micro_karaoke_snippet_id moderator: missing=ok other=ok blocked=ok unapproved=ok
DELETE /mod/microkaraoke/snippet/:micro_karaoke_snippet_id micro_karaoke_snippet_id moderator: missing=ok other=ok blocked=ok unapproved=ok
POST /mod/microkaraoke/approve/:micro_karaoke_song_id micro_karaoke_song_id moderator: missing=400 other=ok unapproved=ok building=400
POST /mod/reports/:report_id/handleall report_id moderator: missing=400 other=ok
POST /mod/reports/:report_id/closeall report_id moderator: missing=400 other=ok
GET /mod/personalevent/:personal_event_id personal_event_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
GET /mod/privateevent/:personal_event_id personal_event_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
POST /mod/category/:category_id/update category_id moderator: missing=400 other=ok restricted=ok role=ok
DELETE /mod/category/:category_id category_id moderator: missing=400 other=400 restricted=400 role=400
POST /mod/templates/:template_id template_id moderator: missing=400 other=ok
DELETE /mod/templates/:template_id template_id moderator: missing=400 other=ok
GET /mod/fez/:fez_id fez_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
POST /mod/fez/:fez_id/setstate/:mod_state fez_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=missing quarantined=ok
POST /mod/fez/:fez_id/slowmode fez_id moderator: missing=400 own=ok other=ok secret=400 blocked=ok deleted=missing quarantined=ok
GET /mod/fezpost/:post_id post_id moderator: missing=400 other=ok secret=ok blocked=ok deleted=ok inDeleted=ok
POST /mod/fezpost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok secret=ok blocked=ok deleted=missing inDeleted=missing
GET /mod/forum/:forum_id forum_id moderator: missing=400 other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/setstate/:mod_state forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/slowmode forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/setcategory/:category_id forum_id moderator: missing=400 other=400 blocked=400 deleted=missing restricted=ok role=ok quarantined=400 locked=400
POST /mod/forum/:forum_id/setcategory/:category_id category_id moderator: missing=400 other=400 restricted=ok role=ok
GET /mod/forumpost/:post_id post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=ok inDeleted=ok restricted=ok role=ok quarantined=ok inLocked=ok
GET /mod/forumPost/:post_id post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=ok inDeleted=ok restricted=ok role=ok quarantined=ok inLocked=ok
POST /mod/forumpost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=missing inDeleted=missing restricted=ok role=ok quarantined=ok inLocked=ok
POST /mod/forumPost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=missing inDeleted=missing restricted=ok role=ok quarantined=ok inLocked=ok
GET /mod/microblog/:post_id post_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/microblog/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
GET /mod/twarrt/:post_id post_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/twarrt/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
GET /mod/profile/:user_id user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /mod/profile/:user_id/setstate/:mod_state user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /mod/user/:user_id user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /mod/user/:user_id/setaccesslevel/:access_level user_id moderator: missing=400 other=ok blocked=ok banned=400 quarantined=ok moderator=400 serviceteam=400 tho=400 admin=400 special=400
GET /mod/user/:user_id/record user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /mod/user/:user_id/written user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /mod/user/:user_id/stop user_id tho: missing=400 other=ok blocked=ok banned=400 quarantined=ok moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /mod/user/:user_id/ban user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=400 serviceteam=400 tho=400 admin=400 special=400
DELETE /mod/user/:user_id/ban user_id tho: missing=400 other=400 blocked=400 banned=ok quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /mod/user/:user_id/tempquarantine/:quarantine_length user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=400 serviceteam=400 tho=400 admin=400 special=400

GET /notification/announcement/:announcementID announcementID serviceteam: missing=400 other=ok
POST /notification/announcement/:announcementID/edit announcementID serviceteam: missing=400 other=ok
POST /notification/announcement/:announcementID/delete announcementID serviceteam: missing=400 other=ok
DELETE /notification/announcement/:announcementID announcementID serviceteam: missing=400 other=ok

POST /phone/initiate/:callID/to/:userID callID stranger: missing=400 others=missing
POST /phone/initiate/:callID/to/:userID userID stranger: missing=400 other=400 blocked=missing banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /phone/answer/:callID callID stranger: missing=ok others=ok
POST /phone/decline/:callID callID stranger: missing=ok others=ok
WS /phone/socket/initiate/:callID/to/:userID callID stranger: missing=400 others=missing
WS /phone/socket/initiate/:callID/to/:userID userID stranger: missing=400 other=400 blocked=missing banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
WS /phone/socket/answer/:callID callID stranger: missing=400 others=missing

POST /users/:user_id/block user_id stranger: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /users/:user_id/unblock user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/mute user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/unmute user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/favorite user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/unfavorite user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
DELETE /users/:user_id/favorite user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /users/:user_id/note user_id stranger: missing=400 other=400 blocked=missing banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /users/:user_id/note user_id stranger: missing=400 other=ok blocked=missing banned=missing quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/note/delete user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
DELETE /users/:user_id/note user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/userrole/:user_role/addrole/:user_id user_id manager: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/userrole/:user_role/removerole/:user_id user_id manager: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /users/:user_id user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /users/:user_id/header user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /users/:user_id/vcard user_id stranger: missing=400 other=ok blocked=missing banned=missing quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
GET /users/:user_id/profile user_id stranger: missing=400 other=ok blocked=missing banned=missing quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /users/:user_id/report user_id stranger: missing=400 other=ok blocked=missing banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
`

export interface Row {
  method: string
  path: string
  param: string
  caller: Exclude<keyof World, 'things'>
  outcomes: string
}

/** The table, row by row. */
export const rows: readonly Row[] = table
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [call = '', outcomes = ''] = line.split(': ')
    const [method = '', path = '', param = '', caller = ''] = call.split(' ')
    return { method, path, param, caller: caller as Row['caller'], outcomes }
  })
