// How people get an account, and back into it.
import { Redirect, Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { CreateAccount } from './create-account.tsx'
import { ResetPassword } from './reset-password.tsx'

export const auth: Feature = {
  // Whoever is in already comes to where the password is changed.
  pages: ['/createAccount', '/resetPassword'].map((path) => (
    <Route key={path} path={path}>
      <Redirect to="/account" replace />
    </Route>
  )),
  openPages: (
    <>
      <Route path="/createAccount" component={CreateAccount} />
      <Route path="/resetPassword" component={ResetPassword} />
    </>
  ),
}
