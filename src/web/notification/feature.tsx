// Which notices this device shows.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const Notices = lazy(() => import('./page.tsx').then((all) => all.Notices))

export const notification: Feature = { pages: <Route path="/notices" component={Notices} /> }
