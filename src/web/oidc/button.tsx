// At the door: the way to whoever else can say who somebody is. Nothing where the host has chosen nobody.
import type { ClientSettingsData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'
import './texts.ts'

const hourMs = 60 * 60_000

/** The table of calls that has this one comes with the pages. */
const settings = () => client.call('GET /client/settings') as Promise<ClientSettingsData>

/** What people call them. */
export const useProvider = (): string | undefined =>
  useQuery({ queryKey: ['settings'], queryFn: settings, staleTime: hourMs }).data?.identityProvider

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
