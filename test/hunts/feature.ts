// Puzzle hunts, for tests that try everything.
import type { TestNodes } from '../support/app.ts'
import type { Guests, TestFeature, Things } from '../support/features.ts'
import { body } from '../support/fez.ts'
import { missingUuid } from '../support/ids.ts'

export const feature: TestFeature = {
  access: `
GET /hunts flex hunts
GET /hunts/:hunt_id flex hunts
GET /hunts/puzzles/:puzzle_id flex hunts
POST /hunts/puzzles/:puzzle_id/callin token hunts
POST /hunts/create serviceteam hunts
GET /hunts/:hunt_id/admin serviceteam hunts
PATCH /hunts/:hunt_id serviceteam hunts
PATCH /hunts/puzzles/:puzzle_id serviceteam hunts
DELETE /hunts/:hunt_id serviceteam hunts
`,
  objects: `
GET /hunts/:hunt_id hunt_id stranger: missing=400 other=ok
GET /hunts/puzzles/:puzzle_id puzzle_id stranger: missing=400 other=ok locked=missing
POST /hunts/puzzles/:puzzle_id/callin puzzle_id stranger: missing=400 other=ok locked=missing
GET /hunts/:hunt_id/admin hunt_id serviceteam: missing=400 other=ok
PATCH /hunts/:hunt_id hunt_id serviceteam: missing=400 other=ok
PATCH /hunts/puzzles/:puzzle_id puzzle_id serviceteam: missing=400 other=ok locked=ok
DELETE /hunts/:hunt_id hunt_id serviceteam: missing=400 other=ok
`,
  bodies: {
    HuntCreateData: () => ({
      title: 'A hunt',
      description: 'About it',
      puzzles: [{ title: 'A puzzle', body: 'Its text', answer: 'An answer', hints: {} }],
    }),
    HuntPatchData: () => ({ title: 'Another title' }),
    HuntPuzzlePatchData: () => ({ title: 'Another title' }),
  },
  evening: startHunt,
  things: {
    kinds: {
      hunt: { params: ['hunt_id'] },
      puzzle: { params: ['puzzle_id'], hidden: ['locked'] },
    },
    make: makeHunt,
  },
}

async function makeHunt(nodes: TestNodes): Promise<Things> {
  const [hunt] = await nodes.sql<
    [{ id: string }]
  >`insert into hunt (id, title, description) values (gen_random_uuid(), 'A hunt', '') returning id`
  const puzzle = async (position: number, unlockTime: string | null) => {
    const [row] = await nodes.sql<[{ id: string }]>`
      insert into hunt_puzzle (id, hunt_id, position, title, body, answer, answer_key, hints, unlock_time)
      values (gen_random_uuid(), ${hunt.id}, ${position}, 'A puzzle', '', 'An answer', 'ANANSWER', '{}', ${unlockTime}) returning id`
    return row.id
  }
  const [other, locked] = await Promise.all([puzzle(1, null), puzzle(2, '2999-01-01T00:00:00Z')])
  return { hunt: { other: hunt.id, missing: missingUuid }, puzzle: { other, locked, missing: missingUuid } }
}

async function startHunt({ heidi, captain }: Guests, at: (offset: number) => string): Promise<Record<string, string>> {
  await body(
    captain.one.post('/hunts/create', {
      title: 'The missing bell',
      description: 'Somebody has taken the ship’s bell. Find out who, before the last night.',
      puzzles: [
        { title: 'On the bridge', body: 'What rings at noon?', answer: 'The bell', hints: {} },
        { title: 'Below deck', body: 'And now?', answer: 'Rope', hints: {}, unlockTime: at(12 * 3_600_000) },
      ],
    }),
    201,
  )
  const [{ huntID }] = (await body(heidi.one.get('/hunts'))).hunts
  const [{ puzzleID }] = (await body(heidi.one.get(`/hunts/${huntID}`))).puzzles
  return { hunt: `/hunt/${huntID}`, puzzle: `/puzzle/${puzzleID}` }
}
