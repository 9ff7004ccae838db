// Forums.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Forum, ForumOfPost } from './forum.tsx'
import { Category, Forums } from './page.tsx'

export const forum: Feature = {
  pages: (
    <>
      <Route path="/forums" component={Forums} />
      <Route path="/forums/:category">{({ category }) => <Category key={category} id={category} />}</Route>
      <Route path="/forum/containingpost/:id">{({ id }) => <ForumOfPost key={id} id={id} />}</Route>
      <Route path="/forum/:id">{({ id }) => <Forum id={id} />}</Route>
    </>
  ),
  links: [
    [/^\/forums\/[\da-f-]{36}/i, 'link.category'],
    [/^\/forums?\b/, 'link.forum'],
  ],
}
