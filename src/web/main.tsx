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

const pages = () => import('./pages.ts')
const CreateAccount = lazy(() => pages().then((all) => all.CreateAccount))
const ResetPassword = lazy(() => pages().then((all) => all.ResetPassword))
const Seamail = lazy(() => pages().then((all) => all.Seamail))
const Groups = lazy(() => pages().then((all) => all.Groups))
const NewSeamail = lazy(() => pages().then((all) => all.NewSeamail))
const NewGroup = lazy(() => pages().then((all) => all.NewGroup))
const Schedule = lazy(() => pages().then((all) => all.Schedule))
const Event = lazy(() => pages().then((all) => all.Event))
const DayPlanner = lazy(() => pages().then((all) => all.DayPlanner))
const Forums = lazy(() => pages().then((all) => all.Forums))
const Category = lazy(() => pages().then((all) => all.Category))
const Forum = lazy(() => pages().then((all) => all.Forum))
const ForumOfPost = lazy(() => pages().then((all) => all.ForumOfPost))
const Microblog = lazy(() => pages().then((all) => all.Microblog))
const Conversation = lazy(() => pages().then((all) => all.Conversation))
const Directory = lazy(() => pages().then((all) => all.Directory))
const Profile = lazy(() => pages().then((all) => all.Profile))
const UserList = lazy(() => pages().then((all) => all.UserList))
const Account = lazy(() => pages().then((all) => all.Account))
const EditProfile = lazy(() => pages().then((all) => all.EditProfile))
const KeyWords = lazy(() => pages().then((all) => all.KeyWords))
const Games = lazy(() => pages().then((all) => all.Games))
const Karaoke = lazy(() => pages().then((all) => all.Karaoke))
const moderation = () => import('./mod/pages.ts')
const Reports = lazy(() => moderation().then((all) => all.Reports))
const Moderate = lazy(() => moderation().then((all) => all.Moderate))
const ActionLog = lazy(() => moderation().then((all) => all.ActionLog))
const admin = () => import('./admin/pages.ts')
const ConsoleMenu = lazy(() => admin().then((all) => all.Menu))
const Dashboard = lazy(() => admin().then((all) => all.Dashboard))
const Checks = lazy(() => admin().then((all) => all.Checks))
const People = lazy(() => admin().then((all) => all.People))
const Person = lazy(() => admin().then((all) => all.Person))
const Jobs = lazy(() => admin().then((all) => all.Jobs))
const Errors = lazy(() => admin().then((all) => all.Errors))
const Audit = lazy(() => admin().then((all) => all.Audit))
const Chat = lazy(() => pages().then((all) => all.Chat))

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
      <Route path="/moderator" component={ActionLog} />
      <Route path="/reports" component={Reports} />
      <Route path="/moderate/:kind/:id">
        {({ kind, id }) => <Moderate key={`${kind} ${id}`} kind={kind} id={decodeURIComponent(id)} />}
      </Route>
      <Route path="/admin" component={Dashboard} />
      <Route path="/admin/menu" component={ConsoleMenu} />
      <Route path="/admin/checks" component={Checks} />
      <Route path="/admin/users" component={People} />
      <Route path="/admin/users/:id">{({ id }) => <Person key={id} id={id} />}</Route>
      <Route path="/admin/jobs" component={Jobs} />
      <Route path="/admin/errors" component={Errors} />
      <Route path="/admin/audit" component={Audit} />
      <Route>
        <Page title={t('noPage')} back="/">
          <Empty title={t('noPageText')} />
        </Page>
      </Route>
    </Switch>
  )
}
