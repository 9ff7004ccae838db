// Mentions, alertwords and hashtags found in posts.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { job } from '../core/work/job-runner.ts'
import { mergedScans, notifyOfAlertwords, scanForAlertwords } from './alertwords.service.ts'
import { notifyOfHits } from './service.ts'

/** Each for itself, in one transaction. */
const asTheyAre = <Payload>(payloads: readonly Payload[]) => payloads

export const hitsFeature = feature({
  name: 'hits',
  jobs: [
    job('alertword-scan', scanForAlertwords, { together: mergedScans }),
    job('alertword-notify', notifyOfAlertwords, { together: asTheyAre }),
    job('hits-notify', notifyOfHits, { together: asTheyAre }),
  ],
  tables: [table('hashtag'), table('hit', { persons: { account_id: 'removed' } })],
})
