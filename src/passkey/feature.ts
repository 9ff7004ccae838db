// Signing in in a browser by a key of the device (WebAuthn), beside passwords.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { passkeyErrors } from './errors.ts'
import { passkeyRoutes } from './routes.ts'

export const passkeyFeature = feature({
  name: 'passkey',
  errorCodes: passkeyErrors,
  webPaths: ['/account/passkeys'],
  routes: passkeyRoutes,
  tables: [
    table('passkey', {
      persons: { account_id: 'removed' },
      goesWith: ['account'],
      ownData: { as: 'passkeys', of: 'account_id', without: ['credential_id', 'public_key', 'counter'] },
    }),
  ],
})
