// What stands in place of every page while the host keeps people out: until when, and what can be done meanwhile.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { Page } from '../kit/page.tsx'
import { fullDay } from '../kit/time.ts'
import { useNumbers } from '../notification/query.ts'
import { me } from '../session.ts'
import { useSettings } from '../settings/query.ts'
import { addTexts, t } from '../texts.ts'
import en from '../texts/closed.en.json'

declare module '../texts.ts' {
  interface Books {
    closed: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/closed.de.json') } })

/** First parts of paths that need no server behind them, and those that work during pre-registration. */
const always = new Set(['about', 'help', 'faq', 'codeOfConduct', 'map'])
const before = new Set(['account', 'events', 'performer', 'performers', 'time'])

/** The page, where that works all the same; else why not. `part`: the first of its path. */
export function Closed({ part, children }: { part: string; children: ComponentChildren }) {
  const { data: settings } = useSettings()
  const { refetch } = useNumbers()
  if (always.has(part) || (settings?.enablePreregistration && before.has(part))) return <>{children}</>
  return (
    <Page title={t(isEarly(settings?.cruiseStartDate) ? 'closed.early' : 'closed.title')}>
      <div class="card pad about">
        <WhenOpen />
        {settings?.enablePreregistration && (
          <>
            <p class="headline">{t('closed.prepare')}</p>
            <p class="buttons">
              <Link class="btn quiet" href="/account/profile">
                {t('closed.profile')}
              </Link>
              <Link class="btn quiet" href="/events">
                {t('schedule')}
              </Link>
              <Link class="btn quiet" href="/performers">
                {t('performers')}
              </Link>
            </p>
          </>
        )}
        <p class="buttons">
          <button type="button" class="btn" onClick={() => void refetch()}>
            {t('again')}
          </button>
          <Link class="btn quiet" href="/help">
            {t('closed.help')}
          </Link>
        </p>
      </div>
    </Page>
  )
}

const isEarly = (start: string | undefined) => start !== undefined && Date.parse(start) > Date.now()

/** When people get in; also for somebody who is not signed in. */
export function WhenOpen() {
  const { data: settings } = useSettings()
  if (!settings) return null
  const early = isEarly(settings.cruiseStartDate)
  return (
    <p role="status">
      {early ? t('closed.begins', { day: fullDay(settings.cruiseStartDate) }) : t('closed.forNow')}
      {me.value && !early && ` ${t('closed.looksAgain')}`}
    </p>
  )
}
