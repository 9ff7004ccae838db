// The pages that are not needed at once, in one file: a second load, and everything is there, also without a network. What is of no use
// without one, and rarely opened, comes later.
import { calls } from 'calls-of-pages'
import { Redirect, Route, Switch, useLocation } from 'wouter-preact'
import { CreateAccount } from './auth/create-account.tsx'
import { ResetPassword } from './auth/reset-password.tsx'
import { Games } from './boardgames/page.tsx'
import { Event } from './events/event.tsx'
import { Feedback } from './events/feedback.tsx'
import { Schedule } from './events/page.tsx'
import { DayPlanner } from './planner/page.tsx'
import { Chat } from './fez/chat.tsx'
import { NewSeamail } from './fez/new.tsx'
import { Groups, GroupsBeside, Seamail, SeamailsBeside } from './fez/page.tsx'
import { EditPlan, NewGroup, NewPrivateEvent } from './fez/plan.tsx'
import { Forum, ForumOfPost } from './forum/forum.tsx'
import { Forums, Category } from './forum/page.tsx'
import { About, Help, HelpIndex, helpNamed, ShipMap } from './help/page.tsx'
import { Time } from './help/time.tsx'
import { Karaoke } from './karaoke/page.tsx'
import { Microblog, Conversation } from './microblog/page.tsx'
import { addCalls } from './client.ts'
import { WithList } from './kit/beside.tsx'
import { lazy } from './kit/lazy.tsx'
import { keepInstallOffer } from './install.ts'
import { Meant } from './meant.tsx'
import { Performer, Performers } from './performers/page.tsx'
import { Photo, PhotoStream } from './photostream/page.tsx'
import { Directory, Profile } from './users/page.tsx'
import { Page } from './kit/page.tsx'
import { Empty } from './kit/states.tsx'
import { followZones } from './settings/zones.ts'
import { addTexts, t } from './texts.ts'
import en from './texts/pages.en.json'
import './pages.css'

addCalls(calls)
followZones()
keepInstallOffer()
await addTexts({ en, others: { de: () => import('./texts/pages.de.json') } })

const hunts = () => import('./hunts/page.tsx')
const Hunts = lazy(() => hunts().then((all) => all.Hunts))
const Hunt = lazy(() => hunts().then((all) => all.Hunt))
const Puzzle = lazy(() => hunts().then((all) => all.Puzzle))
const OwnPerformer = lazy(() => import('./performers/own.tsx').then((all) => all.OwnPerformer))
const karaoke = () => import('./microkaraoke/page.tsx')
const PollPage = lazy(() => import('./poll/page.tsx').then((all) => all.PollPage))
const Photographers = lazy(() => import('./events/photographers.tsx').then((all) => all.Photographers))
const ChooseFeedback = lazy(() => import('./events/choose-feedback.tsx').then((all) => all.ChooseFeedback))
const Notices = lazy(() => import('./notification/page.tsx').then((all) => all.Notices))
const Fits = lazy(() => import('./planner/fits.tsx').then((all) => all.Fits))
const Search = lazy(() => import('./search/page.tsx').then((all) => all.Search))
const FirstLook = lazy(() => import('./welcome/page.tsx').then((all) => all.FirstLook))
const SignOutPage = lazy(() => import('./user/sign-out-page.tsx').then((all) => all.SignOutPage))
const board = () => import('./quartermaster/all.ts')
const Board = lazy(() => board().then((all) => all.Board))
const Item = lazy(() => board().then((all) => all.Item))
const NewItems = lazy(() => board().then((all) => all.NewItems))
const EditItem = lazy(() => board().then((all) => all.EditItem))
const AboutBoard = lazy(() => board().then((all) => all.AboutBoard))
const account = () => import('./user/all.ts')
const Account = lazy(() => account().then((all) => all.Account))
const Barrel = lazy(() => account().then((all) => all.Barrel))
const Barrels = lazy(() => account().then((all) => all.Barrels))
const CreateSubAccount = lazy(() => account().then((all) => all.CreateSubAccount))
const EditProfile = lazy(() => account().then((all) => all.EditProfile))
const KeyWords = lazy(() => account().then((all) => all.KeyWords))
const NewRecoveryKey = lazy(() => account().then((all) => all.NewRecoveryKey))
const OwnData = lazy(() => account().then((all) => all.OwnData))
const UserList = lazy(() => account().then((all) => all.UserList))
const MicroKaraoke = lazy(() => karaoke().then((all) => all.MicroKaraoke))
const MicroRecord = lazy(() => karaoke().then((all) => all.MicroRecord))
const MicroSong = lazy(() => karaoke().then((all) => all.MicroSong))

export { CallPanel } from './phone/panel.tsx'

/** For somebody who is not signed in. */
export function OpenPages() {
  const [path] = useLocation()
  return (
    <Switch>
      <Route path="/createAccount" component={CreateAccount} />
      <Route path="/resetPassword" component={ResetPassword} />
      <Route path="/help" component={HelpIndex} />
      <Route path="/help/:which">{({ which }) => <Help key={which} which={helpNamed(which)} />}</Route>
      <Route path="/faq">
        <Help key="faq" which="faq" />
      </Route>
      <Route path="/codeOfConduct">
        <Help key="codeOfConduct" which="codeOfConduct" />
      </Route>
      <Route path="/about" component={About} />
      <Route>
        <Redirect to={`/login?to=${encodeURIComponent(path)}`} replace />
      </Route>
    </Switch>
  )
}

export function Pages() {
  return (
    <Meant>
      <Switch>
        <Route path="/seamail" component={Seamail} />
        <Route path="/seamail/new" component={NewSeamail} />
        <Route path="/seamail/:id">
          {({ id }) => (
            <WithList list={<SeamailsBeside />}>
              <Chat key={id} id={id} back="/seamail" />
            </WithList>
          )}
        </Route>
        <Route path="/events" component={Schedule} />
        <Route path="/events/:id">{({ id }) => <Event key={id} id={id} />}</Route>
        <Route path="/events/:id/feedback">{({ id }) => <Feedback key={id} id={id} />}</Route>
        <Route path="/fez" component={Groups} />
        <Route path="/fez/new" component={NewGroup} />
        <Route path="/lfg/:id">
          {({ id }) => (
            <WithList list={<GroupsBeside />}>
              <Chat key={id} id={id} back="/fez" />
            </WithList>
          )}
        </Route>
        <Route path="/lfg/:id/edit">{({ id }) => <EditPlan key={id} id={id} path="lfg" />}</Route>
        <Route path="/eventfeedback" component={ChooseFeedback} />
        <Route path="/logout" component={SignOutPage} />
        <Route path="/search" component={Search} />
        <Route path="/welcome" component={FirstLook} />
        <Route path="/notices" component={Notices} />
        <Route path="/photographers" component={Photographers} />
        <Route path="/dayplanner" component={DayPlanner} />
        <Route path="/dayplanner/fits" component={Fits} />
        <Route path="/privateevent/new" component={NewPrivateEvent} />
        <Route path="/privateevent/:id">{({ id }) => <Chat key={id} id={id} back="/dayplanner" />}</Route>
        <Route path="/privateevent/:id/edit">{({ id }) => <EditPlan key={id} id={id} path="privateevent" />}</Route>
        <Route path="/forums" component={Forums} />
        <Route path="/forums/:category">{({ category }) => <Category key={category} id={category} />}</Route>
        <Route path="/forum/containingpost/:id">{({ id }) => <ForumOfPost key={id} id={id} />}</Route>
        <Route path="/forum/:id">{({ id }) => <Forum id={id} />}</Route>
        <Route path="/tweets" component={Microblog} />
        <Route path="/tweets/:id">{({ id }) => <Conversation key={id} id={id} />}</Route>
        <Route path="/directory" component={Directory} />
        <Route path="/profile/:name">{({ name }) => <Profile key={name} name={decodeURIComponent(name)} />}</Route>
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
        <Route path="/account" component={Account} />
        <Route path="/account/profile" component={EditProfile} />
        <Route path="/account/data" component={OwnData} />
        <Route path="/account/recoveryKey" component={NewRecoveryKey} />
        <Route path="/boardgames" component={Games} />
        <Route path="/karaoke" component={Karaoke} />
        <Route path="/microkaraoke" component={MicroKaraoke} />
        <Route path="/microkaraoke/record" component={MicroRecord} />
        <Route path="/microkaraokesong/:id">{({ id }) => <MicroSong key={id} id={id} />}</Route>
        <Route path="/photostream" component={PhotoStream} />
        <Route path="/photostream/:id">{({ id }) => <Photo key={id} id={id} />}</Route>
        <Route path="/quartermaster">
          <Board key="have" view="have" />
        </Route>
        <Route path="/quartermaster/need">
          <Board key="need" view="need" />
        </Route>
        <Route path="/quartermaster/owned">
          <Board key="owned" view="owned" />
        </Route>
        <Route path="/quartermaster/about" component={AboutBoard} />
        <Route path="/quartermaster/create" component={NewItems} />
        <Route path="/quartermaster/:id">{({ id }) => <Item key={id} id={id} />}</Route>
        <Route path="/quartermaster/:id/edit">{({ id }) => <EditItem key={id} id={id} />}</Route>
        <Route path="/hunts" component={Hunts} />
        <Route path="/hunt/:id">{({ id }) => <Hunt key={id} id={id} />}</Route>
        <Route path="/puzzle/:id">{({ id }) => <Puzzle key={id} id={id} />}</Route>
        <Route path="/poll/:id">{({ id }) => <PollPage key={id} id={id} />}</Route>
        <Route path="/performers" component={Performers} />
        <Route path="/performers/own" component={OwnPerformer} />
        <Route path="/performer/:id">{({ id }) => <Performer key={id} id={id} />}</Route>
        <Route path="/createAltAccount" component={CreateSubAccount} />
        <Route path="/barrels" component={Barrels} />
        <Route path="/barrels/:id">{({ id }) => <Barrel key={id} id={id} />}</Route>
        <Route path="/time" component={Time} />
        <Route path="/map" component={ShipMap} />
        <Route path="/help" component={HelpIndex} />
        <Route path="/help/:which">{({ which }) => <Help key={which} which={helpNamed(which)} />}</Route>
        <Route path="/faq">
          <Help key="faq" which="faq" />
        </Route>
        <Route path="/codeOfConduct">
          <Help key="codeOfConduct" which="codeOfConduct" />
        </Route>
        <Route path="/about" component={About} />
        <Route>
          <Page title={t('noPage')} back="/">
            <Empty title={t('noPageText')} />
          </Page>
        </Route>
      </Switch>
    </Meant>
  )
}
