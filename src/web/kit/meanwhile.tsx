// Somebody else has changed what one is changing: theirs is shown before one's own can be sent.
import type { ComponentChildren } from 'preact'
import { QuarterdeckError } from '../../sdk/client.ts'

/** The server has not written it, because somebody else was faster. */
export const isLate = (error: unknown): error is QuarterdeckError => error instanceof QuarterdeckError && error.code === 'changed_meanwhile'

interface MeanwhileProps {
  /** Who, when. */
  title: string
  keepLabel: string
  keep: () => void
  takeLabel: string
  take: () => void
  /** What it is by now. */
  children: ComponentChildren
}

/** What it is by now, and which of the two is to stay. */
export function Meanwhile({ title, keepLabel, keep, takeLabel, take, children }: MeanwhileProps) {
  return (
    <section class="meanwhile" role="alert">
      <b>{title}</b>
      {children}
      <div class="deeds tight">
        <button type="button" class="btn quiet" onClick={take}>
          {takeLabel}
        </button>
        <button type="button" class="btn quiet" onClick={keep}>
          {keepLabel}
        </button>
      </div>
    </section>
  )
}
