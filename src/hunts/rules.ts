// Rules of hunts: how answers are compared, and which puzzles are open. Pure.
import type { CallInResult, PuzzleRow } from './rows.ts'

/** A text as answers are compared: upper case, without spaces and punctuation. */
export function answerKey(text: string): string {
  return text
    .normalize('NFC')
    .toUpperCase()
    .replace(/[\p{White_Space}\p{P}]/gu, '')
    .normalize('NFC')
}

/** Hints with their wrong answers as keys. */
export function keyedHints(hints: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(hints).map(([wrongAnswer, reply]) => [answerKey(wrongAnswer), reply]))
}

/** The result of calling in a text with this key. */
export function resultOf({ answerKey: right, hints }: Pick<PuzzleRow, 'answerKey' | 'hints'>, key: string): CallInResult {
  if (key === right) return 'correct'
  return Object.hasOwn(hints, key) ? 'hint' : 'incorrect'
}

/** Whether solvers may see the puzzle. */
export const isUnlocked = ({ unlockTime }: Pick<PuzzleRow, 'unlockTime'>, nowMs: number): boolean =>
  unlockTime === null || unlockTime.getTime() <= nowMs
