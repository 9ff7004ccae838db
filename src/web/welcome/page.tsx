// The first look: what there is, notices, the home screen. Three pages at most, each of which can be skipped.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ForumsIcon, GroupsIcon, ScheduleIcon, SeamailIcon } from '../kit/icon.tsx'
import { Page } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { install, installWay } from '../install.ts'
import { Outside } from '../notification/page.tsx'
import { obstacle } from '../notification/wishes.ts'
import { addTexts, t, type TextKey } from '../texts.ts'
import en from '../texts/welcome.en.json'

declare module '../texts.ts' {
  interface Books {
    welcome: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/welcome.de.json') } })

const places = [
  [ScheduleIcon, 'welcome.schedule'],
  [GroupsIcon, 'welcome.groups'],
  [SeamailIcon, 'welcome.seamail'],
  [ForumsIcon, 'welcome.forums'],
] as const satisfies readonly (readonly [typeof ScheduleIcon, TextKey])[]

interface Step {
  title: string
  content: ComponentChildren
}

/** Those that mean something on this device. */
function stepsOf(): Step[] {
  const way = installWay()
  return [
    { title: t('welcome.title'), content: <Places /> },
    ...(obstacle() ? [] : [{ title: t('welcome.notices'), content: <Outside /> }]),
    ...(way === 'none' ? [] : [{ title: t('welcome.install'), content: <Install way={way} /> }]),
  ]
}

export function FirstLook() {
  const [, go] = useLocation()
  const [steps] = useState(stepsOf)
  const [at, setAt] = useState(0)
  const step = steps[at]
  const isLast = at >= steps.length - 1
  const leave = () => go('/', { replace: true })
  return (
    <Page
      key={at}
      title={step?.title ?? ''}
      sub={steps.length > 1 && t('welcome.step', { at: at + 1, of: steps.length })}
      actions={
        !isLast && (
          <button type="button" class="btn quiet" onClick={leave}>
            {t('welcome.skip')}
          </button>
        )
      }
    >
      <div class="after-tabs">{step?.content}</div>
      <p class="links">
        <button type="button" class="btn" onClick={() => (isLast ? leave() : setAt(at + 1))}>
          {t(isLast ? 'welcome.begin' : 'welcome.next')}
        </button>
      </p>
    </Page>
  )
}

function Places() {
  return (
    <ul class="card pad welcome">
      {places.map(([Icon, text]) => (
        <li key={text} class="fact">
          <Icon size={22} /> {t(text)}
        </li>
      ))}
    </ul>
  )
}

function Install({ way }: { way: 'offer' | 'share' }) {
  const [isDone, setDone] = useState(false)
  const add = () => void attempt(async () => setDone(await install()))
  return (
    <div class="card pad about">
      <p>{t('welcome.installText')}</p>
      {way === 'share' && <p>{t('welcome.installShare')}</p>}
      {way === 'offer' && !isDone && (
        <p class="buttons">
          <button type="button" class="btn quiet" onClick={add}>
            {t('welcome.installNow')}
          </button>
        </p>
      )}
      <p role="status">{isDone && t('welcome.installed')}</p>
    </div>
  )
}
