// Polls, for tests that try everything.
import type { Cast, Guests, TestFeature, Things } from '../support/features.ts'
import { body, createSeamail, type Person } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /poll token -
GET /poll/:poll_id token -
POST /poll/create verified - creates
POST /poll/:poll_id/vote verified - creates
POST /poll/:poll_id/end token -
`,
  objects: `
GET /poll/:poll_id poll_id stranger: missing=400 other=ok secret=missing blocked=missing deleted=missing
POST /poll/:poll_id/vote poll_id stranger: missing=400 other=ok secret=missing blocked=missing deleted=missing
POST /poll/:poll_id/end poll_id stranger: missing=400 other=403 secret=missing blocked=missing deleted=missing
`,
  bodies: {
    PollContentData: () => ({ place: 'microblog', question: 'Which?', choices: ['This', 'That'] }),
  },
  evening: askGuests,
  things: {
    kinds: {
      poll: { params: ['poll_id'], hidden: ['secret', 'blocked', 'deleted'] },
    },
    make: (_nodes, cast) => makePolls(cast),
  },
}

async function makePolls({ owner, member, blocker }: Cast): Promise<Things> {
  const ask = async ({ one }: Person, more: object = { place: 'microblog' }) =>
    await body(one.post('/poll/create', { question: 'Which?', choices: ['This', 'That'], ...more }), 201)
  const placeID = await createSeamail(owner.one, [member])
  const [other, secret, blocked, deleted] = await Promise.all([ask(owner), ask(owner, { place: 'fez', placeID }), ask(blocker), ask(owner)])
  await body(owner.one.post(`/microblog/${deleted.postID}/delete`), 204)
  return { poll: { other: other.pollID, secret: secret.pollID, blocked: blocked.pollID, deleted: deleted.pollID, missing: missingUuid } }
}

async function askGuests({ heidi, sam, mara, kim }: Guests): Promise<Record<string, string>> {
  const { pollID: poll } = await body(
    sam.one.post('/poll/create', { place: 'microblog', question: 'Which game tonight?', choices: ['Skat', 'Go', 'Something loud'] }),
    201,
  )
  for (const [who, choice] of [
    [heidi, 0],
    [kim, 0],
    [mara, 2],
  ] as const)
    await body(who.one.post(`/poll/${poll}/vote`, { choices: [choice] }))
  return { poll: `/poll/${poll}` }
}
