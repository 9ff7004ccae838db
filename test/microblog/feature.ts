// The microblog, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { body } from '../support/fez.ts'
import { write } from '../support/microblog.ts'
import { texts } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
POST /mod/microblog/slowmode moderator -
GET /microblog/slowmode token tweets
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
GET /mod/microblog/:post_id moderator -
POST /mod/microblog/:post_id/setstate/:mod_state moderator -
GET /mod/twarrt/:post_id moderator -
POST /mod/twarrt/:post_id/setstate/:mod_state moderator -
`,
  objects: `
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
GET /mod/microblog/:post_id post_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/microblog/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
GET /mod/twarrt/:post_id post_id moderator: missing=400 other=ok blocked=ok deleted=ok quarantined=ok
POST /mod/twarrt/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok blocked=ok deleted=missing quarantined=ok
`,
  things: {
    kinds: {
      microblogPost: { params: ['postID', 'post_id'], under: /^(?!.*\/(fez|forum))/i, hidden: ['blocked', 'deleted'] },
    },
    make: makeMicroblog,
  },
}

async function makeMicroblog(nodes: TestNodes, { owner, blocker }: Cast): Promise<Things> {
  const [other, blocked, deleted, quarantined] = await Promise.all([
    write(owner.one, 'a post #tag'),
    write(blocker.one, 'a post'),
    write(owner.one, 'a post'),
    write(owner.one, 'a post'),
  ])
  await body(owner.one.post(`/microblog/${deleted}/delete`), 204)
  await nodes.sql`update microblog_post set moderation_status = 'quarantined' where id = ${quarantined}`
  return { microblogPost: texts({ other, blocked, deleted, quarantined }) }
}
