// Signing in by a key of the device (WebAuthn).
import { Route } from 'wouter-preact'
import type { Feature } from '../kit/feature.tsx'
import { lazy } from '../kit/lazy.tsx'

const Passkeys = lazy(() => import('./passkeys.tsx').then((all) => all.Passkeys))

export const passkey: Feature = { pages: <Route path="/account/passkeys" component={Passkeys} /> }
