// Other people, for tests that try everything.
import { builtIn } from '../../src/accounts/rows.ts'
import type { TestFeature } from '../support/features.ts'
import { body } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /admin/moderators tho -
GET /admin/serviceteam tho -
GET /admin/tho tho -
POST /admin/moderator/promote/:user_id tho -
POST /admin/serviceteam/promote/:user_id tho -
POST /admin/tho/promote/:user_id admin -
POST /admin/admin/promote/:user_id admin -
POST /admin/user/demote/:user_id tho -
GET /admin/userroles/:user_role tho -
POST /admin/userroles/:user_role/addrole/:user_id tho -
POST /admin/userroles/:user_role/removerole/:user_id tho -
POST /mod/user/:user_id/stop moderator -
GET /mod/user/:user_id/written moderator -
POST /mod/content/setstate/:mod_state moderator -
POST /mod/content/delete moderator -
GET /mod/profile/:user_id moderator -
POST /mod/profile/:user_id/setstate/:mod_state moderator -
GET /mod/user/:user_id moderator -
POST /mod/user/:user_id/setaccesslevel/:access_level moderator -
POST /mod/user/:user_id/tempquarantine/:quarantine_length moderator -
GET /mod/user/:user_id/record moderator -
POST /mod/user/:user_id/ban tho -
DELETE /mod/user/:user_id/ban tho -
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
GET /users/:user_id/profile token -
GET /users/:user_id/vcard token users
POST /users/:user_id/report token -
`,
  objects: `
POST /admin/moderator/promote/:user_id user_id tho: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /admin/serviceteam/promote/:user_id user_id tho: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=400 tho=400 admin=400 special=400
POST /admin/tho/promote/:user_id user_id admin: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=ok tho=400 admin=400 special=400
POST /admin/admin/promote/:user_id user_id admin: missing=400 other=ok blocked=ok banned=400 quarantined=400 moderator=ok serviceteam=ok tho=ok admin=400 special=400
POST /admin/user/demote/:user_id user_id tho: missing=400 other=400 blocked=400 banned=400 quarantined=400 moderator=ok serviceteam=ok tho=403 admin=403 special=400
POST /admin/userroles/:user_role/addrole/:user_id user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
POST /admin/userroles/:user_role/removerole/:user_id user_id tho: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
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
`,
  things: {
    kinds: {
      user: { params: ['user_id', 'userID'], hidden: ['blocked'] },
      note: {},
    },
    make: async (_nodes, { owner, member, blocker, moderator, serviceteam, tho, admin, banned, quarantined }) => ({
      user: {
        other: owner.id,
        blocked: blocker.id,
        banned: banned.id,
        quarantined: quarantined.id,
        moderator: moderator.id,
        serviceteam: serviceteam.id,
        tho: tho.id,
        admin: admin.id,
        special: builtIn.admin,
        missing: missingUuid,
      },
      note: { other: (await body(owner.one.post(`/users/${member.id}/note`, { note: 'a note' }), 201)).noteID, missing: missingUuid },
    }),
  },
}
