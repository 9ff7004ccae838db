// Accounts.
import { searchColumns, table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'

export const accountsFeature = feature({
  name: 'accounts',
  tables: [
    // A browser whose session has ended with its account is still to hear of it.
    table('ended_session', { persons: { account_id: 'kept' }, goesWith: ['account'] }),
    table('account', {
      persons: { id: 'kept', person_id: 'kept' },
      // Levels decide what anybody sees of anybody, as blocks and mutes do.
      inAnswers: 'every',
      ownData: {
        as: 'accounts',
        of: 'id',
        without: [...searchColumns, 'password_hash', 'recovery_key_hash', 'recovery_failures', 'token_nonce', 'token_digest', 'rev'],
      },
      staysAfterWipe: { what: 'built-in and client accounts, without profiles and tokens' },
    }),
  ],
})
