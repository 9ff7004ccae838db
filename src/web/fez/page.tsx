// The lists of chats: seamails, groups to join, and one's own groups.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { PlusIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { t } from '../texts.ts'
import { GroupRow, SeamailRow } from './parts.tsx'
import { useGroups, useSeamails } from './query.ts'

export function Seamail() {
  const [search, setSearch] = useState('')
  const chats = useSeamails(search)
  return (
    <Page
      title={t('seamail')}
      actions={
        <Link href="/seamail/new" class="round plain" aria-label={t('newSeamail')}>
          <PlusIcon />
        </Link>
      }
    >
      <SearchField label={t('searchSeamail')} change={setSearch} />
      <Answer of={chats}>
        {({ fezzes }) =>
          fezzes.length === 0 ? (
            <Empty title={search ? t('nothingFound') : t('noSeamail')}>{!search && t('noSeamailText')}</Empty>
          ) : (
            <ul class="card">
              {fezzes.map((chat) => (
                <SeamailRow key={chat.fezID} chat={chat} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  )
}

export function Groups() {
  const [which, setWhich] = useState<'open' | 'joined'>('open')
  const [search, setSearch] = useState('')
  const chats = useGroups(which, search)
  return (
    <Page
      title={t('groups')}
      actions={
        <Link href="/fez/new" class="round plain" aria-label={t('newGroup')}>
          <PlusIcon />
        </Link>
      }
    >
      <Tabs
        label={t('groups')}
        value={which}
        options={[
          ['open', t('toJoin')],
          ['joined', t('myGroups')],
        ]}
        change={setWhich}
      />
      <SearchField label={t('searchGroups')} change={setSearch} />
      <Answer of={chats}>
        {({ fezzes }) =>
          fezzes.length === 0 ? (
            <Empty title={search ? t('nothingFound') : t(which === 'open' ? 'noGroups' : 'noMyGroups')}>
              {!search && t('noGroupsText')}
            </Empty>
          ) : (
            <ul class="card">
              {fezzes.map((chat) => (
                <GroupRow key={chat.fezID} chat={chat} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  )
}
