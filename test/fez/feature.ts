// Chats, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { body, createChat, createSeamail, lfg, moderate, say, type Person } from '../support/fez.ts'
import { missingUuid, texts } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
POST /fez/:fezID/reportposts token friendlyfez
POST /mod/fez/:fez_id/slowmode moderator -
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
GET /mod/fez/:fez_id moderator -
GET /mod/personalevent/:personal_event_id moderator -
GET /mod/privateevent/:personal_event_id moderator -
POST /mod/fez/:fez_id/setstate/:mod_state moderator -
GET /mod/fezpost/:post_id moderator -
POST /mod/fezpost/:post_id/setstate/:mod_state moderator -
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
`,
  objects: `
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
GET /mod/personalevent/:personal_event_id personal_event_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
GET /mod/privateevent/:personal_event_id personal_event_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
GET /mod/fez/:fez_id fez_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=ok quarantined=ok
POST /mod/fez/:fez_id/setstate/:mod_state fez_id moderator: missing=400 own=ok other=ok secret=ok blocked=ok deleted=missing quarantined=ok
POST /mod/fez/:fez_id/slowmode fez_id moderator: missing=400 own=ok other=ok secret=400 blocked=ok deleted=missing quarantined=ok
GET /mod/fezpost/:post_id post_id moderator: missing=400 other=ok secret=ok blocked=ok deleted=ok inDeleted=ok
POST /mod/fezpost/:post_id/setstate/:mod_state post_id moderator: missing=400 other=ok secret=ok blocked=ok deleted=missing inDeleted=missing
`,
  bodies: {
    FezContentData: () => lfg(),
    PersonalEventContentData: () => ({
      title: 'An event',
      startTime: '2099-01-01T10:00:00Z',
      endTime: '2099-01-01T11:00:00Z',
      participants: [],
    }),
  },
  things: {
    kinds: {
      fez: {
        params: ['fezID', 'fez_id', 'personal_event_id'],
        under: /^(?!\/personalevents\/:fez_?ID)/i,
        hidden: ['secret', 'blocked', 'deleted'],
      },
      personalEvent: { params: ['fezID', 'fez_id'], under: /^\/personalevents\//, hidden: ['other', 'blocked', 'deleted', 'chat'] },
      fezPost: { params: ['postID', 'post_id'], under: /\/fez/, hidden: ['secret', 'blocked', 'deleted', 'inDeleted'] },
    },
    make: async (nodes, cast) => ({ ...(await makeChats(nodes, cast)), ...(await makePersonalEvents(cast)) }),
  },
}

async function makeChats(nodes: TestNodes, { owner, member, stranger, blocker, moderator }: Cast): Promise<Things> {
  const [own, other, secret, blocked, deleted, quarantined] = (await Promise.all([
    createChat(stranger.one),
    createChat(owner.one),
    createSeamail(owner.one, [member]),
    createChat(blocker.one),
    createChat(owner.one),
    createChat(owner.one),
  ])) as [string, string, string, string, string, string]
  const [inOther, inSecret, inBlocked, inDeleted, gone] = await Promise.all([
    say(owner.one, other, 'a post'),
    say(owner.one, secret, 'a letter'),
    say(blocker.one, blocked, 'a post'),
    say(owner.one, deleted, 'a post'),
    say(owner.one, quarantined, 'a post'),
  ])
  await Promise.all([
    body(moderator.one.post(`/fez/${deleted}/delete`), 204),
    body(owner.one.post(`/fez/post/${gone}/delete`), 204),
    moderate(nodes, quarantined, 'quarantined'),
  ])
  return {
    fez: { own, other, secret, blocked, deleted, quarantined, missing: missingUuid },
    fezPost: texts({ other: inOther, secret: inSecret, blocked: inBlocked, deleted: gone, inDeleted }),
  }
}

async function makePersonalEvents({ owner, stranger, blocker, moderator }: Cast): Promise<Things> {
  const event = async (by: Person, participants: readonly Person[] = []): Promise<string> => {
    const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' }
    const content = { title: 'An event', description: 'About it', ...times, participants: participants.map(({ id }) => id) }
    return (await body(by.one.post('/personalevents/create', content), 201)).personalEventID
  }
  const [own, joined, other, blocked, deleted, chat] = await Promise.all([
    event(stranger),
    event(owner, [stranger]),
    event(owner),
    event(blocker),
    event(stranger),
    createChat(stranger.one),
  ])
  await body(moderator.one.post(`/fez/${deleted}/delete`), 204)
  return { personalEvent: { own, joined, other, blocked, deleted, chat, missing: missingUuid } }
}
