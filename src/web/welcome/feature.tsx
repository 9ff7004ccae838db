// What somebody new is shown first.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const FirstLook = lazy(() => import('./page.tsx').then((all) => all.FirstLook))

export const welcome: Feature = { pages: <Route path="/welcome" component={FirstLook} /> }
