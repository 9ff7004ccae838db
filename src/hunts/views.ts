// Hunts, puzzles and call-ins as they are sent. Pure.
import type { CallInRow, HuntRow, PuzzleRow } from './rows.ts'
import { isUnlocked } from './rules.ts'
import type { HuntData, HuntListItemData, HuntPuzzleCallInResultData, HuntPuzzleData, HuntPuzzleDetailData } from './schemas.ts'

/** A hunt in the list of all. */
export const huntItem = ({ id, title, description }: HuntRow): HuntListItemData => ({ huntID: id, title, description })

/** A hunt as a solver sees it: what is unlocked, with the answers they have found. */
export function solverView(hunt: HuntRow, puzzles: readonly (PuzzleRow & { isSolved: boolean })[], nowMs: number): HuntData {
  const next = puzzles.find((puzzle) => !isUnlocked(puzzle, nowMs))?.unlockTime
  return {
    ...huntItem(hunt),
    puzzles: puzzles
      .filter((puzzle) => isUnlocked(puzzle, nowMs))
      .map((puzzle) => ({ ...puzzleData(puzzle), ...(puzzle.isSolved ? { answer: puzzle.answer } : {}) })),
    ...(next ? { nextUnlockTime: next } : {}),
  }
}

/** A hunt with everything in it. */
export function teamView(hunt: HuntRow, puzzles: readonly PuzzleRow[]): HuntData {
  return {
    ...huntItem(hunt),
    puzzles: puzzles.map((puzzle) => ({ ...puzzleData(puzzle), answer: puzzle.answer, hints: puzzle.hints })),
  }
}

function puzzleData({ id, title, body, unlockTime }: PuzzleRow): HuntPuzzleData {
  return { puzzleID: id, title, body, ...(unlockTime ? { unlockTime } : {}) }
}

/** One puzzle with the viewer's call-ins. */
export function puzzleDetail(puzzle: PuzzleRow & { huntTitle: string }, callIns: readonly CallInRow[]): HuntPuzzleDetailData {
  const { id, huntId, huntTitle, title, body } = puzzle
  return { huntID: huntId, huntTitle, puzzleID: id, title, body, callIns: callIns.map((each) => callInData(puzzle, each)) }
}

/** One call-in with the present answer or hint. */
export function callInData(
  { answer, hints }: Pick<PuzzleRow, 'answer' | 'hints'>,
  { submission, submissionKey, result, createdAt }: CallInRow,
): HuntPuzzleCallInResultData {
  const hint = result === 'hint' ? hints[submissionKey] : undefined
  return {
    creationTime: createdAt,
    rawSubmission: submission,
    ...(result === 'correct' ? { correct: answer } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
}
