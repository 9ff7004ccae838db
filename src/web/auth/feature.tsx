// How people get an account, and back into it.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { CreateAccount } from './create-account.tsx'
import { ResetPassword } from './reset-password.tsx'

export const auth: Feature = {
  openPages: (
    <>
      <Route path="/createAccount" component={CreateAccount} />
      <Route path="/resetPassword" component={ResetPassword} />
    </>
  ),
}
