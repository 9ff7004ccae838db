// Calls, for tests that try everything.
import { randomUUID } from 'node:crypto'
import type { TestFeature } from '../support/features.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
POST /phone/initiate/:callID/to/:userID token phone+directphone
POST /phone/answer/:callID token phone
POST /phone/decline/:callID token phone
WS /phone/socket/initiate/:callID/to/:userID token phone
WS /phone/socket/answer/:callID token phone
`,
  objects: `
POST /phone/initiate/:callID/to/:userID callID stranger: missing=400 others=missing
POST /phone/initiate/:callID/to/:userID userID stranger: missing=400 other=400 blocked=missing banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
POST /phone/answer/:callID callID stranger: missing=ok others=ok
POST /phone/decline/:callID callID stranger: missing=ok others=ok
WS /phone/socket/initiate/:callID/to/:userID callID stranger: missing=400 others=missing
WS /phone/socket/initiate/:callID/to/:userID userID stranger: missing=400 other=400 blocked=missing banned=400 quarantined=400 moderator=400 serviceteam=400 tho=400 admin=400 special=400
WS /phone/socket/answer/:callID callID stranger: missing=400 others=missing
`,
  bodies: {
    PhoneSocketServerAddress: () => ({ ipV4Addr: '10.0.0.7' }),
  },
  things: {
    kinds: {
      call: { params: ['callID'], hidden: ['others'] },
    },
    make: () => Promise.resolve({ call: { others: randomUUID(), missing: missingUuid } }),
  },
}
