// Karaoke songs. Without a network there are none to look for.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const Karaoke = lazy(() => import('./page.tsx').then((all) => all.Karaoke))

export const karaoke: Feature = {
  pages: <Route path="/karaoke" component={Karaoke} />,
  links: [[/^\/karaoke\b/, 'link.karaoke']],
}
