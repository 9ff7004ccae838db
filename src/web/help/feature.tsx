// What people look up.
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { About, Help, HelpIndex, helpNamed, ShipMap } from './page.tsx'
import { Time } from './time.tsx'

const openPages = (
  <>
    <Route path="/help" component={HelpIndex} />
    <Route path="/help/:which">{({ which }) => <Help key={which} which={helpNamed(which)} />}</Route>
    <Route path="/faq">
      <Help key="faq" which="faq" />
    </Route>
    <Route path="/codeOfConduct">
      <Help key="codeOfConduct" which="codeOfConduct" />
    </Route>
    <Route path="/about" component={About} />
  </>
)

export const help: Feature = {
  openPages,
  pages: (
    <>
      <Route path="/time" component={Time} />
      <Route path="/map" component={ShipMap} />
      {openPages}
    </>
  ),
}
