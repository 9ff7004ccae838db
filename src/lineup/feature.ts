// Who appears at which event.
import { feature } from '../core/http/feature.ts'
import { lineupId, lineupKind } from './channel.ts'

export const lineupFeature = feature({
  name: 'lineup',
  load: ({ channels }) => channels.of(lineupKind).get(lineupId),
})
