// Login and recovery, for tests that try everything.
import type { TestFeature } from '../support/features.ts'
import { body } from '../support/fez.ts'

export const feature: TestFeature = {
  access: `
POST /auth/login basic -
POST /auth/logout token -
POST /auth/logout/everywhere token -
GET /auth/tokens token -
POST /auth/tokens verified - creates
DELETE /auth/tokens/:token_id token -
GET /auth/sessions token -
GET /auth/sessions/ended none -
DELETE /auth/sessions/:session_id token -
GET /auth/secondfactor token -
POST /auth/secondfactor token -
POST /auth/secondfactor/confirm token -
POST /auth/secondfactor/codes token -
POST /auth/secondfactor/remove token -
POST /auth/recovery none -
POST /auth/username flex -
`,
  objects: `
DELETE /auth/sessions/:session_id session_id stranger: missing=400 own=ok other=missing
DELETE /auth/tokens/:token_id token_id stranger: missing=400 own=ok other=missing
`,
  evening: async ({ heidi }) => {
    const { token } = await body(heidi.one.post('/auth/tokens', { name: 'Foyer', scope: 'read', days: 30 }), 201)
    return { display: `/display#${token}` }
  },
}
