// Signing in by an identity provider (OpenID Connect).
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const Returned = lazy(() => import('./returned.tsx').then((all) => all.Returned))
const Identities = lazy(() => import('./identities.tsx').then((all) => all.Identities))
const returned = <Route path="/login/provider" component={Returned} />

export const oidc: Feature = {
  pages: (
    <>
      {returned}
      <Route path="/account/identities" component={Identities} />
    </>
  ),
  openPages: returned,
}
