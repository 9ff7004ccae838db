// Tells those who were hit by a new post or song once more, where events have not reached them.
import { tellOfHits } from '../src/notification/hits.service.ts'

export const hitsTell = tellOfHits
