// The microblog.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Conversation, Microblog } from './page.tsx'

export const microblog: Feature = {
  pages: (
    <>
      <Route path="/tweets" component={Microblog} />
      <Route path="/tweets/:id">{({ id }) => <Conversation key={id} id={id} />}</Route>
    </>
  ),
  links: [[/^\/tweets\b/, 'link.microblog']],
}
