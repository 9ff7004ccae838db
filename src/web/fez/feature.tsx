// Seamail, groups and private events.
import { Route } from 'wouter-preact'
import { WithList } from '../kit/beside.tsx'
import type { Feature } from '../kit/feature.tsx'
import { Chat } from './chat.tsx'
import { NewSeamail } from './new.tsx'
import { Groups, GroupsBeside, Seamail, SeamailsBeside } from './page.tsx'
import { EditPlan, NewGroup, NewPrivateEvent } from './plan.tsx'

export const fez: Feature = {
  pages: (
    <>
      <Route path="/seamail" component={Seamail} />
      <Route path="/seamail/new" component={NewSeamail} />
      <Route path="/seamail/:id">
        {({ id }) => (
          <WithList list={<SeamailsBeside />}>
            <Chat key={id} id={id} back="/seamail" />
          </WithList>
        )}
      </Route>
      <Route path="/fez" component={Groups} />
      <Route path="/fez/new" component={NewGroup} />
      <Route path="/lfg/:id">
        {({ id }) => (
          <WithList list={<GroupsBeside />}>
            <Chat key={id} id={id} back="/fez" />
          </WithList>
        )}
      </Route>
      <Route path="/lfg/:id/edit">{({ id }) => <EditPlan key={id} id={id} path="lfg" />}</Route>
      <Route path="/privateevent/new" component={NewPrivateEvent} />
      <Route path="/privateevent/:id">{({ id }) => <Chat key={id} id={id} back="/dayplanner" />}</Route>
      <Route path="/privateevent/:id/edit">{({ id }) => <EditPlan key={id} id={id} path="privateevent" />}</Route>
    </>
  ),
  links: [
    [/^\/(lfg|fez)\/[\da-f-]{36}/i, 'link.group'],
    [/^\/(lfg|fez)\b/, 'link.groups'],
    [/^\/seamail\b/, 'link.seamail'],
  ],
}
