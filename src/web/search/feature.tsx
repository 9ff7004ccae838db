// One search for everything.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const Search = lazy(() => import('./page.tsx').then((all) => all.Search))

export const search: Feature = { pages: <Route path="/search" component={Search} /> }
