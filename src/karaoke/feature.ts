// Songs, and who sang them.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { karaokeRoutes } from './routes.ts'

export const karaokeFeature = feature({
  name: 'karaoke',
  webPaths: ['/karaoke'],
  routes: openToUnverified(karaokeRoutes),
  tables: [
    table('karaoke_song', { staysAfterWipe: { what: 'the karaoke songs' } }),
    table('karaoke_favorite', { own: true, persons: { account_id: 'removed' }, ownData: { as: 'favoriteSongs', of: 'account_id' } }),
    table('karaoke_performance', { persons: { manager_id: 'kept' }, ownData: { as: 'karaokePerformancesNoted', of: 'manager_id' } }),
  ],
})
