// The lists of chats: seamails, groups to join, and one's own groups.
import { Link, useSearchParams } from 'wouter-preact'
import type { FezData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { asked, askedList } from '../kit/asked.ts'
import { SideList } from '../kit/beside.tsx'
import { ChoiceChip } from '../kit/choice.tsx'
import { useDrafts } from '../kit/draft.ts'
import { CheckIcon, PlusIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { attempt } from '../kit/toast.tsx'
import type { Team } from '../outbox.ts'
import { mayWrite, me } from '../session.ts'
import { t, type TextKey } from '../texts.ts'
import { useSettings } from '../settings/query.ts'
import { groupLists, noFilter, useGroupList, type GroupFilter, type GroupList } from './lists.ts'
import { changeChat } from './one.ts'
import { favoritesFirst, groupKinds, GroupRow, SeamailRow, unreadOf } from './parts.tsx'
import { useSeamails } from './query.ts'
import { useKept } from '../place.ts'

type Inbox = 'own' | Team

/** Whose mail somebody may read: levels go up. */
function inboxesOf(level: string): Inbox[] {
  if (['serviceteam', 'twitarrteam', 'tho', 'admin'].includes(level)) return ['own', 'moderator', 'serviceteam']
  return level === 'moderator' ? ['own', 'moderator'] : ['own']
}

/** Apps of today know the team by another name. */
const inboxWord = (word: string | null) => (word === 'twitarrteam' ? 'serviceteam' : word)

type Kept<T> = readonly [T, (value: T) => void]

function useInbox(): Kept<Inbox> {
  const [params] = useSearchParams()
  return useKept<Inbox>('inbox', inboxesOf(me.value?.accessLevel ?? '').find((each) => each === inboxWord(params.get('foruser'))) ?? 'own')
}

export function Seamail() {
  const inbox = useInbox()
  return (
    <Page title={t('seamail')} actions={<ToNewSeamail inbox={inbox[0]} />}>
      <Seamails inbox={inbox} />
    </Page>
  )
}

/** Beside one of them. */
export function SeamailsBeside() {
  const inbox = useInbox()
  return (
    <SideList title={t('seamail')} href="/seamail" actions={<ToNewSeamail inbox={inbox[0]} />}>
      <Seamails inbox={inbox} />
    </SideList>
  )
}

function ToNewSeamail({ inbox }: { inbox: Inbox }) {
  if (!mayWrite.value) return null
  return (
    <Link href={inbox === 'own' ? '/seamail/new' : `/seamail/new?as=${inbox}`} class="round plain" aria-label={t('newSeamail')}>
      <PlusIcon />
    </Link>
  )
}

function Seamails({ inbox: [inbox, setInbox] }: { inbox: Kept<Inbox> }) {
  const [search, setSearch] = useSearchWords()
  const inboxes = inboxesOf(me.value?.accessLevel ?? '')
  const chats = useSeamails(search, inbox === 'own' ? undefined : inbox)
  const [only, setOnly] = useKept<'new' | 'favorite' | undefined>('only', undefined)
  const onlyNew = only === 'new'
  const drafts = useDrafts('fez')
  const press = (each: typeof only) => setOnly(only === each ? undefined : each)
  return (
    <>
      {inboxes.length > 1 && (
        <Tabs label={t('inboxes')} value={inbox} options={inboxes.map((each) => [each, t(`inbox.${each}`)] as const)} change={setInbox} />
      )}
      <SearchField label={t('searchSeamail')} change={setSearch} start={search} />
      <div class="narrowed chat-filters">
        <button type="button" class="chip" aria-pressed={onlyNew} onClick={() => press('new')}>
          {t('onlyUnread')}
        </button>
        <button type="button" class="chip" aria-pressed={only === 'favorite'} onClick={() => press('favorite')}>
          {t('favorites')}
        </button>
      </div>
      <Answer of={chats}>
        {({ fezzes }) => {
          const shown = favoritesFirst(fezzes).filter(
            (chat) => !only || (onlyNew ? unreadOf(chat) > 0 : (chat.members?.isFavorite ?? false)),
          )
          if (shown.length > 0)
            return (
              <ul class="card">
                {shown.map((chat) => (
                  <SeamailRow key={chat.fezID} chat={chat} draft={drafts.get(chat.fezID)} more={onlyNew && <MarkRead chat={chat} />} />
                ))}
              </ul>
            )
          if (search) return <Empty title={t('nothingFound')} />
          if (only === 'favorite') return <NoFavorites />
          return onlyNew ? <Empty title={t('allRead')} /> : <Empty title={t('noSeamail')}>{t('noSeamailText')}</Empty>
        }}
      </Answer>
    </>
  )
}

const NoFavorites = () => <Empty title={t('chat.noFavorites')}>{t('chat.noFavoritesText')}</Empty>

function MarkRead({ chat: { fezID, title } }: { chat: FezData }) {
  return (
    <button
      type="button"
      class="round plain"
      aria-label={t('chat.markRead', { title })}
      onClick={() => void attempt(() => changeChat(fezID, () => client.fez.markRead({ fezID })))}
    >
      <CheckIcon size={20} />
    </button>
  )
}

const listTexts: Record<GroupList, TextKey> = { open: 'toJoin', joined: 'myGroups', owner: 'groupsByMe', former: 'groupsLeft' }
const emptyTexts: Record<GroupList, TextKey> = { open: 'noGroups', joined: 'noMyGroups', owner: 'noMyGroups', former: 'noGroupsLeft' }

export function Groups() {
  return (
    <Page title={t('groups')} actions={<ToNewGroup />}>
      <GroupChats />
    </Page>
  )
}

/** Beside one of them. */
export function GroupsBeside() {
  return (
    <SideList title={t('groups')} href="/fez" actions={<ToNewGroup />}>
      <GroupChats start="joined" />
    </SideList>
  )
}

function ToNewGroup() {
  if (!mayWrite.value) return null
  return (
    <Link href="/fez/new" class="round plain" aria-label={t('newGroup')}>
      <PlusIcon />
    </Link>
  )
}

function GroupChats({ start = 'open' }: { start?: GroupList }) {
  const [which, setWhich] = useKept<GroupList>('which', askedList(groupLists, start))
  const [filter, setFilter] = useKept<GroupFilter>('filter', {
    ...noFilter,
    search: asked('search'),
  })
  const { data: settings } = useSettings()
  const set = (change: Partial<GroupFilter>) => setFilter((before) => ({ ...before, ...change }))
  const [onlyFavorites, setOnlyFavorites] = useKept('onlyFavorites', false)
  const drafts = useDrafts('fez')
  const mine = which === 'joined' || which === 'owner'
  const isFiltered = filter.search !== '' || filter.kind !== '' || filter.day !== ''
  const days = Array.from({ length: settings?.cruiseLengthInDays ?? 0 }, (_, day) => [String(day), t('day', { number: day + 1 })] as const)
  return (
    <>
      <Tabs label={t('groups')} value={which} options={groupLists.map((each) => [each, t(listTexts[each])])} change={setWhich} />
      {which !== 'former' && (
        <>
          <div class="narrowed">
            <SearchField label={t('searchGroups')} change={(search) => set({ search })} start={filter.search} />
            <ChoiceChip
              label={t('kind')}
              value={filter.kind}
              options={[['', t('anyKind')], ...groupKinds()]}
              change={(kind) => set({ kind })}
            />
            <ChoiceChip label={t('dayOfTrip')} value={filter.day} options={[['', t('anyDay')], ...days]} change={(day) => set({ day })} />
            {mine && (
              <button type="button" class="chip" aria-pressed={onlyFavorites} onClick={() => setOnlyFavorites(!onlyFavorites)}>
                {t('favorites')}
              </button>
            )}
          </div>
        </>
      )}
      <Answer of={useGroupList(which, filter)}>
        {({ fezzes }) => {
          const shown = favoritesFirst(fezzes).filter(({ members }) => !mine || !onlyFavorites || members?.isFavorite)
          if (shown.length === 0 && fezzes.length > 0) return <NoFavorites />
          return shown.length === 0 ? (
            <Empty title={t(isFiltered ? 'nothingFound' : emptyTexts[which])}>
              {!isFiltered && which !== 'former' && t('noGroupsText')}
            </Empty>
          ) : (
            <ul class="card">
              {shown.map((chat) => (
                <GroupRow key={chat.fezID} chat={chat} draft={drafts.get(chat.fezID)} />
              ))}
            </ul>
          )
        }}
      </Answer>
    </>
  )
}
