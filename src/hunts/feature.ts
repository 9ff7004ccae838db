// Puzzle hunts.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { huntRoutes } from './routes.ts'

export const huntsFeature = feature({
  name: 'hunts',
  webPaths: ['/hunts', '/hunt/:id', '/puzzle/:id'],
  routes: openToUnverified(huntRoutes),
  tables: [
    table('hunt'),
    table('hunt_puzzle', { goesWith: ['hunt'] }),
    table('hunt_call_in', {
      persons: { account_id: 'removed' },
      goesWith: ['hunt_puzzle'],
      ownData: { as: 'huntAnswers', of: 'account_id', without: ['submission_key'] },
    }),
  ],
})
