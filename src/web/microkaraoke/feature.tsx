// Songs that many sing, each a line.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const page = () => import('./page.tsx')
const MicroKaraoke = lazy(() => page().then((all) => all.MicroKaraoke))
const MicroRecord = lazy(() => page().then((all) => all.MicroRecord))
const MicroSong = lazy(() => page().then((all) => all.MicroSong))

export const microkaraoke: Feature = {
  pages: (
    <>
      <Route path="/microkaraoke" component={MicroKaraoke} />
      <Route path="/microkaraoke/record" component={MicroRecord} />
      <Route path="/microkaraokesong/:id">{({ id }) => <MicroSong key={id} id={id} />}</Route>
    </>
  ),
}
