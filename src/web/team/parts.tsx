// What more than one page of the console shows.
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useState } from 'preact/hooks'
import type { UserHeader } from '../../sdk/client.ts'
import { nameOf } from '../kit/face.tsx'
import { Asked } from './for-all.tsx'
import { Meanwhile } from '../kit/meanwhile.tsx'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { clock } from '../kit/time.ts'
import { mayDo, type Level, type Role } from './rights.ts'
import './style.ts'
import { c, type ConsoleText } from './texts.ts'

interface ConsolePageProps {
  title: string
  sub?: ComponentChildren
  back?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page of the console. */
export const ConsolePage = ({ children, ...props }: ConsolePageProps) => (
  <Page wide {...props}>
    {children}
    <Asked />
  </Page>
)

interface OthersProps {
  /** What the page asks about, and who has changed it when. */
  by?: UserHeader | undefined
  at?: string | undefined
  form: { isLate: boolean; keep: () => void; clear: () => void }
  children: ComponentChildren
}

/** In a form: somebody else has changed what it is about since the first word was typed. */
export function Others({ by, at, form: { isLate, keep, clear }, children }: OthersProps) {
  if (!isLate) return null
  const title =
    by && at ? c('meanwhile.by', { name: nameOf(by), time: clock(at) }) : at ? c('meanwhile.at', { time: clock(at) }) : c('meanwhile')
  return (
    <Meanwhile title={title} keepLabel={c('meanwhile.keep')} keep={keep} takeLabel={c('meanwhile.take')} take={clear}>
      {children}
    </Meanwhile>
  )
}

/** A page for this level and above, or for a role; anybody else reads which level it needs, and nothing is asked of the server. */
export function onlyFrom<P extends object>(
  level: Level,
  title: ConsoleText,
  Component: FunctionComponent<P>,
  role?: Role,
): FunctionComponent<P> {
  return function Guarded(props: P) {
    if (mayDo(level, role)) return <Component {...props} />
    return (
      <ConsolePage title={c(title)}>
        <Empty title={c('noRight')}>{c('noRightText', { level: levelName(level) })}</Empty>
      </ConsolePage>
    )
  }
}

/** A level, as people call it. */
export const levelName = (level: Level): string => c(`level.${level}` as ConsoleText)

/** A role, as people call it. */
export const roleName = (role: Role): string => c(`role.${role}`)

interface DecideProps {
  label: string
  /** Absent: it submits the form around it. */
  act?: () => void
  /** It takes something away. */
  grave?: boolean
  disabled?: boolean
  cancel: () => void
}

/** The end of a dialog: back, or do it. */
export function Decide({ label, act, grave = false, disabled = false, cancel }: DecideProps) {
  return (
    <div class="buttons">
      <button type="button" class="btn quiet" onClick={cancel}>
        {c('cancel')}
      </button>
      <button type={act ? 'button' : 'submit'} class={grave ? 'btn grave' : 'btn'} disabled={disabled} {...(act && { onClick: act })}>
        {label}
      </button>
    </div>
  )
}

interface PagerProps {
  start: number
  size: number
  total: number
  change: (start: number) => void
}

/** To the page before and the one after. */
export function Pager({ start, size, total, change }: PagerProps) {
  if (total <= size) return null
  return (
    <div class="pager">
      <button type="button" class="btn quiet" disabled={start === 0} onClick={() => change(Math.max(0, start - size))}>
        {c('previous')}
      </button>
      <span class="quiet">
        {start + 1}–{Math.min(total, start + size)} / {total}
      </span>
      <button type="button" class="btn quiet" disabled={start + size >= total} onClick={() => change(start + size)}>
        {c('next')}
      </button>
    </div>
  )
}

interface FileFieldProps {
  label: string
  hint: string
  accept: string
  /** Gets the text of the file, and the file for those that are no text. */
  choose: (text: string, file: File) => Promise<void>
}

/** A file that is chosen or dropped. */
export function FileField({ label, hint, accept, choose }: FileFieldProps) {
  const [over, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    if (file) await choose(await file.text(), file)
  }
  return (
    <label
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer?.files[0])
      }}
    >
      <b>{label}</b>
      <small>{hint}</small>
      <input
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0])
          // The same file again, once it was mended.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

interface NamesProps {
  title: string
  names: readonly string[]
  kind?: 'new' | 'gone' | 'changed'
  /** How many there are, where only the first are named. */
  count?: number
}

/** What a file adds, removes or changes, by name; open when there are few. */
export function Names({ title, names, kind, count = names.length }: NamesProps) {
  if (count === 0) return null
  return (
    <details class="filters" open={count <= 20}>
      <summary>{title}</summary>
      <ul class="said-by small">
        {names.map((name, index) => (
          <li key={index}>{kind === 'gone' ? <del>{name}</del> : kind === 'new' ? <ins>{name}</ins> : name}</li>
        ))}
        {count > names.length && <li class="quiet">…</li>}
      </ul>
    </details>
  )
}
