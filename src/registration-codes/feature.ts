// Codes that verify accounts.
import { table } from '../core/db/tables.ts'
import { feature } from '../core/http/feature.ts'
import { registrationCodesErrors } from './errors.ts'
import { registrationCodeRoutes } from './routes.ts'

export const registrationCodesFeature = feature({
  name: 'registration-codes',
  errorCodes: registrationCodesErrors,
  routes: registrationCodeRoutes,
  tables: [
    table('registration_code', {
      persons: { person_id: 'kept' },
      ownData: { as: 'registrationCode', of: 'person_id' },
      staysAfterWipe: {
        what: 'the registration codes, as if never used',
        reset: { person_id: null, used_for_recovery: false, chat_username: null },
      },
    }),
  ],
})
