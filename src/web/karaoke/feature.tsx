// Songs of the karaoke library.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Karaoke } from './page.tsx'

export const karaoke: Feature = {
  pages: <Route path="/karaoke" component={Karaoke} />,
  links: [[/^\/karaoke\b/, 'link.karaoke']],
}
