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
      <Route>
        <Page title={t('noPage')} back="/">
          <Empty title={t('noPageText')} />
        </Page>
      </Route>
    </Switch>
  )
}
