// One's own account: profile, words, lists.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { barrelRoutes } from './barrels.routes.ts'
import { userErrors } from './errors.ts'
import { userRoutes } from './routes.ts'

export const userFeature = feature({
  name: 'user',
  errorCodes: userErrors,
  webPaths: [
    '/logout',
    '/blocks',
    '/mutes',
    '/favorites',
    '/alertwords',
    '/mutewords',
    '/account',
    '/account/profile',
    '/account/data',
    '/account/recoveryKey',
    '/account/secondFactor',
    '/account/tokens',
    '/createAltAccount',
    '/barrels',
    '/barrels/:id',
  ],
  routes: [...barrelRoutes, ...openToUnverified(userRoutes)],
  tables: [
    table('alertword', { persons: { account_id: 'removed' }, ownData: { as: 'alertWords', of: 'account_id' } }),
    table('muteword', { persons: { account_id: 'removed' }, ownData: { as: 'mutedWords', of: 'account_id' } }),
    table('barrel', { persons: { account_id: 'removed' }, ownData: { as: 'lists', of: 'account_id' } }),
    table('barrel_user', { persons: { user_id: 'removed' }, goesWith: ['barrel'] }),
    table('barrel_word', { goesWith: ['barrel'] }),
  ],
})
