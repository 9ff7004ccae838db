// Passkeys, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import type { Person } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'
import { insertPasskey } from '../support/ways-in.ts'

export const feature: TestFeature = {
  access: `
POST /auth/passkeys/challenge none -
POST /auth/passkeys/login none -
GET /auth/passkeys token -
POST /auth/passkeys/begin token -
POST /auth/passkeys token -
DELETE /auth/passkeys/:passkey_id token -
GET /admin/users/:user_id/passkeys serviceteam -
DELETE /admin/passkeys/:passkey_id tho -
`,
  objects: `
DELETE /auth/passkeys/:passkey_id passkey_id stranger: missing=400 own=ok other=missing
GET /admin/users/:user_id/passkeys user_id serviceteam: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
DELETE /admin/passkeys/:passkey_id passkey_id tho: missing=400 own=ok other=ok
`,
  things: { kinds: { passkey: { params: ['passkey_id'] } }, make: makePasskeys },
}

async function makePasskeys(nodes: TestNodes, { owner, stranger }: Cast): Promise<Things> {
  const passkey = ({ id }: Person) => insertPasskey(nodes.sql, id)
  return { passkey: { own: await passkey(stranger), other: await passkey(owner), missing: missingUuid } }
}
