// The queue: on a wide screen the list beside the content, all of it by keyboard. What is shown stays where it is: others may
// close it meanwhile, and no key may then act on what would come into its place.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { ReportGroupData } from '../../sdk/client.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c } from '../team/texts.ts'
import { client } from '../client.ts'
import { ChoiceChip } from '../kit/choice.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { me } from '../session.ts'
import { queries } from '../store.ts'
import { closeReports, closingOf, closingText, Content, kindName, setState, takeReports } from './content.tsx'
import { kinds, useQueue, type Kind, type Moderated, type QueueView, type Settable } from './query.ts'
import { useKept } from '../place.ts'

const keyOf = ({ type, reportedID }: ReportGroupData) => `${type} ${reportedID}`
const wide = () => matchMedia('(min-width: 1100px)').matches
const stateKeys: Readonly<Record<string, Settable>> = { q: 'quarantined', r: 'reviewed', l: 'locked', n: 'normal' }

/** What came into the place of another by itself takes no key at first: the hand may still be at the one before. */
const surpriseMs = 400

/** A line of the list. `isGone`: it is no longer in this part of the queue, since others have taken or closed it. */
interface Line {
  group: ReportGroupData
  isGone: boolean
}

/** What the list shows. */
interface Shown {
  view: QueueView
  isFresh: boolean
  lines: Line[]
  /** What the viewer has closed, with the number of reports on it then: a further one opens it again. */
  done: Map<string, number>
}

/** What is on the screen stays in its place; what is new comes behind it. */
function keptInPlace({ lines, done }: Shown, groups: readonly ReportGroupData[]): Line[] {
  const now = new Map(groups.map((group) => [keyOf(group), group]))
  for (const [key, reports] of done) if (now.get(key)?.reports.length === reports) now.delete(key)
  const known = lines.map(({ group }): Line => {
    const newer = now.get(keyOf(group))
    now.delete(keyOf(group))
    return newer ? { group: newer, isGone: false } : { group, isGone: !isOwn(group) }
  })
  return [...known, ...Array.from(now.values(), (group) => ({ group, isGone: false }))]
}

const knownOf = ({ type, reportedID }: ReportGroupData) => queries.getQueryData<Moderated | null>(['console moderated', type, reportedID])

/** The viewer has it: it has left a part of the queue, and is still theirs to work on. */
const isOwn = (group: ReportGroupData): boolean =>
  knownOf(group)?.reports.some(({ isClosed, handledBy }) => !isClosed && handledBy?.userID === me.value?.userID) ?? false

export function Reports() {
  const [params] = useSearchParams()
  const [view, setView] = useKept<QueueView>('view', {
    which: params.get('part') === 'closed' ? 'closed' : 'now',
    type: '',
    sort: 'waiting',
  })
  const [chosen, setChosen] = useState<string>()
  const queue = useQueue(view)
  const begunMs = useRef(Date.now())
  const isFresh = queue.dataUpdatedAt >= begunMs.current
  const shown = useRef<Shown>({ view, isFresh, lines: [], done: new Map() })
  // What an earlier look has left is no list to work on.
  if (shown.current.view !== view || shown.current.isFresh !== isFresh) shown.current = { view, isFresh, lines: [], done: new Map() }
  if (queue.data) shown.current.lines = keptInPlace(shown.current, queue.data.groups)
  const all = shown.current.lines
  const current = all.find(({ group }) => keyOf(group) === chosen) ?? all.find(({ isGone }) => !isGone)
  const currentKey = current && keyOf(current.group)
  const surprisedMs = useRef(-surpriseMs)
  // The first is chosen as soon as it is shown: no other takes its place.
  useEffect(() => setChosen(currentKey), [currentKey])
  const goTo = (line: Line | undefined) => {
    // Whoever goes on has seen what is gone.
    shown.current.lines = shown.current.lines.filter((each) => !each.isGone || each === line)
    surprisedMs.current = -surpriseMs
    setChosen(line && keyOf(line.group))
  }
  /** Those after a line, nearest first, and those before it. */
  const around = (key: string | undefined) => {
    const index = shown.current.lines.findIndex(({ group }) => keyOf(group) === key)
    const isThere = ({ isGone }: Line) => !isGone
    return {
      after: shown.current.lines.slice(index + 1).filter(isThere),
      before: shown.current.lines.slice(0, Math.max(0, index)).toReversed().filter(isThere),
    }
  }
  const step = (by: number) => {
    const [next] = around(currentKey)[by > 0 ? 'after' : 'before']
    if (next) goTo(next)
  }
  /** After one's own close: on to the next, or to the one before where there is none. */
  const closed = (group: ReportGroupData) => {
    if (view.which === 'closed') return
    const { after, before } = around(keyOf(group))
    shown.current.done.set(keyOf(group), group.reports.length)
    shown.current.lines = shown.current.lines.filter((line) => keyOf(line.group) !== keyOf(group))
    goTo(after[0] ?? before[0])
    surprisedMs.current = performance.now()
  }
  // What one has just taken may have left the list before that is known here.
  const isLost = () => current?.isGone === true && !isOwn(current.group)
  const mayAct = () => isFresh && !isLost() && performance.now() - surprisedMs.current > surpriseMs
  useKeys(current, { mayAct, step, closed })
  const change = (more: Partial<QueueView>) => {
    setView((before) => ({ ...before, ...more }))
    setChosen(undefined)
  }
  const gone = useGone(all)
  return (
    <ConsolePage title={c('reports')}>
      <Tabs
        label={c('reports')}
        value={view.which}
        options={[
          ['now', c('queueNow')],
          ['nobody', c('takenByNobody')],
          ['mine', c('queueMine')],
          ['closed', c('queueClosed')],
        ]}
        change={(which) => change({ which })}
      />
      <div class="chips">
        <ChoiceChip
          label={c('kindOfReported')}
          value={view.type}
          options={[['', c('anyKind')], ...kinds.map((kind) => [kind, c(`kind.${kind}`)] as const)]}
          change={(type) => change({ type })}
        />
        <ChoiceChip
          label={c('sortBy')}
          value={view.sort}
          options={(['waiting', 'newest', 'reports'] as const).map((sort) => [sort, c(`queueSort.${sort}`)] as const)}
          change={(sort) => change({ sort })}
        />
      </div>
      <Answer of={queue}>
        {({ paginator }) =>
          all.length === 0 ? (
            view.which === 'now' && view.type === '' ? (
              <Empty title={c('queueEmpty')}>{c('queueEmptyText')}</Empty>
            ) : (
              <Empty title={c('queueNothing')} />
            )
          ) : (
            <div class="panes">
              <div>
                <ul class="card" aria-label={c('reports')}>
                  {all.map((line) => (
                    <li key={keyOf(line.group)}>
                      <Group line={line} gone={gone} isCurrent={line === current} choose={() => goTo(line)} />
                    </li>
                  ))}
                </ul>
                {paginator.total > all.length && <p class="quiet pad">{c('queueMore', { n: paginator.total - all.length })}</p>}
                <p class="quiet pad keys">{c('keysText')}</p>
              </div>
              {current && (
                <div class="pane-detail" aria-live="polite">
                  {current.isGone && (
                    <p class="note" role="alert">
                      {c('goneText', { end: endOf(current, gone) })}
                    </p>
                  )}
                  <Content
                    key={keyOf(current.group)}
                    kind={current.group.type}
                    id={current.group.reportedID}
                    reports={current.group.reports}
                    version={current.group.version}
                    closed={() => closed(current.group)}
                  />
                </div>
              )}
            </div>
          )
        }
      </Answer>
    </ConsolePage>
  )
}

/** What has become of lines that are gone, by key: the newest of what is closed. */
function useGone(all: readonly Line[]): ReadonlyMap<string, ReportGroupData> {
  const isAny = all.some(({ isGone }) => isGone)
  const { data } = useQueue({ which: 'closed', type: '', sort: 'waiting' }, isAny)
  return new Map(isAny ? data?.groups.map((group) => [keyOf(group), group]) : [])
}

/** Why a line is gone. */
function endOf({ group }: Line, gone: ReadonlyMap<string, ReportGroupData>): string {
  const closed = gone.get(keyOf(group))
  if (!closed) return c('goneState')
  const known = knownOf(group)
  const { reports, lastAct } = closed
  return closingText((known && closingOf(known)) ?? (closingOf({ reports, acts: lastAct ? [lastAct] : [] }) || 'unknown'))
}

interface GroupProps {
  line: Line
  gone: ReadonlyMap<string, ReportGroupData>
  isCurrent: boolean
  choose: () => void
}

function Group({ line, gone, isCurrent, choose }: GroupProps) {
  const [, go] = useLocation()
  const { group, isGone } = line
  const { type, reportedID, reportedUser, reports, state, handledBy, lastReport, excerpt, image, place, moderationStatus, isDeleted } =
    group
  const message = reports.find(({ submitterMessage }) => submitterMessage)?.submitterMessage
  const isHidden = moderationStatus === 'quarantined' || moderationStatus === 'autoQuarantined'
  return (
    <a
      href={`/moderate/${type}/${encodeURIComponent(reportedID)}`}
      class={isGone ? 'group reported gone' : 'group reported'}
      {...(isCurrent && wide() && { 'aria-current': 'true' })}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (wide()) choose()
        else go(`/moderate/${type}/${encodeURIComponent(reportedID)}`)
      }}
    >
      <Face user={reportedUser} />
      <span class="grow">
        <b>{c('reportedTimes', { n: reports.length, kind: kindName(type, place?.kind) })}</b>
        {excerpt && <span class="excerpt">{excerpt}</span>}
        <small>
          {place && type !== 'fez' && type !== 'privateEvent' && `${placeText(place)} · `}
          {c('ownedBy', { name: nameOf(reportedUser), time: when(lastReport) })}
        </small>
        {message && <small>{c('quoted', { text: message.slice(0, 120) })}</small>}
        <small>
          {isGone
            ? endOf(line, gone)
            : state === 'closed'
              ? endOf(line, new Map([[keyOf(group), group]]))
              : handledBy
                ? c('takenBy', { name: nameOf(handledBy) })
                : c('takenByNobody')}
          {isDeleted ? ` · ${c('isDeleted')}` : isHidden && ` · ${c('state.quarantined')}`}
        </small>
      </span>
      {image && <img class="thumb" src={client.image.thumb.url({ image_filename: image })} alt="" width={48} height={48} loading="lazy" />}
      <span class={`dot ${isGone ? 'closed' : state}`} aria-hidden="true" />
    </a>
  )
}

/** Where something stands. */
const placeText = ({ kind, title }: NonNullable<ReportGroupData['place']>) => c(`place.${kind}`, { title })

interface Hands {
  /** False while no key may act on the current one. */
  mayAct: () => boolean
  step: (by: number) => void
  closed: (group: ReportGroupData) => void
}

/** So many keys may wait for the one before: on a bad network nobody is to be surprised by what was pressed long ago. */
const mostWaiting = 2

/** One key for each thing that is done again and again: to what is shown, as it is shown, one after the other. */
function useKeys(current: Line | undefined, { mayAct, step, closed }: Hands): void {
  const lastAct = useRef(Promise.resolve())
  const waiting = useRef(0)
  const now = useRef({ current, mayAct })
  now.current = { current, mayAct }
  useEffect(() => {
    const act = async (key: string, group: ReportGroupData) => {
      // A hand is faster than a network: meanwhile another may have come into its place, or others have closed it.
      const shown = now.current.current
      if (!shown || keyOf(shown.group) !== keyOf(group) || !now.current.mayAct()) return
      const content = knownOf(group)
      // Nothing is shown of it yet.
      if (content === undefined) return
      const open = (content?.reports ?? group.reports).find(({ isClosed }) => !isClosed)
      const version = content?.version ?? group.version
      const state = stateKeys[key]
      if (key === 't' && open) await takeReports(open.id, version)
      if (key === 'c' && open && (await closeReports(open.id, version))) closed(group)
      if (state && content?.set) await setState(content, state)
    }
    const pressed = ({ key, target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || isTyping(target) || document.querySelector('dialog[open]')) return
      if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
      else if (current && !repeat && waiting.current < mostWaiting && mayAct()) {
        waiting.current++
        lastAct.current = lastAct.current.then(() => act(key, current.group)).finally(() => waiting.current--)
      }
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

/** One reported thing on a page of its own: for phones, and for links. */
export function Moderate({ kind, id }: { kind: string; id: string }) {
  return (
    <ConsolePage title={c(`kind.${kind as Kind}`)} back="/reports">
      <div class="after-tabs">
        <Content kind={kind as Kind} id={id} />
      </div>
    </ConsolePage>
  )
}
