// Starts the app: what was kept comes back first, then the page of the address.
import { QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { Redirect, Route, Switch, useLocation } from 'wouter-preact'
import { SignIn } from './auth/sign-in.tsx'
import { Frame } from './frame.tsx'
import { lazy } from './kit/lazy.tsx'
import { Page } from './kit/page.tsx'
import { Empty } from './kit/states.tsx'
import { startListening } from './live.ts'
import { openOutbox } from './outbox.ts'
import { showScheme } from './scheme.ts'
import { me, refreshMe } from './session.ts'
import { queries, restoreAnswers } from './store.ts'
import { startLanguage, t } from './texts.ts'
import { Today } from './today/page.tsx'

const CreateAccount = lazy(() => import('./auth/create-account.tsx').then((module) => module.CreateAccount))
const ResetPassword = lazy(() => import('./auth/reset-password.tsx').then((module) => module.ResetPassword))
const chats = () => import('./fez/page.tsx')
const Seamail = lazy(() => chats().then((module) => module.Seamail))
const Groups = lazy(() => chats().then((module) => module.Groups))
const NewSeamail = lazy(() => import('./fez/new.tsx').then((module) => module.NewSeamail))
const NewGroup = lazy(() => import('./fez/new.tsx').then((module) => module.NewGroup))
const Schedule = lazy(() => import('./events/page.tsx').then((module) => module.Schedule))
const Event = lazy(() => import('./events/event.tsx').then((module) => module.Event))
const DayPlanner = lazy(() => import('./events/planner.tsx').then((module) => module.DayPlanner))
const forums = () => import('./forum/page.tsx')
const Forums = lazy(() => forums().then((module) => module.Forums))
const Category = lazy(() => forums().then((module) => module.Category))
const forum = () => import('./forum/forum.tsx')
const Forum = lazy(() => forum().then((module) => module.Forum))
const ForumOfPost = lazy(() => forum().then((module) => module.ForumOfPost))
const microblog = () => import('./microblog/page.tsx')
const Microblog = lazy(() => microblog().then((module) => module.Microblog))
const Conversation = lazy(() => microblog().then((module) => module.Conversation))
const people = () => import('./users/page.tsx')
const Directory = lazy(() => people().then((module) => module.Directory))
const Profile = lazy(() => people().then((module) => module.Profile))
const UserList = lazy(() => import('./users/lists.tsx').then((module) => module.UserList))
const Account = lazy(() => import('./user/page.tsx').then((module) => module.Account))
const EditProfile = lazy(() => import('./user/profile.tsx').then((module) => module.EditProfile))
const KeyWords = lazy(() => import('./user/words.tsx').then((module) => module.KeyWords))
const Games = lazy(() => import('./boardgames/page.tsx').then((module) => module.Games))
const Karaoke = lazy(() => import('./karaoke/page.tsx').then((module) => module.Karaoke))
const Chat = lazy(() => import('./fez/chat.tsx').then((module) => module.Chat))

showScheme()
await Promise.all([startLanguage(), restoreAnswers(), openOutbox()])
render(<App />, document.getElementById('app') as HTMLElement)
startListening()
if (me.value) void refreshMe().catch(() => undefined)
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined)

function App() {
  return (
    <QueryClientProvider client={queries}>
      <Frame>{me.value ? <Pages /> : <Doors />}</Frame>
    </QueryClientProvider>
  )
}

/** For somebody who is not signed in. */
function Doors() {
  const [path] = useLocation()
  return (
    <Switch>
      <Route path="/login" component={SignIn} />
      <Route path="/createAccount" component={CreateAccount} />
      <Route path="/resetPassword" component={ResetPassword} />
      <Route>
        <Redirect to={path === '/' ? '/login' : `/login?to=${encodeURIComponent(path)}`} replace />
      </Route>
    </Switch>
  )
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Today} />
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      <Route path="/seamail" component={Seamail} />
      <Route path="/seamail/new" component={NewSeamail} />
      <Route path="/seamail/:id">{({ id }) => <Chat key={id} id={id} back="/seamail" />}</Route>
      <Route path="/events" component={Schedule} />
      <Route path="/events/:id">{({ id }) => <Event key={id} id={id} />}</Route>
      <Route path="/fez" component={Groups} />
      <Route path="/fez/new" component={NewGroup} />
      <Route path="/lfg/:id">{({ id }) => <Chat key={id} id={id} back="/fez" />}</Route>
      <Route path="/dayplanner" component={DayPlanner} />
      <Route path="/forums" component={Forums} />
      <Route path="/forums/:category">{({ category }) => <Category key={category} id={category} />}</Route>
      <Route path="/forum/containingpost/:id">{({ id }) => <ForumOfPost key={id} id={id} />}</Route>
      <Route path="/forum/:id">{({ id }) => <Forum key={id} id={id} />}</Route>
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
      <Route path="/boardgames" component={Games} />
      <Route path="/karaoke" component={Karaoke} />
      <Route>
        <Page title={t('noPage')} back="/">
          <Empty title={t('noPageText')} />
        </Page>
      </Route>
    </Switch>
  )
}
