// The wire form of the roll-up.
import { Dto, Int, Type, type Static } from '../core/schema/schema.ts'

/** Numbers of rows; what each place means is fixed, see `queries.ts`. */
export type ServerRollupData = Static<typeof ServerRollupData>
export const ServerRollupData = Dto('ServerRollupData', { counts: Type.Array(Int) })
