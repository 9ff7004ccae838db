// Stored pictures and identicons.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { avatarPages } from './avatars.ts'
import { imageErrors } from './errors.ts'
import { imageRoutes } from './routes.ts'
import { noteSizes } from './sizes.service.ts'
import { sweepImages } from './sweep.service.ts'

export const imageFeature = feature({
  name: 'image',
  errorCodes: imageErrors,
  routes: imageRoutes,
  pages: avatarPages,
  tables: [
    table('stored_file', { persons: { person_id: 'kept' }, inAnswers: 'none' }),
    table('image_description', { persons: { account_id: 'removed' }, ownData: { as: 'imageDescriptions', of: 'account_id' } }),
  ],
  sweeps: [
    { name: 'images', everyMs: 6 * 60 * 60_000, run: sweepImages },
    { name: 'image sizes', everyMs: 6 * 60 * 60_000, run: noteSizes },
  ],
})
