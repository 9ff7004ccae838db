// The lists of chats: seamails, groups to join, and one's own groups.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { PlusIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import type { Team } from '../outbox.ts'
import { me } from '../session.ts'
import { t } from '../texts.ts'
import { GroupRow, SeamailRow } from './parts.tsx'
import { useGroups, useSeamails } from './query.ts'

type Inbox = 'own' | Team

/** Whose mail somebody may read: levels go up. */
function inboxesOf(level: string): Inbox[] {
  if (['serviceteam', 'twitarrteam', 'tho', 'admin'].includes(level)) return ['own', 'moderator', 'serviceteam']
  return level === 'moderator' ? ['own', 'moderator'] : ['own']
}

export function Seamail() {
  const [search, setSearch] = useState('')
  const [inbox, setInbox] = useState<Inbox>('own')
  const chats = useSeamails(search, inbox === 'own' ? undefined : inbox)
  const inboxes = inboxesOf(me.value?.accessLevel ?? '')
  return (
    <Page
      title={t('seamail')}
      actions={
        <Link href={inbox === 'own' ? '/seamail/new' : `/seamail/new?as=${inbox}`} class="round plain" aria-label={t('newSeamail')}>
          <PlusIcon />
        </Link>
      }
    >
      {inboxes.length > 1 && (
        <Tabs label={t('inboxes')} value={inbox} options={inboxes.map((each) => [each, t(`inbox.${each}`)] as const)} change={setInbox} />
      )}
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
