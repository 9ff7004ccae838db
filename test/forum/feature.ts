// Forums, for tests that try everything.
import { randomUUID } from 'node:crypto'
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { body } from '../support/fez.ts'
import { categories, content, postIn, setState, startForum } from '../support/forum.ts'
import { missingUuid, texts } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
POST /mod/forum/:forum_id/slowmode moderator -
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
`,
  objects: `
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
POST /mod/category/:category_id/update category_id moderator: missing=400 other=ok restricted=ok role=ok
DELETE /mod/category/:category_id category_id moderator: missing=400 other=400 restricted=400 role=400
GET /mod/forum/:forum_id forum_id moderator: missing=400 other=ok blocked=ok deleted=ok restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/setstate/:mod_state forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/slowmode forum_id moderator: missing=400 other=ok blocked=ok deleted=missing restricted=ok role=ok quarantined=ok locked=ok
POST /mod/forum/:forum_id/setcategory/:category_id forum_id moderator: missing=400 other=400 blocked=400 deleted=missing restricted=ok role=ok quarantined=400 locked=400
POST /mod/forum/:forum_id/setcategory/:category_id category_id moderator: missing=400 other=400 restricted=ok role=ok
GET /mod/forumpost/:post_id post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=ok inDeleted=ok restricted=ok role=ok quarantined=ok inLocked=ok
GET /mod/forumPost/:post_id post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=ok inDeleted=ok restricted=ok role=ok quarantined=ok inLocked=ok
POST /mod/forumpost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=missing inDeleted=missing restricted=ok role=ok quarantined=ok inLocked=ok
POST /mod/forumPost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok inBlocked=ok deleted=missing inDeleted=missing restricted=ok role=ok quarantined=ok inLocked=ok
`,
  bodies: {
    // Also of posts elsewhere.
    PostContentData: () => content('hello'),
    ForumCreateData: () => ({ title: 'A forum', firstPost: content('hello') }),
    CategoryChangeData: () => ({
      title: `Category ${randomUUID()}`,
      purpose: '',
      accessLevelToView: 'unverified',
      accessLevelToCreate: 'verified',
    }),
  },
  things: {
    kinds: {
      category: { params: ['category_id'], hidden: ['restricted', 'role'] },
      forum: { params: ['forum_id'], hidden: ['restricted', 'role', 'deleted'] },
      forumPost: {
        params: ['postID', 'post_id'],
        under: /^(?!.*\/fez).*\/forum/i,
        hidden: ['restricted', 'role', 'blocked', 'deleted', 'inDeleted'],
      },
    },
    make: makeForums,
  },
}

async function makeForums(nodes: TestNodes, { owner, blocker, moderator, manager }: Cast): Promise<Things> {
  const [other, blocked, deleted, restricted, role, quarantined, locked] = await Promise.all([
    startForum(owner.one, 'Open'),
    startForum(blocker.one, 'Blocked'),
    startForum(owner.one, 'Deleted'),
    startForum(moderator.one, 'Restricted', { category: categories.moderatorsOnly }),
    startForum(manager.one, 'Role', { category: categories.shutternauts }),
    startForum(owner.one, 'Quarantined'),
    startForum(owner.one, 'Locked'),
  ])
  const [byBlocker, gone] = await Promise.all([postIn(blocker.one, other.forumID, 'hello'), postIn(owner.one, other.forumID, 'going')])
  await body(moderator.one.post(`/forum/${deleted.forumID}/delete`), 204)
  await body(owner.one.post(`/forum/post/${gone}/delete`), 204)
  await Promise.all([
    setState(nodes, 'forum', quarantined.forumID, 'quarantined'),
    setState(nodes, 'forum_post', quarantined.postID, 'quarantined'),
    setState(nodes, 'forum', locked.forumID, 'locked'),
  ])
  return {
    category: { other: categories.general, restricted: categories.moderatorsOnly, role: categories.shutternauts, missing: missingUuid },
    forum: {
      other: other.forumID,
      blocked: blocked.forumID,
      deleted: deleted.forumID,
      restricted: restricted.forumID,
      role: role.forumID,
      quarantined: quarantined.forumID,
      locked: locked.forumID,
      missing: missingUuid,
    },
    forumPost: texts({
      other: other.postID,
      blocked: byBlocker,
      inBlocked: blocked.postID,
      deleted: gone,
      inDeleted: deleted.postID,
      restricted: restricted.postID,
      role: role.postID,
      quarantined: quarantined.postID,
      inLocked: locked.postID,
    }),
  }
}
