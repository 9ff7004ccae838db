// The item board.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const all = () => import('./all.ts')
const Board = lazy(() => all().then((parts) => parts.Board))
const Item = lazy(() => all().then((parts) => parts.Item))
const NewItems = lazy(() => all().then((parts) => parts.NewItems))
const EditItem = lazy(() => all().then((parts) => parts.EditItem))
const AboutBoard = lazy(() => all().then((parts) => parts.AboutBoard))

export const quartermaster: Feature = {
  pages: (
    <>
      <Route path="/quartermaster">
        <Board key="have" view="have" />
      </Route>
      <Route path="/quartermaster/need">
        <Board key="need" view="need" />
      </Route>
      <Route path="/quartermaster/owned">
        <Board key="owned" view="owned" />
      </Route>
      <Route path="/quartermaster/about" component={AboutBoard} />
      <Route path="/quartermaster/create" component={NewItems} />
      <Route path="/quartermaster/:id">{({ id }) => <Item key={id} id={id} />}</Route>
      <Route path="/quartermaster/:id/edit">{({ id }) => <EditItem key={id} id={id} />}</Route>
    </>
  ),
}
