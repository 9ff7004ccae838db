// Photos for everybody.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { photostreamRoutes } from './routes.ts'

export const photostreamFeature = feature({
  name: 'photostream',
  routes: photostreamRoutes,
  tables: [table('stream_photo', { persons: { author_id: 'kept' }, ownData: { as: 'photos', of: 'author_id' } })],
})
