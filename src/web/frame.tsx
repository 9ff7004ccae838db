// Around every page: where one can go, with the numbers of what waits there.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import {
  BoxIcon,
  ConsoleIcon,
  ForumsIcon,
  GamesIcon,
  GroupsIcon,
  KaraokeIcon,
  MenuIcon,
  MicroblogIcon,
  PerformersIcon,
  PersonIcon,
  PhotosIcon,
  HuntsIcon,
  ScheduleIcon,
  SearchIcon,
  SeamailIcon,
  TodayIcon,
} from './kit/icon.tsx'
import { Badge } from './kit/row.tsx'
import { lazy, withStyle } from './kit/lazy.tsx'
import { waits } from './kit/page.tsx'
import { FeatureGate, firstPart } from './switches/gate.tsx'
import { useNotices, useNumbers } from './notification/query.ts'
import { call } from './phone/state.ts'
import { isModerator, me } from './session.ts'
import { t, type TextKey } from './texts.ts'

const CallPanel = lazy(() => withStyle('pages', import('./pages.tsx')).then((all) => all.CallPanel), true)

/** A mouse comes with a keyboard. */
const hasKeyboard = matchMedia('(pointer: fine)').matches
const Keys = lazy(() => import('./keys/keys.tsx').then((all) => all.Keys), true)

/** The console has places of its own. */
export const ofConsole = /^\/(admin|moderator|reports|moderate|kiosk)(\/.*)?$/
const ConsolePlaces = lazy(() => import('./console/places.tsx').then((all) => all.ConsolePlaces), true)

interface Place {
  href: string
  label: TextKey
  Icon: typeof TodayIcon
  /** First parts of further paths that belong to it. */
  also?: string
  count?: number
}

/** `main`: the five in reach of a thumb. `more`: on the wide screen, and behind "More" on a phone. */
export function usePlaces(): { main: Place[]; more: Place[] } {
  const { data } = useNumbers()
  return {
    main: [
      { href: '/', label: 'today', Icon: TodayIcon, count: data?.newAnnouncementCount ?? 0 },
      { href: '/forums', label: 'forums', Icon: ForumsIcon, also: 'forum', count: data?.newForumMentionCount ?? 0 },
      {
        href: '/seamail',
        label: 'seamail',
        Icon: SeamailIcon,
        count: (data?.newSeamailMessageCount ?? 0) + (data?.addedToSeamailCount ?? 0),
      },
      {
        href: '/fez',
        label: 'groups',
        Icon: GroupsIcon,
        also: 'lfg',
        count: (data?.newFezMessageCount ?? 0) + (data?.addedToLFGCount ?? 0),
      },
      { href: '/events', label: 'schedule', Icon: ScheduleIcon, also: 'photographers dayplanner privateevent' },
    ],
    more: [
      { href: '/search', label: 'search', Icon: SearchIcon },
      { href: '/tweets', label: 'microblog', Icon: MicroblogIcon, count: data?.newTwarrtMentionCount ?? 0 },
      { href: '/directory', label: 'people', Icon: PersonIcon, also: 'profile' },
      { href: '/boardgames', label: 'games', Icon: GamesIcon },
      { href: '/karaoke', label: 'karaoke', Icon: KaraokeIcon, also: 'microkaraoke microkaraokesong' },
      { href: '/performers', label: 'performers', Icon: PerformersIcon, also: 'performer' },
      { href: '/photostream', label: 'photostream', Icon: PhotosIcon },
      { href: '/quartermaster', label: 'quartermaster', Icon: BoxIcon },
      { href: '/hunts', label: 'hunts', Icon: HuntsIcon, also: 'hunt puzzle' },
      ...(isModerator.value
        ? [{ href: '/reports', label: 'console', Icon: ConsoleIcon, count: data?.moderatorData?.openReportCount ?? 0 } as const]
        : me.value?.roles.includes('accountmanager')
          ? [{ href: '/kiosk', label: 'desk', Icon: ConsoleIcon } as const]
          : []),
      {
        href: '/account',
        label: 'more',
        Icon: MenuIcon,
        also: 'createAltAccount barrels blocks mutes favorites notices alertwords mutewords about help faq codeOfConduct time map',
      },
    ],
  }
}

export function Frame({ children }: { children: ComponentChildren }) {
  const [path] = useLocation()
  if (!me.value) {
    return <div class="frame alone">{children}</div>
  }
  return <SignedInFrame path={path}>{children}</SignedInFrame>
}

function SignedInFrame({ path, children }: { path: string; children: ComponentChildren }) {
  const { main, more } = usePlaces()
  useNotices(path)
  const count = [...main, ...more].reduce((sum, place) => sum + (place.count ?? 0), 0)
  useEffect(() => void (waits.value = count), [count])
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        {t('skip')}
      </button>
      {isModerator.value && ofConsole.test(path) ? (
        <ConsolePlaces />
      ) : (
        <nav class="places" aria-label={t('places')}>
          <Link href="/" class="brand">
            <img src="/icon.svg" alt="" width={28} height={28} /> Quarterdeck
          </Link>
          {main.map((place) => (
            <PlaceLink key={place.href} place={place} path={path} />
          ))}
          <hr />
          {more.map((place) => (
            <PlaceLink key={place.href} place={place} path={path} extra />
          ))}
        </nav>
      )}
      <FeatureGate path={path}>{children}</FeatureGate>
      {call.value && <CallPanel />}
      {hasKeyboard && !ofConsole.test(path) && <Keys />}
    </div>
  )
}

function PlaceLink({ place: { href, label, Icon, also, count = 0 }, path, extra }: { place: Place; path: string; extra?: boolean }) {
  const part = firstPart(path)
  const here = part === firstPart(href) || (also?.split(' ').includes(part) ?? false)
  // Each number that changes draws all places again.
  const icon = useMemo(() => <Icon size={24} />, [Icon])
  return (
    <Link href={href} class={extra ? 'extra' : ''} {...(here && { 'aria-current': 'page' })}>
      {icon}
      <Badge count={count} />
      <span>{t(label)}</span>
    </Link>
  )
}
