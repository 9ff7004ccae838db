// On a desk: a list, and beside it what was opened from it.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'

const query = matchMedia('(min-width: 1000px)')
/** Wide enough for the places, a list and a page. */
export const isWide = signal(query.matches)
query.addEventListener('change', ({ matches }) => (isWide.value = matches))

/** The way back of a place that only a desk has room for beside the page: on a phone it stands in the list of all places. */
export const belowMore = (): { back?: string } => (isWide.value ? {} : { back: '/account' })

interface WithListProps {
  /** A `SideList`. It stays as it is while other pages of its own are opened. */
  list: ComponentChildren
  children: ComponentChildren
}

/** A page with the list that it belongs to, where there is room for both. */
export function WithList({ list, children }: WithListProps) {
  if (!isWide.value) return <>{children}</>
  return (
    <div class="with-list">
      {list || <div />}
      {children}
    </div>
  )
}

interface SideListProps {
  title: string
  /** The page of the list. */
  href: string
  actions?: ComponentChildren
  children: ComponentChildren
}

export function SideList({ title, href, actions, children }: SideListProps) {
  return (
    <section class="side-list" aria-label={title}>
      <header>
        <h2>
          <Link href={href}>{title}</Link>
        </h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
