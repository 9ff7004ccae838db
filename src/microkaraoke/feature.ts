// Songs that many sing.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { assetsPage } from './assets.service.ts'
import { byUuid } from '../moderation/judged.ts'
import { microkaraokeErrors } from './errors.ts'
import { deleteSnippet } from './moderation.service.ts'
import { selectWrittenSnippets } from './queries.ts'
import { microKaraokeModerationRoutes } from './moderation.routes.ts'
import { microKaraokeRoutes } from './routes.ts'
import { sweepVideos } from './sweep.service.ts'

export const microkaraokeFeature = feature({
  name: 'microkaraoke',
  errorCodes: microkaraokeErrors,
  webPaths: ['/microkaraoke', '/microkaraoke/record', '/microkaraokesong/:id'],
  judged: [{ type: 'mkSongSnippet', written: selectWrittenSnippets, remove: byUuid(deleteSnippet) }],
  routes: [...microKaraokeModerationRoutes, ...microKaraokeRoutes],
  pages: [assetsPage],
  sweeps: [{ name: 'microkaraoke', everyMs: 6 * 60 * 60_000, run: sweepVideos }],
  tables: [table('mk_song'), table('mk_snippet', { persons: { author_id: 'kept' }, ownData: { as: 'microKaraoke', of: 'author_id' } })],
})
