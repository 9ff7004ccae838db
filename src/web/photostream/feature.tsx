// The photo stream.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { Photo, PhotoStream } from './page.tsx'

export const photostream: Feature = {
  pages: (
    <>
      <Route path="/photostream" component={PhotoStream} />
      <Route path="/photostream/:id">{({ id }) => <Photo key={id} id={id} />}</Route>
    </>
  ),
}
