// The identities at the provider that one's own account is connected with.
import type { OidcIdentityData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Page } from '../kit/page.tsx'
import { RemovableList } from '../kit/removable.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { beginAddress, useProvider } from './button.tsx'
import './texts.ts'

const here = '/account/identities'

export function Identities() {
  const identities = useQuery({ queryKey: ['identities'], queryFn: () => client.oidc.identities(), staleTime: 0 })
  const provider = useProvider()
  return (
    <Page title={t('oidc.title')} back="/account">
      {provider !== undefined && (
        <div class="card pad text">
          <p>{t('oidc.text', { provider })}</p>
          <a class="btn quiet" href={beginAddress(here)}>
            {t('oidc.add', { provider })}
          </a>
        </div>
      )}
      <Answer of={identities} rows={2}>
        {({ identities: all }) => <List identities={all} />}
      </Answer>
    </Page>
  )
}

function List({ identities }: { identities: readonly OidcIdentityData[] }) {
  const items = identities.map(({ identityID, name, issuer, createdAt, lastUsedAt }) => ({
    id: identityID,
    name,
    about: `${new URL(issuer).host} · ${t('oidc.connected', { time: when(createdAt), used: when(lastUsedAt) })}`,
    title: t('oidc.removeOne', { name }),
    text: t('oidc.removeText'),
  }))
  const remove = async (id: string) => {
    await client.oidc.removeIdentities({ identity_id: id })
    refresh('identities')
  }
  return <RemovableList items={items} none={t('oidc.none')} remove={remove} />
}
