// Signing in by a provider, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Cast, TestFeature, Things } from '../support/features.ts'
import type { Person } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'
import { insertIdentity } from '../support/ways-in.ts'

export const feature: TestFeature = {
  access: `
GET /oidc/return none -
POST /oidc/login none -
POST /oidc/account none registration
POST /oidc/connect basic -
GET /oidc/identities token -
DELETE /oidc/identities/:identity_id token -
GET /admin/users/:user_id/identities serviceteam -
DELETE /admin/identities/:identity_id tho -
`,
  objects: `
DELETE /oidc/identities/:identity_id identity_id stranger: missing=400 own=ok other=missing
GET /admin/users/:user_id/identities user_id serviceteam: missing=400 other=ok blocked=ok banned=ok quarantined=ok moderator=ok serviceteam=ok tho=ok admin=ok special=ok
DELETE /admin/identities/:identity_id identity_id tho: missing=400 own=ok other=ok
`,
  things: { kinds: { identity: { params: ['identity_id'] } }, make: makeIdentities },
}

async function makeIdentities(nodes: TestNodes, { owner, stranger }: Cast): Promise<Things> {
  const identity = ({ id }: Person) => insertIdentity(nodes.sql, id)
  return { identity: { own: await identity(stranger), other: await identity(owner), missing: missingUuid } }
}
