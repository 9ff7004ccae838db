// Puzzle hunts.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const page = () => import('./page.tsx')
const Hunts = lazy(() => page().then((all) => all.Hunts))
const Hunt = lazy(() => page().then((all) => all.Hunt))
const Puzzle = lazy(() => page().then((all) => all.Puzzle))

export const hunts: Feature = {
  pages: (
    <>
      <Route path="/hunts" component={Hunts} />
      <Route path="/hunt/:id">{({ id }) => <Hunt key={id} id={id} />}</Route>
      <Route path="/puzzle/:id">{({ id }) => <Puzzle key={id} id={id} />}</Route>
    </>
  ),
}
