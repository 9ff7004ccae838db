// A television on a wall.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy, withStyle } from '../kit/lazy.tsx'

const Display = lazy(() => withStyle('display', import('./display.tsx')).then((all) => all.Display))
const page = <Route path="/display" component={Display} />

export const display: Feature = { pages: page, openPages: page }
