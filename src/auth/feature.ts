// Signing in, recovery, browser sessions.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { openToUnverified } from '../core/http/route.ts'
import { authErrors } from './errors.ts'
import { loginPage } from './login-page.service.ts'
import { authRoutes } from './routes.ts'

export const authFeature = feature({
  name: 'auth',
  errorCodes: authErrors,
  webPaths: ['/login', '/createAccount', '/resetPassword'],
  routes: openToUnverified(authRoutes),
  pages: [loginPage],
  tables: [
    table('browser_session', {
      persons: { account_id: 'removed' },
      goesWith: ['account'],
      ownData: { as: 'signedInBrowsers', of: 'account_id', without: ['cookie_digest'] },
    }),
    table('known_address', { persons: { person_id: 'removed' }, inAnswers: 'none' }),
    table('second_factor', {
      persons: { account_id: 'removed' },
      goesWith: ['account'],
      ownData: { as: 'secondFactor', of: 'account_id', without: ['secret', 'recovery_codes'] },
    }),
    table('unknown_recovery', { inAnswers: 'none' }),
  ],
})
