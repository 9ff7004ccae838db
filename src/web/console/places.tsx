// Where one can go in the console: what the reader may not open is not there.
import './calls.ts'
import { Fragment } from 'preact'
import { Link, useLocation } from 'wouter-preact'
import { MenuIcon } from '../kit/icon.tsx'
import { Badge } from '../kit/row.tsx'
import { useNumbers } from '../notification/query.ts'
import * as icons from './icon.tsx'
import { mayDo, type Level, type Role } from '../team/rights.ts'
import '../team/style.ts'
import { c, type ConsoleText } from '../team/texts.ts'

interface ConsolePlace {
  href: string
  label: ConsoleText
  Icon: typeof icons.ReportsIcon
  from: Level
  /** Opens it below that level, too. */
  role?: Role
  /** Paths that belong to it. */
  below?: RegExp
  count?: number
}

/** What belongs together, in the order in which it is looked for. */
const groups: readonly { label: ConsoleText; places: readonly ConsolePlace[] }[] = [
  {
    label: 'group.now',
    places: [
      { href: '/admin', label: 'dashboard', Icon: icons.DashboardIcon, from: 'serviceteam', below: /^\/admin\/(checks|report|incidents)/ },
      { href: '/admin/event', label: 'eventLife', Icon: icons.LifeIcon, from: 'serviceteam', below: /^\/admin\/end/ },
      { href: '/reports', label: 'reports', Icon: icons.ReportsIcon, from: 'moderator', below: /^\/moderate\// },
    ],
  },
  {
    label: 'group.people',
    places: [
      { href: '/admin/users', label: 'people', Icon: icons.PeopleIcon, from: 'moderator', below: /^\/admin\/users\// },
      { href: '/moderator', label: 'log', Icon: icons.LogIcon, from: 'moderator' },
      { href: '/admin/templates', label: 'templates', Icon: icons.TemplatesIcon, from: 'moderator' },
      { href: '/admin/codes', label: 'codes', Icon: icons.CodesIcon, from: 'serviceteam' },
      { href: '/kiosk', label: 'desk', Icon: icons.DeskIcon, from: 'serviceteam', role: 'accountmanager' },
    ],
  },
  {
    label: 'group.aboard',
    places: [
      { href: '/admin/announcements', label: 'announcements', Icon: icons.AnnouncementsIcon, from: 'serviceteam' },
      { href: '/admin/schedule', label: 'schedule', Icon: icons.ScheduleIcon, from: 'serviceteam' },
      { href: '/admin/categories', label: 'categories', Icon: icons.CategoriesIcon, from: 'moderator' },
      { href: '/admin/themes', label: 'themes', Icon: icons.ThemesIcon, from: 'tho' },
      { href: '/admin/games', label: 'libraries', Icon: icons.LibrariesIcon, from: 'admin' },
      { href: '/admin/performers', label: 'performers', Icon: icons.PerformersIcon, from: 'serviceteam' },
      { href: '/admin/microkaraoke', label: 'microKaraoke', Icon: icons.SongsIcon, from: 'moderator' },
      { href: '/admin/feedback', label: 'feedback', Icon: icons.FeedbackIcon, from: 'serviceteam' },
      { href: '/admin/hunts', label: 'hunts', Icon: icons.HuntsIcon, from: 'serviceteam', role: 'huntmanager', below: /^\/admin\/hunts\// },
    ],
  },
  {
    label: 'group.server',
    places: [
      { href: '/admin/settings', label: 'settings', Icon: icons.SettingsIcon, from: 'serviceteam' },
      { href: '/admin/texts', label: 'texts', Icon: icons.TextsIcon, from: 'serviceteam', below: /^\/admin\/texts\// },
      { href: '/admin/timezones', label: 'zones', Icon: icons.ZonesIcon, from: 'serviceteam' },
      { href: '/admin/jobs', label: 'jobs', Icon: icons.JobsIcon, from: 'serviceteam' },
      { href: '/admin/errors', label: 'errors', Icon: icons.ErrorsIcon, from: 'serviceteam' },
      { href: '/admin/backups', label: 'backups', Icon: icons.BackupsIcon, from: 'admin' },
      { href: '/admin/retention', label: 'retention', Icon: icons.RetentionIcon, from: 'admin' },
      { href: '/admin/webhooks', label: 'webhooks', Icon: icons.WebhooksIcon, from: 'admin' },
      { href: '/admin/moving', label: 'moving', Icon: icons.MovingIcon, from: 'admin' },
      { href: '/admin/audit', label: 'audit', Icon: icons.AuditIcon, from: 'admin' },
    ],
  },
]

/** All that the reader may open, by what belongs together. */
export function useConsolePlaces() {
  const { data } = useNumbers()
  const open = data?.moderatorData?.openReportCount ?? 0
  return groups.flatMap(({ label, places }) => {
    const mine = places
      .filter(({ from, role }) => mayDo(from, role))
      .map((place) => (place.href === '/reports' ? { ...place, count: open } : place))
    return mine.length > 0 ? [{ label, places: mine }] : []
  })
}

/** How many fit beside "All" at the lower edge of a phone. */
const inReach = 4

export function ConsolePlaces() {
  const [path] = useLocation()
  const mine = useConsolePlaces()
  const inReachOf = new Set(mine.flatMap(({ places }) => places.map(({ href }) => href)).slice(0, inReach))
  return (
    <nav class="places" aria-label={c('places')}>
      <Link href="/" class="brand">
        <img src="/icon.svg" alt="" width={28} height={28} /> {c('console')}
      </Link>
      {mine.map(({ label: group, places }) => (
        <Fragment key={group}>
          <p class="extra group-name">{c(group)}</p>
          {places.map(({ href, label, Icon, below, count = 0 }) => {
            const here = path === href || (below?.test(path) ?? false)
            return (
              <Link key={href} href={href} class={inReachOf.has(href) ? '' : 'extra'} {...(here && { 'aria-current': 'page' })}>
                <Icon size={24} />
                <Badge count={count} />
                <span>{c(label)}</span>
              </Link>
            )
          })}
        </Fragment>
      ))}
      <Link href="/admin/menu" class="narrow" {...(path === '/admin/menu' && { 'aria-current': 'page' })}>
        <MenuIcon size={24} />
        <span>{c('all')}</span>
      </Link>
      <hr />
      <Link href="/" class="extra">
        <icons.BackAboardIcon size={24} />
        <span>{c('backAboard')}</span>
      </Link>
    </nav>
  )
}
