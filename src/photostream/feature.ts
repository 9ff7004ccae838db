// Photos for everybody.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { byNumber } from '../moderation/judged.ts'
import { oldRows } from '../core/work/old-rows.ts'
import { photostreamErrors } from './errors.ts'
import { selectWrittenPhotos } from './queries.ts'
import { removePhoto, setPhotoState } from './service.ts'
import { photostreamRoutes } from './routes.ts'

export const photostreamFeature = feature({
  name: 'photostream',
  errorCodes: photostreamErrors,
  webPaths: ['/photostream', '/photostream/:id'],
  judged: [{ type: 'streamPhoto', written: selectWrittenPhotos, setState: byNumber(setPhotoState), remove: byNumber(removePhoto) }],
  routes: photostreamRoutes,
  oldRows: [
    oldRows({
      kind: 'deleted',
      table: 'stream_photo',
      key: 'int',
      about: [['streamPhoto'], 'id'],
    }),
  ],
  tables: [table('stream_photo', { persons: { author_id: 'kept' }, ownData: { as: 'photos', of: 'author_id' } })],
})
