// Short messages at the edge of the screen: a notice of the server, or how something ended.
import { signal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { sentenceOf } from '../client.ts'
import { queries } from '../store.ts'
import { t } from '../texts.ts'
import { CloseIcon } from './icon.tsx'

interface Toast {
  id: number
  text: string
  /** Where it leads. */
  href?: string
  wrong?: boolean
  /** What can be done about it, for as long as it is shown. */
  action?: { label: string; run: () => void }
}

const usualMs = 6000
const toasts = signal<readonly Toast[]>([])
let last = 0

export function toast(text: string, { shownMs = usualMs, ...more }: Omit<Toast, 'id' | 'text'> & { shownMs?: number } = {}): void {
  const id = ++last
  // One of each place: the last tells the most.
  const others = toasts.value.filter(({ href }) => href === undefined || href !== more.href)
  // Where something can be undone, nothing else takes its place.
  toasts.value = [...others.filter(({ action }, index) => action || index >= others.length - 2), { id, text, ...more }]
  setTimeout(() => dismiss(id), shownMs)
}

/**
 * Does something, and says so when it is refused, or when nobody knows what became of it: what is on the screen is then
 * perhaps out of date, and is read again. True when it was done.
 */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toast(sentenceOf(error), { wrong: true })
    void queries.invalidateQueries()
    return false
  }
}

/** Takes away what leads elsewhere: whoever goes somewhere has seen it. */
export function dismissLinks(): void {
  toasts.value = toasts.value.filter(({ href }) => href === undefined)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, href, wrong, action }) => (
        <div key={id} class={wrong ? 'toast wrong' : 'toast'}>
          {href ? (
            <Link href={href} onClick={() => dismiss(id)}>
              {text}
            </Link>
          ) : (
            <span>{text}</span>
          )}
          {action && (
            <button
              type="button"
              class="btn undo"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="round plain" aria-label={t('close')} onClick={() => dismiss(id)}>
            <CloseIcon size={18} />
          </button>
        </div>
      ))}
    </div>
  )
}
