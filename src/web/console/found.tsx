// What a check has found, in the reader's language, and where something can be done about it.
import { Link } from 'wouter-preact'
import type { CheckData } from '../../sdk/client.ts'
import { clock, fullDay } from '../kit/time.ts'
import { locale } from '../texts.ts'
import { c, type ConsoleText } from '../team/texts.ts'

export const number = (value: number) => new Intl.NumberFormat(locale(), { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)

/** Where something can be done about a check, or where it says how. */
export const places: Readonly<Record<string, string>> = {
  reports: '/reports',
  jobs: '/admin/jobs',
  schedule: '/admin/schedule',
  codes: '/admin/codes',
  backups: '/admin/backups',
  trip: '/admin/event',
  accounts: '/admin/users',
  content: '/help/hosts',
  passwords: '/help/hosts',
  address: '/help/hosts',
  tls: '/help/hosts',
  certificate: '/help/hosts',
  disk: '/help/hosts',
  memory: '/help/hosts',
  'open-files': '/help/hosts',
  clock: '/help/hosts',
  redis: '/help/hosts',
  dialect: '/help/hosts',
  processes: '/help/hosts',
  workers: '/help/hosts',
  speed: '/admin',
}

/** The name of a check, or the server's own word for one that has none here. */
export const checkName = (name: string): string => {
  const key = `check.${name}`
  const found = c(key as ConsoleText)
  return found === key ? name : found
}

/** What a check has found, in the reader's language: the texts of the others name it by its code. */
export function saidBy({ sentence, mend, code, values = '{}' }: Pick<CheckData, 'sentence' | 'mend' | 'code' | 'values'>): {
  sentence: string
  mend?: string | undefined
} {
  const key = `found.${code}`
  const named = JSON.parse(values) as Record<string, string | number>
  const local = Object.entries(named).map(([name, value]) => [name, typeof value === 'number' ? number(value) : valueOf(name, value)])
  const said = c(key as ConsoleText, Object.fromEntries(local) as Record<string, string>)
  if (said === key) return { sentence, mend }
  const [first = said, rest] = said.split(' | ')
  return { sentence: first, mend: rest }
}

const valueOf = (name: string, value: string): string =>
  name === 'now' ? `${fullDay(value)}, ${clock(value)}` : name === 'start' || name === 'day' ? fullDay(`${value}T12:00`) : value

export function CheckLine({ check }: { check: CheckData }) {
  const { name, state } = check
  const { sentence, mend } = saidBy(check)
  const href = state === 'good' ? undefined : places[name]
  return (
    <li class="check">
      <span class={`dot ${state}`} aria-hidden="true" />
      <p class="grow">
        <span class="unseen">{c(`state.${state}`)}: </span>
        <b>{checkName(name)}</b> {sentence}
        {mend && <small> {mend}</small>}
      </p>
      {href && <Link href={href}>{c('lookThere')}</Link>}
    </li>
  )
}
