// One line of a list: a face or a time, two lines of text, and what stands at its end.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { t } from '../texts.ts'

interface RowProps {
  href: string
  lead?: ComponentChildren
  title: ComponentChildren
  sub?: ComponentChildren
  tail?: ComponentChildren
  /** In bold as long as there is something new in it. */
  fresh?: boolean
}

export function Row({ href, lead, title, sub, tail, fresh }: RowProps) {
  // In a list beside a page, one line leads to that page.
  return (
    <li class={fresh ? 'row fresh' : 'row'}>
      {lead}
      <Link href={href} class="row-text" {...(href === location.pathname && { 'aria-current': 'page' })}>
        <p>{title}</p>
        {sub && <small>{sub}</small>}
      </Link>
      {tail}
    </li>
  )
}

export function Badge({ count, label }: { count: number; label?: string }) {
  if (count <= 0) return null
  return (
    <b class="badge" aria-label={label ?? t('unread', { n: count })}>
      {count > 99 ? '99+' : count}
    </b>
  )
}
