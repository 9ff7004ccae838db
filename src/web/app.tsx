// Starts the app: what was kept comes back first, then the page of the address.
import { render } from 'preact'
import { Redirect, Route, Switch } from 'wouter-preact'
import { SignIn } from './auth/sign-in.tsx'
import { Frame, ofConsole } from './frame.tsx'
import { lazy, withStyle } from './kit/lazy.tsx'
import { startListening } from './live.ts'
import { openOutbox } from './outbox.ts'
import { showScheme } from './scheme.ts'
import { me, refreshMe } from './session.ts'
import { restoreAnswers } from './store.ts'
import { startLanguage } from './texts.ts'
import { Today } from './today/page.tsx'

const pages = () => withStyle('pages', import('./pages.tsx'))
const OpenPages = lazy(() => pages().then((all) => all.OpenPages))
const Pages = lazy(() => pages().then((all) => all.Pages))
const ConsolePages = lazy(() => withStyle('pages', import('./admin/pages.tsx')).then((all) => all.ConsolePages))

/** Shows what is there. */
export async function startApp(): Promise<void> {
  showScheme()
  await Promise.all([startLanguage(), restoreAnswers(), openOutbox()])
  render(<App />, document.getElementById('app') as HTMLElement)
  startListening()
  if (me.value) void refreshMe().catch(() => undefined)
  if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
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
