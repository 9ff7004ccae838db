// The library of games.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { boardgamesRoutes } from './routes.ts'

export const boardgamesFeature = feature({
  name: 'boardgames',
  webPaths: ['/boardgames'],
  routes: openToUnverified(boardgamesRoutes),
  tables: [
    table('boardgame', { staysAfterWipe: { what: 'the board games' } }),
    table('boardgame_favorite', { own: true, persons: { account_id: 'removed' }, ownData: { as: 'favoriteGames', of: 'account_id' } }),
  ],
})
