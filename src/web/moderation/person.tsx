// The person behind something: their record, and what can be done about them.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { BanData, UserHeader } from '../../sdk/client.ts'
import { mayDo, levelOf } from '../team/rights.ts'
import { Decide, levelName } from '../team/parts.tsx'
import { c, type ConsoleText } from '../team/texts.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { usePerson } from './query.ts'
import { WriteDialog } from './templates.tsx'
import { hideAllOf, UnderWay } from './written.tsx'

type Person = NonNullable<ReturnType<typeof usePerson>['data']>

const moment = (date: string) => `${fullDay(date)}, ${clock(date)}`

/** After anything that was done to a person. */
const changed = () => refresh('console person', 'console queue', 'console moderated', 'console users')

export function PersonCard({ id, link = true }: { id: string; link?: boolean }) {
  const person = usePerson(id)
  // Their own page has no link to itself.
  const title = c(link ? 'author' : 'person')
  return (
    <section class="card pad" aria-label={title}>
      <h3>{title}</h3>
      <Answer of={person} rows={1}>
        {(known) => <Known id={id} person={known} link={link} />}
      </Answer>
    </section>
  )
}

function Known({ id, person, link }: { id: string; person: Person; link: boolean }) {
  const { header, subAccounts, accessLevel, tempQuarantineEndTime, reports, ban, actions, filedReports } = person
  const others = [header, ...subAccounts].filter(({ userID }) => userID !== id)
  const level = levelOf(accessLevel)
  return (
    <>
      <div class="author">
        <Face user={header} />
        <span>
          <b>{nameOf(header)}</b>
          <small>@{header.username}</small>
        </span>
      </div>
      <p class="tags">
        <span class={level === 'banned' ? 'tag bad' : level === 'verified' ? 'tag' : 'tag warning'}>{levelName(level)}</span>
        {tempQuarantineEndTime && <span class="tag warning">{c('quarantineUntil', { time: moment(tempQuarantineEndTime) })}</span>}
        <span class="tag">{c('reportsAgainst', { n: reports.length })}</span>
        <span class="tag">{c('filed', { n: filedReports })}</span>
      </p>
      {ban && <Ban ban={ban} />}
      {others.length > 0 && (
        <p class="quiet">
          {c('otherAccounts')}: {others.map(({ username }) => `@${username}`).join(', ')}
        </p>
      )}
      <ul class="said-by quiet">
        {actions.length === 0 && <li>{c('noActions')}</li>}
        {actions.slice(0, 5).map(({ id: key, moderator, actionType, contentType, timestamp }) => (
          <li key={key}>
            {when(timestamp)}: {nameOf(moderator)} {c(`act.${actionType}` as ConsoleText)}: {c(`kind.${contentType}`)}
          </li>
        ))}
      </ul>
      <PersonDeeds id={id} person={person} link={link} />
      <UnderWay />
    </>
  )
}

function Ban({ ban: { reason, until, bannedBy, createdAt } }: { ban: BanData }) {
  return (
    <div class="quote">
      <b>{until ? c('bannedUntil', { time: moment(until) }) : c('bannedForGood')}</b>
      <p class="words">{reason}</p>
      <small>{c('bannedBy', { name: nameOf(bannedBy), time: when(createdAt) })}</small>
    </div>
  )
}

function PersonDeeds({
  id,
  person: { header, accessLevel, tempQuarantineEndTime, ban, mayStop },
  link,
}: {
  id: string
  person: Person
  link: boolean
}) {
  const [open, setOpen] = useState<'ban' | 'stop' | 'pause' | 'write'>()
  const user_id = id
  const level = levelOf(accessLevel)
  const close = () => setOpen(undefined)
  const endPause = () =>
    attempt(async () => {
      await client.mod.userTempquarantine({ user_id, quarantine_length: 0, basedOn: tempQuarantineEndTime ?? 'none' })
      changed()
    })
  const endBan = () =>
    attempt(async () => {
      await client.mod.removeUserBan({ user_id })
      toast(c('unbanned', { name: nameOf(header) }))
      changed()
    })
  const isMember = ['moderator', 'serviceteam', 'tho', 'admin', 'client'].includes(level)
  return (
    <div class="deeds">
      {link && (
        <Link class="btn quiet" href={`/admin/users/${id}`}>
          {c('personPage')}
        </Link>
      )}
      <Link class="btn quiet" href={`/moderator/written/${id}`}>
        {c('written.title')}
      </Link>
      <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen('write')}>
        {c('writeTo')} …
      </button>
      {!isMember && level !== 'banned' && (
        <button type="button" class="btn quiet" onClick={() => (tempQuarantineEndTime ? void endPause() : setOpen('pause'))}>
          {tempQuarantineEndTime ? c('endPause') : c('pause')}
        </button>
      )}
      {mayDo('tho') && !isMember && level !== 'banned' && (
        <button type="button" class="btn grave" aria-haspopup="dialog" onClick={() => setOpen('ban')}>
          {c('ban')} …
        </button>
      )}
      {mayStop && !mayDo('tho') && !isMember && level !== 'banned' && (
        <button type="button" class="btn grave" aria-haspopup="dialog" onClick={() => setOpen('stop')}>
          {c('stop')} …
        </button>
      )}
      {mayDo('tho') && level === 'banned' && (
        <button type="button" class="btn quiet" onClick={() => void endBan()}>
          {c('unban')}
        </button>
      )}
      {open === 'ban' && <BanDialog user={header} id={id} seen={ban} close={close} />}
      {open === 'stop' && <BanDialog user={header} id={id} seen={ban} close={close} brief />}
      {open === 'write' && <WriteDialog user={header} close={close} />}
      {open === 'pause' && <PauseDialog user={header} id={id} close={close} />}
    </div>
  )
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const ends = { forGood: 0, night: dayMs / 3, day: dayMs, threeDays: 3 * dayMs, week: 7 * dayMs } as const
type End = keyof typeof ends

const briefEnds = (): [End, string][] => [
  ['night', c('stopNight')],
  ['day', c('banDay')],
]
const longEnds = (): [End, string][] => [
  ['day', c('banDay')],
  ['threeDays', c('banThreeDays')],
  ['week', c('banWeek')],
  ['forGood', c('banForGood')],
]

interface AboutPersonProps {
  user: UserHeader
  id: string
  close: () => void
}

/**
 * `seen`: the ban that is there already; when it is another one by now, the server refuses. `brief`: by a moderator on duty, for a day at
 * most.
 */
function BanDialog({ user, id, seen, close, brief = false }: AboutPersonProps & { seen: BanData | undefined; brief?: boolean }) {
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<End>('day')
  const [hides, setHides] = useState(true)
  const [error, setError] = useState<unknown>()
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const until = ends[end] > 0 ? new Date(Date.now() + ends[end]).toISOString() : undefined
      if (brief) await client.mod.userStop({ user_id: id, reason, hours: ends[end] / hourMs })
      else await client.mod.userBan({ user_id: id, reason, basedOn: seen?.createdAt ?? null, ...(until && { until }) })
      toast(c('banned', { name: nameOf(user) }))
      changed()
      close()
      if (hides) void attempt(() => hideAllOf(id))
    } catch (refused) {
      setError(refused)
      changed()
    }
  }
  return (
    <Dialog title={c(brief ? 'stopName' : 'banName', { name: nameOf(user) })} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="quiet">{c(brief ? 'stopText' : 'banText')}</p>
        <Field label={c('reason')} value={reason} change={setReason} rows={3} hint={c('reasonHint')} error={errorOf(error, 'reason')} />
        <Choice label={c('banEnds')} value={end} options={brief ? briefEnds() : longEnds()} change={setEnd} />
        <label class="tick">
          <input type="checkbox" checked={hides} onChange={({ currentTarget }) => setHides(currentTarget.checked)} />
          {c('written.withBan')}
        </label>
        <FormError error={error} fields={['reason']} />
        <Decide label={c(brief ? 'stop' : 'ban')} grave cancel={close} />
      </form>
    </Dialog>
  )
}

function PauseDialog({ user, id, close }: AboutPersonProps) {
  const give = async (hours: number) => {
    const done = await attempt(async () => {
      // It is offered for those who have none.
      await client.mod.userTempquarantine({ user_id: id, quarantine_length: hours, basedOn: 'none' })
      changed()
    })
    if (done) close()
  }
  return (
    <Dialog title={`${c('pause')}: ${nameOf(user)}`} close={close}>
      <p class="quiet">{c('pauseText')}</p>
      <div class="buttons">
        {[1, 6, 24, 72].map((hours) => (
          <button key={hours} type="button" class="btn quiet" onClick={() => void give(hours)}>
            {c('hoursCount', { n: hours })}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
