// What the host has switched off: a page that says so, in place of one whose every request is refused.
import type { ComponentChildren } from 'preact'
import { isClosed } from '../client.ts'
import { lazy } from '../kit/lazy.tsx'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { useNumbers } from '../notification/query.ts'
import { me } from '../session.ts'
import { t } from '../texts.ts'

const Closed = lazy<{ part: string; children: ComponentChildren }>(() => import('./closed.tsx').then((all) => all.Closed), true)

/** The server's name of the switch, by the first part of a path. The first page is always there. */
const features: Readonly<Record<string, string>> = {
  forum: 'forums',
  forums: 'forums',
  tweets: 'tweets',
  seamail: 'seamail',
  fez: 'friendlyfez',
  lfg: 'friendlyfez',
  events: 'schedule',
  directory: 'users',
  profile: 'users',
  boardgames: 'gameslist',
  karaoke: 'karaoke',
  microkaraoke: 'microkaraoke',
  microkaraokesong: 'microkaraoke',
  hunt: 'hunts',
  hunts: 'hunts',
  puzzle: 'hunts',
  photostream: 'photostream',
  quartermaster: 'quartermaster',
  performer: 'performers',
  performers: 'performers',
  privateevent: 'personalevents',
}

const featureOf = (path: string) => (/^\/events\/.*\/feedback/.test(path) ? 'eventFeedback' : features[firstPart(path)])

/** The first part of a path names what it is about. */
export const firstPart = (path: string): string => path.split('/')[1] ?? ''

/** The server's names of this app and of all. */
const apps = new Set(['swiftarr', 'all'])

/** A test for what the host has switched off for this viewer. */
export function useOffFeatures(): (feature: string) => boolean {
  const { data } = useNumbers()
  const disabled = ['tho', 'admin'].includes(me.value?.accessLevel ?? '') ? [] : (data?.disabledFeatures ?? [])
  return (feature) => disabled.some(({ appName, featureName }) => apps.has(appName) && (featureName === feature || featureName === 'all'))
}

/** True while the host has it switched off for this viewer. */
export const useIsOff = (feature: string): boolean => useOffFeatures()(feature)

export function FeatureGate({ path, children }: { path: string; children: ComponentChildren }) {
  const feature = featureOf(path)
  const isOff = useIsOff(feature ?? '')
  const { error } = useNumbers()
  if (isClosed(error)) return <Closed part={firstPart(path)}>{children}</Closed>
  if (feature === undefined || !isOff) return <>{children}</>
  return (
    <Page title={t('switchedOff')} back="/">
      <Empty title={t('switchedOffTitle')}>{t('switchedOffText')}</Empty>
    </Page>
  )
}
