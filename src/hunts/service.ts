// Hunts: puzzles that unlock by time, and what solvers call in. The team writes them.
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { conflict, notAvailable } from '../core/base/errors.ts'
import { Reply, type ReplyStatus } from '../core/http/route.ts'
import { jsonText } from '../core/base/json-text.ts'
import { audit } from '../moderation/audit.service.ts'
import { sortKey } from '../text/sort-key.ts'
import {
  deleteHunt,
  insertCallIn,
  insertHunt,
  insertPuzzles,
  lockHunt,
  lockPuzzle,
  selectCallIns,
  selectHunt,
  selectHunts,
  selectPuzzle,
  selectPuzzles,
  selectStanding,
  updateHunt,
  updatePuzzle,
  updateToCorrect,
  updateToHints,
} from './queries.ts'
import type { CallInRow, HuntRow, PuzzleRow } from './rows.ts'
import { answerKey, isUnlocked, keyedHints, resultOf } from './rules.ts'
import type {
  HuntCreateData,
  HuntData,
  HuntListData,
  HuntPatchData,
  HuntPuzzleCreateData,
  HuntPuzzleDetailData,
  HuntPuzzlePatchData,
  HuntPuzzleCallInResultData,
} from './schemas.ts'
import { callInData, huntItem, puzzleDetail, solverView, teamView } from './views.ts'

/** All hunts by title. */
export async function listHunts(ctx: OpenCtx): Promise<HuntListData> {
  const rows = (await selectHunts(ctx.sql)).map((row) => ({ row, key: `${sortKey(row.title)} ${row.id}` }))
  return { hunts: rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => huntItem(row)) }
}

/** A hunt with its unlocked puzzles. */
export async function getHunt(ctx: OpenCtx, huntId: string): Promise<HuntData> {
  const { hunt, puzzles } = await readHunt(ctx, huntId)
  return solverView(hunt, puzzles, ctx.nowMs)
}

/** A hunt with all puzzles, answers and hints. */
export async function getHuntForTeam(ctx: Ctx, huntId: string): Promise<HuntData> {
  const { hunt, puzzles } = await readHunt(ctx, huntId)
  return teamView(hunt, puzzles)
}

async function readHunt(ctx: OpenCtx, huntId: string) {
  const hunt = await selectHunt(ctx.sql, huntId)
  if (!hunt) throw notAvailable('hunt')
  return { hunt, puzzles: await selectPuzzles(ctx.sql, huntId, ctx.viewer?.id) }
}

/** An unlocked puzzle with the viewer's call-ins. */
export async function getPuzzle(ctx: OpenCtx, puzzleId: string): Promise<HuntPuzzleDetailData> {
  const puzzle = requireUnlocked(await selectPuzzle(ctx.sql, puzzleId), ctx.nowMs)
  return puzzleDetail(puzzle, ctx.viewer ? await selectCallIns(ctx.sql, puzzleId, ctx.viewer.id) : [])
}

/** A locked puzzle is like a missing one. */
function requireUnlocked<P extends PuzzleRow>(puzzle: P | undefined, nowMs: number): P {
  if (!puzzle || !isUnlocked(puzzle, nowMs)) throw notAvailable('puzzle')
  return puzzle
}

/** Calls in an answer: 201; the same text again is 200 with the first result. */
export async function callIn(ctx: Ctx, puzzleId: string, submission: string): Promise<Reply<HuntPuzzleCallInResultData>> {
  const submissionKey = answerKey(submission)
  const { status, result } = await ctx.transaction<{ status: ReplyStatus; result: HuntPuzzleCallInResultData }>(async (tx) => {
    const puzzle = requireUnlocked(await lockPuzzle(tx.sql, puzzleId), tx.now.getTime())
    const { earlier, isSolved } = await selectStanding(tx.sql, puzzleId, tx.viewer.id, submissionKey)
    if (earlier) return { status: 200, result: callInData(puzzle, earlier) }
    if (isSolved) throw conflict('already_done', 'You have solved this puzzle already.')
    const row: CallInRow = { submission, submissionKey, result: resultOf(puzzle, submissionKey), createdAt: tx.now }
    await insertCallIn(tx.sql, puzzleId, tx.viewer.id, row)
    return { status: 201, result: callInData(puzzle, row) }
  })
  return new Reply(status, jsonText(result))
}

/** Creates a hunt with its puzzles. */
export async function createHunt(ctx: Ctx, { title, description, puzzles }: HuntCreateData): Promise<void> {
  const { random } = ctx.node
  const hunt = { id: random.uuid(), title, description }
  const rows = puzzles.map((puzzle) => puzzleRow(random.uuid(), hunt.id, puzzle))
  await ctx.transaction(async (tx) => {
    await insertHunt(tx.sql, hunt)
    await insertPuzzles(tx.sql, rows)
    await auditHunt(tx, 'create', hunt.id, { to: { title, description, puzzles: rows.length } })
  })
}

/** A new puzzle as it is stored. */
export function puzzleRow(id: string, huntId: string, { title, body, unlockTime, answer, hints }: HuntPuzzleCreateData): PuzzleRow {
  return { id, huntId, title, body, answer, answerKey: answerKey(answer), hints: keyedHints(hints), unlockTime: unlockTime ?? null }
}

/** Changes title and description of a hunt; what is absent stays. */
export async function editHunt(ctx: Ctx, huntId: string, patch: HuntPatchData): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockExistingHunt(tx, huntId)
    const after = { ...before, ...patch }
    if (isSame(before, after)) return
    await updateHunt(tx.sql, after)
    await auditHunt(tx, 'edit', huntId, { from: before, to: after })
  })
}

/** Removes a hunt with its puzzles and call-ins. */
export async function removeHunt(ctx: Ctx, huntId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockExistingHunt(tx, huntId)
    await deleteHunt(tx.sql, huntId)
    await auditHunt(tx, 'delete', huntId, { from: before })
  })
}

/** Changes a puzzle; earlier call-ins count as if the new answer and the new hints had been there. */
export async function editPuzzle(ctx: Ctx, puzzleId: string, { answer, hints, ...patch }: HuntPuzzlePatchData): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockPuzzle(tx.sql, puzzleId)
    if (!before) throw notAvailable('puzzle')
    const added = keyedHints(hints ?? {})
    const after = {
      ...before,
      ...patch,
      ...(answer === undefined ? {} : { answer, answerKey: answerKey(answer) }),
      hints: { ...before.hints, ...added },
    }
    if (isSame(before, after)) return
    await updatePuzzle(tx.sql, after)
    if (after.answerKey !== before.answerKey) await updateToCorrect(tx.sql, puzzleId, after.answerKey)
    if (hints) await updateToHints(tx.sql, puzzleId, Object.keys(added))
    await audit(tx, { action: 'edit', subject: { type: 'huntPuzzle', id: puzzleId }, details: { from: before, to: after } })
  })
}

const isSame = (before: HuntRow | PuzzleRow, after: HuntRow | PuzzleRow): boolean => JSON.stringify(before) === JSON.stringify(after)

async function lockExistingHunt(tx: Tx, huntId: string): Promise<HuntRow> {
  const row = await lockHunt(tx.sql, huntId)
  if (!row) throw notAvailable('hunt')
  return row
}

async function auditHunt(
  tx: Tx,
  action: 'create' | 'edit' | 'delete',
  huntId: string,
  details: { from?: HuntRow; to?: object },
): Promise<void> {
  await audit(tx, { action, subject: { type: 'hunt', id: huntId }, details })
}
