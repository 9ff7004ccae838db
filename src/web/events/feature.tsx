// The schedule.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'
import { Event } from './event.tsx'
import { Feedback } from './feedback.tsx'
import { Schedule } from './page.tsx'

const Photographers = lazy(() => import('./photographers.tsx').then((all) => all.Photographers))
const ChooseFeedback = lazy(() => import('./choose-feedback.tsx').then((all) => all.ChooseFeedback))

export const events: Feature = {
  pages: (
    <>
      <Route path="/events" component={Schedule} />
      <Route path="/events/:id">{({ id }) => <Event key={id} id={id} />}</Route>
      <Route path="/events/:id/feedback">{({ id }) => <Feedback key={id} id={id} />}</Route>
      <Route path="/eventfeedback" component={ChooseFeedback} />
      <Route path="/photographers" component={Photographers} />
    </>
  ),
  links: [[/^\/events\b/, 'link.event']],
}
