// The ways to sign in without a password.
import { ProviderButton } from '../oidc/button.tsx'
import { PasskeyButton } from './button.tsx'

export function OtherWays() {
  return (
    <>
      <PasskeyButton />
      <ProviderButton />
    </>
  )
}
