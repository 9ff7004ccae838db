// Performers.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'
import { Performer, Performers } from './page.tsx'

const OwnPerformer = lazy(() => import('./own.tsx').then((all) => all.OwnPerformer))

export const performers: Feature = {
  pages: (
    <>
      <Route path="/performers" component={Performers} />
      <Route path="/performers/own" component={OwnPerformer} />
      <Route path="/performer/:id">{({ id }) => <Performer key={id} id={id} />}</Route>
    </>
  ),
}
