// Every endpoint under /hunts.
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import {
  CallIn,
  HuntCreateData,
  HuntData,
  HuntListData,
  HuntPatchData,
  HuntPuzzleCallInResultData,
  HuntPuzzleDetailData,
  HuntPuzzlePatchData,
} from './schemas.ts'
import { callIn, createHunt, editHunt, editPuzzle, getHunt, getHuntForTeam, getPuzzle, listHunts, removeHunt } from './service.ts'

const features = ['hunts'] as const
const hunt = { hunt_id: Uuid }
const puzzle = { puzzle_id: Uuid }

export const huntRoutes = [
  route({
    method: 'GET',
    path: '/hunts',
    access: 'flex',
    features,
    reply: HuntListData,
    summary: 'All hunts by title.',
    cached: { tables: ['hunt'], everySecond: true },
    run: (ctx) => listHunts(ctx),
  }),
  route({
    method: 'GET',
    path: '/hunts/:hunt_id',
    access: 'flex',
    features,
    params: hunt,
    reply: HuntData,
    summary: 'A hunt with its unlocked puzzles, in the order in which they unlock. Puzzles that the caller has solved have their answers.',
    cached: { tables: ['hunt', 'hunt_puzzle', 'hunt_call_in'], everySecond: true },
    run: (ctx, { params }) => getHunt(ctx, params.hunt_id),
  }),
  route({
    method: 'GET',
    path: '/hunts/puzzles/:puzzle_id',
    access: 'flex',
    features,
    params: puzzle,
    reply: HuntPuzzleDetailData,
    summary: "An unlocked puzzle with the caller's call-ins, oldest first.",
    cached: { tables: ['hunt', 'hunt_puzzle', 'hunt_call_in'], everySecond: true },
    run: (ctx, { params }) => getPuzzle(ctx, params.puzzle_id),
  }),
  route({
    method: 'POST',
    path: '/hunts/puzzles/:puzzle_id/callin',
    access: 'token',
    features,
    params: puzzle,
    body: CallIn,
    reply: HuntPuzzleCallInResultData,
    status: 201,
    alreadySo: true,
    summary:
      'Calls in an answer, as plain text. Case, spaces and punctuation do not matter. 200 with the first result for the same ' +
      'answer again; 409 if the caller has solved the puzzle.',
    run: (ctx, { params, body }) => callIn(ctx, params.puzzle_id, body),
  }),
  route({
    method: 'POST',
    path: '/hunts/create',
    access: 'serviceteam',
    orRole: 'huntmanager',
    features,
    body: HuntCreateData,
    status: 201,
    idempotent: true,
    summary: 'Creates a hunt with its puzzles.',
    run: (ctx, { body }) => createHunt(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/hunts/:hunt_id/admin',
    access: 'serviceteam',
    orRole: 'huntmanager',
    features,
    params: hunt,
    reply: HuntData,
    summary: 'A hunt with all puzzles, answers and hints.',
    cached: { tables: ['hunt', 'hunt_puzzle', 'hunt_call_in'], everySecond: true },
    run: (ctx, { params }) => getHuntForTeam(ctx, params.hunt_id),
  }),
  route({
    method: 'PATCH',
    path: '/hunts/:hunt_id',
    access: 'serviceteam',
    orRole: 'huntmanager',
    features,
    params: hunt,
    body: HuntPatchData,
    status: 204,
    summary: 'Changes title or description of a hunt.',
    run: (ctx, { params, body }) => editHunt(ctx, params.hunt_id, body),
  }),
  route({
    method: 'PATCH',
    path: '/hunts/puzzles/:puzzle_id',
    access: 'serviceteam',
    orRole: 'huntmanager',
    features,
    params: puzzle,
    body: HuntPuzzlePatchData,
    status: 204,
    summary:
      'Changes a puzzle. Hints are added or replaced. Earlier call-ins of the new answer become correct, and wrong ones that ' +
      'have a hint now get it.',
    run: (ctx, { params, body }) => editPuzzle(ctx, params.puzzle_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/hunts/:hunt_id',
    access: 'serviceteam',
    orRole: 'huntmanager',
    features,
    params: hunt,
    summary: 'Removes a hunt with its puzzles and call-ins.',
    run: (ctx, { params }) => removeHunt(ctx, params.hunt_id),
  }),
]
