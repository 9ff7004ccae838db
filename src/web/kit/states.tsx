// What is shown in place of a list: nothing there, not there yet, or not to be had.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { isForVerified, online, sentenceOf } from '../client.ts'
import { t } from '../texts.ts'
import { clock } from './time.ts'

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children && <small>{children}</small>}
    </div>
  )
}

/** Grey lines where a list will be. Only shown when nothing is known of it. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div class="card loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="row">
          <span class="face" />
          <div>
            <span class="line" />
            <span class="line short" />
          </div>
        </div>
      ))}
    </div>
  )
}

export function Failure({ error, again }: { error: unknown; again: () => void }) {
  if (isForVerified(error))
    return (
      <div class="empty" role="status">
        <p>{t('forVerified')}</p>
        <Link href="/account" class="btn">
          {t('enterCode')}
        </Link>
      </div>
    )
  return (
    <div class="empty" role="alert">
      <p>{sentenceOf(error)}</p>
      <button type="button" class="btn quiet" onClick={again}>
        {t('again')}
      </button>
    </div>
  )
}

interface Result<T> {
  data: T | undefined
  error: unknown
  dataUpdatedAt: number
  refetch: () => unknown
}

/** Shows an answer, however old: with the time of it when a newer one could not be had. */
export function Answer<T>({ of, rows, children }: { of: Result<T>; rows?: number; children: (data: T) => ComponentChildren }) {
  if (of.data === undefined) {
    if (of.error) return <Failure error={of.error} again={() => void of.refetch()} />
    return online.value ? <Loading {...(rows && { rows })} /> : <Empty title={t('notKept')}>{t('notKeptText')}</Empty>
  }
  return (
    <>
      {of.error !== null && of.error !== undefined && (
        <p class="as-of" role="status">
          {t('asOf', { time: clock(new Date(of.dataUpdatedAt).toISOString()) })}
        </p>
      )}
      {children(of.data)}
    </>
  )
}
