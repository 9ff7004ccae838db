// People.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Directory, Profile } from './page.tsx'

export const users: Feature = {
  pages: (
    <>
      <Route path="/directory" component={Directory} />
      <Route path="/profile/:name">{({ name }) => <Profile key={name} name={decodeURIComponent(name)} />}</Route>
    </>
  ),
  links: [[/^\/(user|username|profile)\b/, 'link.person']],
}
