// One’s own account, for tests that try everything.
import { randomBytes, randomUUID } from 'node:crypto'
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import { body, type Person } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
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
`,
  objects: `
GET /user/barrels/:barrel_id barrel_id stranger: missing=400 own=ok other=403
POST /user/barrels/:barrel_id/add/:string barrel_id stranger: missing=400 own=400 other=403
POST /user/barrels/:barrel_id/remove/:string barrel_id stranger: missing=400 own=400 other=403
POST /user/barrels/:barrel_id/rename/:barrel_name barrel_id stranger: missing=400 own=ok other=403
POST /user/barrels/:barrel_id/delete barrel_id stranger: missing=400 own=ok other=403
DELETE /user/barrels/:barrel_id barrel_id stranger: missing=400 own=ok other=403
POST /user/:user_id/username user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403
POST /user/:user_id/profile user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403
DELETE /user/:user_id/image user_id moderator: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=403 tho=403 admin=403 special=403
`,
  bodies: {
    UserUsernameData: () => ({ username: `name-${randomUUID().slice(0, 8)}` }),
    UserCreateData: () => ({ username: `name-${randomUUID().slice(0, 8)}`, password: 'a password' }),
  },
  things: {
    kinds: {
      barrel: { params: ['barrel_id'] },
      session: { params: ['session_id', 'token_id'] },
    },
    make: async (nodes, cast) => ({ ...(await makeBarrels(cast)), ...(await makeSessions(nodes, cast)) }),
  },
}

async function makeBarrels({ owner, member, stranger }: Cast): Promise<Things> {
  const barrel = async ({ one }: Person) =>
    (await body(one.post('/user/barrel', { name: 'A barrel', uuidList: [member.id] }), 201)).barrelID as string
  const [other, own] = await Promise.all([barrel(owner), barrel(stranger)])
  return { barrel: { own, other, missing: missingUuid } }
}

async function makeSessions(nodes: TestNodes, { owner, stranger }: Cast): Promise<Things> {
  const session = async ({ id }: Person) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into browser_session values (${randomUUID()}, ${id}, ${randomBytes(32)}, 'Firefox on Linux', now(), now(), now() + interval '1 day') returning id`
    return row.id
  }
  const [own, other] = await Promise.all([session(stranger), session(owner)])
  return { session: { own, other, missing: missingUuid } }
}
