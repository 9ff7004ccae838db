// Wire forms of incidents.
import { DateTime, Dto, Int, OneOf, Type, type Static } from '../core/schema/schema.ts'

/** Something that is or was wrong, from when until when. */
export type IncidentData = Static<typeof IncidentData>
export const IncidentData = Dto('IncidentData', {
  incidentID: Int,
  /** What it is about, as a word: pages say by it what it means for people. */
  kind: Type.String(),
  state: OneOf(['warning', 'bad']),
  sentence: Type.String(),
  mend: Type.Optional(Type.String()),
  /** As in `CheckData`. */
  code: Type.Optional(Type.String()),
  values: Type.Optional(Type.String()),
  beganAt: DateTime,
  /** Absent while it lasts. */
  endedAt: Type.Optional(DateTime),
})

/** What is wrong now, the longest first, and what was lately, the latest first. */
export type IncidentListData = Static<typeof IncidentListData>
export const IncidentListData = Dto('IncidentListData', { open: Type.Array(IncidentData), ended: Type.Array(IncidentData) })
