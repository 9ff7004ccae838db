// Notices that were sent.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'

export const noticesFeature = feature({
  name: 'notices',
  tables: [table('notice_sent', { inAnswers: 'none' })],
})
