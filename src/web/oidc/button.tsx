// The button of the sign-in page that leads to the identity provider. There is none where the operator has named no provider.
import { useSettings } from '../settings/query.ts'
import { t } from '../texts.ts'
import './texts.ts'

/** The name of the provider. */
export const useProvider = (): string | undefined => useSettings().data?.identityProvider

/** `to`: the page that somebody comes back to. */
export const beginAddress = (to: string): string => `/oidc/begin?to=${encodeURIComponent(to)}`

export function ProviderButton() {
  const provider = useProvider()
  if (provider === undefined) return null
  return (
    <a class="btn quiet" href={beginAddress(new URLSearchParams(location.search).get('to') ?? '/')}>
      {t('oidc.signIn', { provider })}
    </a>
  )
}
