// All places of the console: on a phone not all of them fit at the lower edge.
import { Link } from 'wouter-preact'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Section } from '../kit/page.tsx'
import { Badge } from '../kit/row.tsx'
import { ConsolePage } from '../team/parts.tsx'
import { useConsolePlaces } from './places.tsx'
import { c } from '../team/texts.ts'

export function Menu() {
  const mine = useConsolePlaces()
  return (
    <ConsolePage title={c('menu')}>
      {mine.map(({ label: group, places }) => (
        <Section key={group} title={c(group)}>
          <ul class="card">
            {places.map(({ href, label, Icon, count = 0 }) => (
              <li key={href} class="line-item">
                <Link href={href}>
                  <Icon size={20} />
                  <span>{c(label)}</span>
                  <Badge count={count} />
                  <OpenIcon size={18} />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      <ul class="card after-tabs">
        <li class="line-item">
          <Link href="/help/host">
            <span>{c('handbook')}</span>
            <OpenIcon size={18} />
          </Link>
        </li>
        <li class="line-item">
          <Link href="/">
            <span>{c('backAboard')}</span>
            <OpenIcon size={18} />
          </Link>
        </li>
      </ul>
    </ConsolePage>
  )
}
