// The queue: on a wide screen the list beside the content, all of it by keyboard.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { ReportGroupData } from '../../sdk/client.ts'
import { ConsolePage } from '../admin/parts.tsx'
import { c } from '../admin/texts.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { queries } from '../store.ts'
import { closeReports, Content, setState, takeReports } from './content.tsx'
import { useQueue, type Kind, type Moderated, type Queue, type Settable } from './query.ts'

const keyOf = ({ type, reportedID }: ReportGroupData) => `${type} ${reportedID}`
const wide = () => matchMedia('(min-width: 1100px)').matches
const stateKeys: Readonly<Record<string, Settable>> = { q: 'quarantined', r: 'reviewed', l: 'locked', n: 'normal' }

export function Reports() {
  const [which, setWhich] = useState<Queue>('now')
  const [chosen, setChosen] = useState<string>()
  const queue = useQueue(which)
  const groups = queue.data?.groups ?? []
  const index = Math.max(
    0,
    groups.findIndex((group) => keyOf(group) === chosen),
  )
  const current = groups[index]
  useKeys(current, (step) => {
    const next = groups[Math.min(groups.length - 1, Math.max(0, index + step))]
    if (next) setChosen(keyOf(next))
  })
  return (
    <ConsolePage title={c('reports')}>
      <Tabs
        label={c('reports')}
        value={which}
        options={[
          ['now', c('queueNow')],
          ['closed', c('queueClosed')],
        ]}
        change={(next) => {
          setWhich(next)
          setChosen(undefined)
        }}
      />
      <Answer of={queue}>
        {(known) =>
          known.groups.length === 0 ? (
            which === 'now' ? (
              <Empty title={c('queueEmpty')}>{c('queueEmptyText')}</Empty>
            ) : (
              <Empty title={c('queueNothing')} />
            )
          ) : (
            <div class="panes">
              <div>
                <ul class="card" aria-label={c('reports')}>
                  {known.groups.map((group) => (
                    <li key={keyOf(group)}>
                      <Group group={group} isCurrent={group === current} choose={() => setChosen(keyOf(group))} />
                    </li>
                  ))}
                </ul>
                <p class="quiet pad keys">{c('keysText')}</p>
              </div>
              {current && (
                <div class="pane-detail" aria-live="polite">
                  <Content key={keyOf(current)} kind={current.type} id={current.reportedID} reports={current.reports} />
                </div>
              )}
            </div>
          )
        }
      </Answer>
    </ConsolePage>
  )
}

function Group({ group, isCurrent, choose }: { group: ReportGroupData; isCurrent: boolean; choose: () => void }) {
  const [, go] = useLocation()
  const { type, reportedID, reportedUser, reports, state, handledBy, lastReport } = group
  const message = reports.find(({ submitterMessage }) => submitterMessage)?.submitterMessage
  return (
    <a
      href={`/moderate/${type}/${encodeURIComponent(reportedID)}`}
      class="group"
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
        <b>{c('reportedTimes', { n: reports.length, kind: c(`kind.${type}`) })}</b>
        <small>{c('ownedBy', { name: nameOf(reportedUser), time: when(lastReport) })}</small>
        {message && <small>{c('quoted', { text: message.slice(0, 120) })}</small>}
        <small>{state === 'closed' ? c('closedState') : handledBy ? c('takenBy', { name: nameOf(handledBy) }) : c('takenByNobody')}</small>
      </span>
      <span class={`dot ${state}`} aria-hidden="true" />
    </a>
  )
}

/** One key for each thing that is done again and again. */
function useKeys(current: ReportGroupData | undefined, step: (by: number) => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || isTyping(target) || document.querySelector('dialog[open]')) return
      if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
      if (!current) return
      const open = current.reports.find(({ isClosed }) => !isClosed)
      if (key === 't' && open) void takeReports(open.id)
      if (key === 'c' && open) void closeReports(open.id)
      const state = stateKeys[key]
      const content = queries.getQueryData<Moderated | null>(['console moderated', current.type, current.reportedID])
      if (state && content?.set) void setState(content, state)
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
