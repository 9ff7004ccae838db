// The pages that are not needed at once, in one file: a second load, and everything is there, also without a network. What is of no use
// without one, and rarely opened, comes later.
import { calls } from 'calls-of-pages'
import { Redirect, Route, Switch, useLocation } from 'wouter-preact'
import { addCalls } from './client.ts'
import { features } from './features.ts'
import { keepInstallOffer } from './install.ts'
import { install } from './kit/feature.tsx'
import { Page } from './kit/page.tsx'
import { Empty } from './kit/states.tsx'
import { Meant } from './meant.tsx'
import { followZones } from './settings/zones.ts'
import { addTexts, t } from './texts.ts'
import en from './texts/pages.en.json'
import './pages.css'

declare module './texts.ts' {
  interface Books {
    pages: typeof en
  }
}

addCalls(calls)
followZones()
keepInstallOffer()
install(features)
const books = features.flatMap(({ texts }) => texts ?? [])
await addTexts({ en, others: { de: () => import('./texts/pages.de.json') } }, ...books)

export { CallPanel } from './phone/panel.tsx'

/** For somebody who is not signed in. */
export function OpenPages() {
  const [path] = useLocation()
  return (
    <Switch>
      {features.map(({ openPages }) => openPages)}
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
        {features.map(({ pages }) => pages)}
        <Route>
          <Page title={t('noPage')} back="/">
            <Empty title={t('noPageText')} />
          </Page>
        </Route>
      </Switch>
    </Meant>
  )
}
