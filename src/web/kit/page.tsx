// The frame of one page: its title, the way back, its actions, and what it holds.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { online } from '../client.ts'
import { hasPageBefore } from '../place.ts'
import { t } from '../texts.ts'
import { BackIcon, OfflineIcon } from './icon.tsx'
import { Toasts } from './toast.tsx'

interface PageProps {
  title: string
  /** A second line under the title. */
  sub?: ComponentChildren
  /** The page above this one, for those who have not come from inside. */
  back?: string
  actions?: ComponentChildren
  /** Stays at the lower edge: the field to write in. */
  foot?: ComponentChildren
  /** As wide as the screen lets it be. */
  wide?: boolean
  /** The page fills the window exactly and scrolls inside. */
  fixed?: boolean
  children: ComponentChildren
}

/** The page whose heading has had the focus. */
let focusedPath = location.pathname

/** A reader that speaks hears where it has come to. Who is already further on a page, while the rest of it comes, stays there. */
function focusFirst(heading: HTMLElement | null): void {
  if (focusedPath !== location.pathname || document.activeElement === document.body) heading?.focus({ preventScroll: true })
  focusedPath = location.pathname
}

/** How much waits for whoever looks at the window's title from elsewhere. */
export const waits = signal(0)

export function Page({ title, sub, back, actions, foot, wide, fixed, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const count = waits.value
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title === 'Quarterdeck' ? title : `${title} · Quarterdeck`}`
  }, [title, count])
  // Before anybody sees the page: what is pressed there at once would lose its focus again.
  useLayoutEffect(() => focusFirst(heading.current), [])
  return (
    <div class={['page', fixed && 'fixed', foot && 'writes', wide && 'broad'].filter(Boolean).join(' ')}>
      <header class="top">
        {back && (
          <Link href={back} class="round plain" aria-label={t('back')} onClick={goBack}>
            <BackIcon />
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1}>
          <span class="title">{title}</span>
          {sub && <span class="sub">{sub}</span>}
        </h1>
        {actions}
        <Toasts />
      </header>
      {!online.value && (
        <p class="offline" role="status">
          <OfflineIcon size={16} /> {t('offline')}
        </p>
      )}
      <main tabIndex={-1}>{children}</main>
      {foot}
    </div>
  )
}

/** The way one has come, where there is one: the page before is as it was left. */
function goBack(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !hasPageBefore()) return
  event.preventDefault()
  history.back()
}

/** A heading and what belongs under it. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
