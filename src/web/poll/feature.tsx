// Polls in posts.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'
import en from '../texts/poll.en.json'
import { AddPoll } from './add.tsx'
import { WithPoll } from './card.tsx'

declare module '../texts.ts' {
  interface Books {
    poll: typeof en
  }
}

const PollPage = lazy(() => import('./page.tsx').then((all) => all.PollPage))

export const poll: Feature = {
  pages: <Route path="/poll/:id">{({ id }) => <PollPage key={id} id={id} />}</Route>,
  texts: { en, others: { de: () => import('../texts/poll.de.json') } },
  links: [[/^\/poll\b/, 'poll.link']],
  InCompose: AddPoll,
  InPost: WithPoll,
}
