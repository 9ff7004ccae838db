// Signing in by a provider of OpenID Connect, beside passwords. Off until the operator names one (`OIDC_ISSUER`).
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { oidcErrors } from './errors.ts'
import { beginPage, returnPage } from './pages.service.ts'
import { oidcRoutes } from './routes.ts'

export const oidcFeature = feature({
  name: 'oidc',
  errorCodes: oidcErrors,
  webPaths: ['/login/provider', '/account/identities'],
  routes: oidcRoutes,
  pages: [beginPage, returnPage],
  tables: [
    table('oidc_identity', {
      persons: { account_id: 'removed' },
      goesWith: ['account'],
      ownData: { as: 'identities', of: 'account_id', without: ['subject'] },
    }),
  ],
})
