// Rows of hunts, puzzles and call-ins.

export interface HuntRow {
  id: string
  title: string
  description: string
}

export interface PuzzleRow {
  id: string
  huntId: string
  title: string
  body: string
  answer: string
  /** The answer as call-ins are compared with it. */
  answerKey: string
  /** Replies by the keys of wrong answers. */
  hints: Readonly<Record<string, string>>
  unlockTime: Date | null
}

export type CallInResult = 'correct' | 'hint' | 'incorrect'

export interface CallInRow {
  submission: string
  submissionKey: string
  result: CallInResult
  createdAt: Date
}
