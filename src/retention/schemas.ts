// Wire forms of what goes when it is old.
import { Dto, Int, OneOf, Type, type Static } from '../core/schema/schema.ts'
import { leastDays, mostDays, retentionKinds, type RetentionKind } from '../settings/retention-kinds.ts'

/** One kind of what grows old. */
export type RetentionKindData = Static<typeof RetentionKindData>
export const RetentionKindData = Dto('RetentionKindData', {
  kind: OneOf(retentionKinds),
  /** For so many days it stays; 0: for good. */
  days: Int,
  /** The fewest days that can be set. */
  leastDays: Int,
  /** How many there are that would go: with the days that were asked about, else with those in force. */
  old: Int,
})

export type RetentionData = Static<typeof RetentionData>
export const RetentionData = Dto('RetentionData', { kinds: Type.Array(RetentionKindData) })

const days = { deleted: Int, versions: Int, reports: Int, trails: Int, chats: Int } as const satisfies Record<RetentionKind, typeof Int>

type Fail = (failure: { text: string; rule: 'out_of_range'; min: number; max: number }, field: string) => void

/** Fails for each number of days that cannot be set. */
export function checkDays(wanted: Partial<Record<RetentionKind, number>>, fail: Fail): void {
  for (const kind of retentionKinds) {
    const [value, min] = [wanted[kind] ?? 0, leastDays[kind]]
    if (value !== 0 && (value < min || value > mostDays))
      fail({ text: `${kind} must be 0 or from ${min} to ${mostDays}`, rule: 'out_of_range', min, max: mostDays }, kind)
  }
}

/** For how many days each kind stays; 0: for good. */
export type RetentionChangeData = Static<typeof RetentionChangeData>
export const RetentionChangeData = Dto(
  'RetentionChangeData',
  {
    ...days,
    /** What the caller has seen; 409 when it is something else meanwhile. */
    basedOn: Type.Optional(Dto('RetentionDaysData', days)),
  },
  (wanted, fail) => checkDays(wanted, fail),
)

/** Days to ask about, in place of those in force. */
export const retentionQuery = {
  deleted: Type.Optional(Int),
  versions: Type.Optional(Int),
  reports: Type.Optional(Int),
  trails: Type.Optional(Int),
  chats: Type.Optional(Int),
}
