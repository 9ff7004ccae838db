// Board games.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Games } from './page.tsx'

export const boardgames: Feature = {
  pages: <Route path="/boardgames" component={Games} />,
  links: [[/^\/boardgames\b/, 'link.games']],
}
