// The wire form of a performer in lists and at events.
import { Dto, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** How a performer appears in lists and at events. */
export type PerformerHeaderData = Static<typeof PerformerHeaderData>
export const PerformerHeaderData = Dto('PerformerHeaderData', {
  /** Absent for a performer who does not exist yet. */
  id: Type.Optional(Uuid),
  name: Type.String(),
  /** Name of an image. */
  photo: Type.Optional(Type.String()),
  /** False: a user who organises something themselves. */
  isOfficialPerformer: Type.Boolean(),
})
