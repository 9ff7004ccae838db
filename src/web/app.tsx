// Starts the app: what was kept comes back first, then the page of the address.
import { render } from 'preact'
import { Redirect, Route, Switch } from 'wouter-preact'
import { SignIn } from './auth/sign-in.tsx'
import { Frame, ofConsole } from './frame.tsx'
import { whenIdle } from './idle.ts'
import { lazy, withStyle } from './kit/lazy.tsx'
import { clock } from './kit/time.ts'
import { startListening } from './live.ts'
import { letters, openOutbox } from './outbox.ts'
import { followPlaces } from './place.ts'
import { showScheme } from './scheme.ts'
import { beginInApp, me, refreshMe } from './session.ts'
import { restoreAnswers } from './store.ts'
import { startLanguage } from './texts.ts'
import { Today } from './today/page.tsx'

const pages = () => withStyle('pages', import('./pages.tsx'))
const OpenPages = lazy(() => pages().then((all) => all.OpenPages))
const Pages = lazy(() => pages().then((all) => all.Pages))
const ConsolePages = lazy(() => withStyle('pages', import('./console/pages.tsx')).then((all) => all.ConsolePages))

/** Shows what is there. */
export async function startApp(): Promise<void> {
  showScheme()
  followPlaces()
  // The page comes again, signed in.
  if (await beginInApp()) return
  const kept = Promise.all([startLanguage(), restoreAnswers(), openOutbox()])
  // The first time of a page costs the browser more than all that follow: it is made while the device's store is read.
  if (me.value) setTimeout(() => clock(new Date()))
  await kept
  render(<App />, document.getElementById('app') as HTMLElement)
  startListening()
  if (me.value) whenIdle(() => void import('./notification/outside.ts').then(({ startOutside }) => startOutside()).catch(() => undefined))
  if (me.value) void refreshMe().catch(() => undefined)
  // Their kinds come with the pages.
  if (letters.value.some(({ kind }) => kind)) void pages().catch(() => undefined)
  // For the next start and for further pages. There is a worker only where the address is secure.
  if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  else if (me.value) whenIdle(() => void pages().catch(() => undefined))
}

function App() {
  return <Frame>{me.value ? <SignedIn /> : <SignedOut />}</Frame>
}

function SignedOut() {
  return (
    <Switch>
      <Route path="/login" component={SignIn} />
      <Route path="/">
        <Redirect to="/login" replace />
      </Route>
      <Route component={OpenPages} />
    </Switch>
  )
}

function SignedIn() {
  return (
    <Switch>
      <Route path="/" component={Today} />
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      <Route path={ofConsole} component={ConsolePages} />
      <Route component={Pages} />
    </Switch>
  )
}
