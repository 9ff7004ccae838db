// Tells those who were hit by a new post or song once more, where events have not reached them.
import { notifyOfHits } from '../src/hits/service.ts'

export const hitsNotify = notifyOfHits
