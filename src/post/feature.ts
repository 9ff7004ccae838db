// What posts of forums and of the microblog share.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { postErrors } from './errors.ts'

export const postFeature = feature({
  name: 'post',
  errorCodes: postErrors,
  tables: [table('slow_post', { persons: { person_id: 'removed' }, goesWith: ['account'], inAnswers: 'none' })],
})
