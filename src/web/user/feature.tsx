// One's own account, and what it keeps.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const SignOutPage = lazy(() => import('./sign-out-page.tsx').then((all) => all.SignOutPage))
const account = () => import('./all.ts')
const Account = lazy(() => account().then((all) => all.Account))
const Barrel = lazy(() => account().then((all) => all.Barrel))
const Barrels = lazy(() => account().then((all) => all.Barrels))
const CreateSubAccount = lazy(() => account().then((all) => all.CreateSubAccount))
const EditProfile = lazy(() => account().then((all) => all.EditProfile))
const KeyWords = lazy(() => account().then((all) => all.KeyWords))
const NewRecoveryKey = lazy(() => account().then((all) => all.NewRecoveryKey))
const OwnData = lazy(() => account().then((all) => all.OwnData))
const SecondFactor = lazy(() => account().then((all) => all.SecondFactor))
const Tokens = lazy(() => account().then((all) => all.Tokens))
const UserList = lazy(() => account().then((all) => all.UserList))

export const user: Feature = {
  pages: (
    <>
      <Route path="/account" component={Account} />
      <Route path="/account/profile" component={EditProfile} />
      <Route path="/account/data" component={OwnData} />
      <Route path="/account/secondFactor" component={SecondFactor} />
      <Route path="/account/tokens" component={Tokens} />
      <Route path="/account/recoveryKey" component={NewRecoveryKey} />
      <Route path="/blocks">
        <UserList key="blocks" which="blocks" />
      </Route>
      <Route path="/mutes">
        <UserList key="mutes" which="mutes" />
      </Route>
      <Route path="/favorites">
        <UserList key="favorites" which="favorites" />
      </Route>
      <Route path="/alertwords">
        <KeyWords key="alertwords" which="alertwords" />
      </Route>
      <Route path="/mutewords">
        <KeyWords key="mutewords" which="mutewords" />
      </Route>
      <Route path="/createAltAccount" component={CreateSubAccount} />
      <Route path="/barrels" component={Barrels} />
      <Route path="/barrels/:id">{({ id }) => <Barrel key={id} id={id} />}</Route>
      <Route path="/logout" component={SignOutPage} />
    </>
  ),
}
