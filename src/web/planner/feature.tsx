// A person's own day.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'
import { DayPlanner } from './page.tsx'

const Fits = lazy(() => import('./fits.tsx').then((all) => all.Fits))

export const planner: Feature = {
  pages: (
    <>
      <Route path="/dayplanner" component={DayPlanner} />
      <Route path="/dayplanner/fits" component={Fits} />
    </>
  ),
}
