// The wire forms of hunts.
import { DateTime, Dto, Nullable, PlainText, Text, Type, Uuid, type Fail, type Static } from '../core/schema/schema.ts'
import { answerKey } from './rules.ts'

const hints = () => Type.Record(Type.String(), Text({ max: 2000 }))
const title = Text({ min: 1, max: 200 })
const answer = Text({ min: 1, max: 200 })
const longText = Text({ max: 50_000 })

export type HuntListItemData = Static<typeof HuntListItemData>
export const HuntListItemData = Dto('HuntListItemData', {
  huntID: Uuid,
  title: Type.String(),
  /** Markdown. */
  description: Type.String(),
})

export type HuntListData = Static<typeof HuntListData>
export const HuntListData = Dto('HuntListData', { hunts: Type.Array(HuntListItemData) })

export type HuntPuzzleData = Static<typeof HuntPuzzleData>
export const HuntPuzzleData = Dto('HuntPuzzleData', {
  puzzleID: Uuid,
  title: Type.String(),
  body: Type.String(),
  /** For the team, and for solvers who have found it. */
  answer: Type.Optional(Type.String()),
  unlockTime: Type.Optional(DateTime),
  /** For the team: replies by wrong answers. */
  hints: Type.Optional(Type.Record(Type.String(), Type.String())),
})

/** A hunt with the puzzles that the viewer may see. */
export type HuntData = Static<typeof HuntData>
export const HuntData = Dto('HuntData', {
  huntID: Uuid,
  title: Type.String(),
  description: Type.String(),
  puzzles: Type.Array(HuntPuzzleData),
  /** When the first locked puzzle opens. */
  nextUnlockTime: Type.Optional(DateTime),
})

/** The result of a call-in. Neither `correct` nor `hint`: it is wrong. */
export type HuntPuzzleCallInResultData = Static<typeof HuntPuzzleCallInResultData>
export const HuntPuzzleCallInResultData = Dto('HuntPuzzleCallInResultData', {
  creationTime: DateTime,
  rawSubmission: Type.String(),
  /** The answer in its official spelling. */
  correct: Type.Optional(Type.String()),
  hint: Type.Optional(Type.String()),
})

export type HuntPuzzleDetailData = Static<typeof HuntPuzzleDetailData>
export const HuntPuzzleDetailData = Dto('HuntPuzzleDetailData', {
  huntID: Uuid,
  huntTitle: Type.String(),
  puzzleID: Uuid,
  title: Type.String(),
  body: Type.String(),
  /** Of the viewer, oldest first. */
  callIns: Type.Array(HuntPuzzleCallInResultData),
})

export type HuntPuzzleCreateData = Static<typeof HuntPuzzleCreateData>
export const HuntPuzzleCreateData = Dto(
  'HuntPuzzleCreateData',
  { title, body: longText, unlockTime: Type.Optional(DateTime), answer, hints: hints() },
  requireComparable,
)

export type HuntCreateData = Static<typeof HuntCreateData>
export const HuntCreateData = Dto(
  'HuntCreateData',
  { title, description: longText, puzzles: Type.Array(HuntPuzzleCreateData, { maxItems: 200 }) },
  ({ puzzles }, fail) => {
    if (puzzles.length === 0) fail({ text: 'puzzles must not be empty', rule: 'empty' }, 'puzzles')
  },
)

/** Absent fields stay. */
export type HuntPatchData = Static<typeof HuntPatchData>
export const HuntPatchData = Dto('HuntPatchData', { title: Type.Optional(title), description: Type.Optional(longText) }, (patch, fail) =>
  requireTitle(patch, fail),
)

/** Absent fields stay, and hints are added to those there are. An `unlockTime` of null opens the puzzle for good. */
export type HuntPuzzlePatchData = Static<typeof HuntPuzzlePatchData>
export const HuntPuzzlePatchData = Dto(
  'HuntPuzzlePatchData',
  {
    title: Type.Optional(title),
    body: Type.Optional(longText),
    answer: Type.Optional(answer),
    unlockTime: Type.Optional(Nullable(DateTime)),
    hints: Type.Optional(hints()),
  },
  (patch, fail) => {
    requireTitle(patch, fail)
    requireComparable(patch, fail)
  },
)

/** A text as somebody writes it. */
export const CallIn = PlainText({ min: 1, max: 200 })

// The form lets an optional text be empty; a title that is given must not be.
function requireTitle({ title: given }: { title?: string }, fail: Fail): void {
  if (given === '') fail({ text: 'title must not be empty', rule: 'empty' }, 'title')
}

const maxHints = 500

function requireComparable({ answer: given, hints: replies = {} }: { answer?: string; hints?: Record<string, string> }, fail: Fail): void {
  if (given !== undefined && answerKey(given) === '') fail('answer must have letters, digits or symbols', 'answer')
  const wrongAnswers = Object.keys(replies)
  if (wrongAnswers.length > maxHints)
    fail({ text: `hints must have at most ${maxHints} entries`, rule: 'too_many', max: maxHints }, 'hints')
  const keys = wrongAnswers.map(answerKey)
  if (wrongAnswers.some((each) => each.length > 500))
    fail({ text: 'a wrong answer in hints must have at most 500 characters', rule: 'too_long', max: 500 }, 'hints')
  if (keys.includes('')) fail('each wrong answer in hints must have letters, digits or symbols', 'hints')
  if (new Set(keys).size < keys.length)
    fail({ text: 'two wrong answers in hints are the same without spaces and punctuation', rule: 'alike' }, 'hints')
}
