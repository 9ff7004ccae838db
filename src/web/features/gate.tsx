// What the host has switched off: a page that says so, in place of one whose every request is refused.
import type { ComponentChildren } from 'preact'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { useNumbers } from '../notification/query.ts'
import { me } from '../session.ts'
import { t } from '../texts.ts'

/** Paths of each switch, by the server's names. The first page is always there. */
const features: readonly (readonly [RegExp, string])[] = [
  [/^\/forums?(\/|$)/, 'forums'],
  [/^\/tweets/, 'tweets'],
  [/^\/seamail/, 'seamail'],
  [/^\/(fez|lfg)(\/|$)/, 'friendlyfez'],
  [/^\/events\/[^/]+\/feedback/, 'eventFeedback'],
  [/^\/events/, 'schedule'],
  [/^\/(directory|profile)/, 'users'],
  [/^\/boardgames/, 'gameslist'],
  [/^\/karaoke/, 'karaoke'],
  [/^\/microkaraoke/, 'microkaraoke'],
  [/^\/(hunts?|puzzle)(\/|$)/, 'hunts'],
  [/^\/photostream/, 'photostream'],
  [/^\/performers?(\/|$)/, 'performers'],
  [/^\/privateevent/, 'personalevents'],
]

/** The server's names of this app and of all. */
const apps = new Set(['swiftarr', 'all'])

/** True while the host has it switched off for this viewer. */
export function useIsOff(feature: string): boolean {
  const { data } = useNumbers()
  if (['tho', 'admin'].includes(me.value?.accessLevel ?? '')) return false
  return (data?.disabledFeatures ?? []).some(
    ({ appName, featureName }) => apps.has(appName) && (featureName === feature || featureName === 'all'),
  )
}

export function FeatureGate({ path, children }: { path: string; children: ComponentChildren }) {
  const feature = features.find(([paths]) => paths.test(path))?.[1]
  const isOff = useIsOff(feature ?? '')
  if (feature === undefined || !isOff) return <>{children}</>
  return (
    <Page title={t('switchedOff')} back="/">
      <Empty title={t('switchedOffTitle')}>{t('switchedOffText')}</Empty>
    </Page>
  )
}
