// What people said about the events that they held or attended: read, marked, taken along as a file; and posters for rooms.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventFeedbackReport } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { Section } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { c } from '../team/texts.ts'
import { csvFile } from './csv.ts'
import { useKept } from '../place.ts'

type View = 'all' | 'marked'

export function FeedbackReports() {
  const [view, setView] = useKept<View>('view', 'all')
  const [words, setWords] = useState('')
  const reports = useQuery({ queryKey: ['console feedback'], queryFn: () => client.admin.feedbackReports() })
  const fits = (report: EventFeedbackReport) =>
    (view === 'all' || report.adminFields?.actionable === true) && textOf(report).toLowerCase().includes(words.toLowerCase())
  return (
    <ConsolePage
      title={c('feedback')}
      actions={
        <button
          type="button"
          class="chip"
          disabled={!reports.data?.length}
          onClick={() => csvFile('feedback.csv', linesOf(reports.data ?? []))}
        >
          {c('feedback.file')}
        </button>
      }
    >
      <div class="no-print">
        <Figures />
        <Tabs
          label={c('feedback')}
          value={view}
          options={[
            ['all', c('feedback.all')],
            ['marked', c('feedback.marked')],
          ]}
          change={setView}
        />
        <SearchField label={c('feedback.search')} change={setWords} />
        <Answer of={reports}>
          {(all) => {
            const shown = all.filter(fits)
            if (shown.length === 0) return <Empty title={c(all.length === 0 ? 'feedback.none' : 'feedback.noneFits')} />
            return shown.map((report) => <Report key={report.id} report={report} />)
          }}
        </Answer>
      </div>
      <Poster />
    </ConsolePage>
  )
}

const textOf = ({ eventTitle, eventLocation, hostName, recapString, issuesString, reportingUser }: EventFeedbackReport) =>
  [eventTitle, eventLocation, hostName, recapString, issuesString, reportingUser.username].join('\n')

function Figures() {
  const stats = useQuery({ queryKey: ['console feedback', 'stats'], queryFn: () => client.admin.feedbackStats() })
  return (
    <Answer of={stats} rows={1}>
      {({ totalShadowEvents, completedShadowEvents, totalFeedbackReports, uniqueEventsWithFeedback }) => (
        <dl class="tiles after-tabs">
          {(
            [
              ['feedback.events', totalShadowEvents],
              ['feedback.over', completedShadowEvents],
              ['feedback.given', totalFeedbackReports],
              ['feedback.covered', uniqueEventsWithFeedback],
            ] as const
          ).map(([label, value]) => (
            <div key={label} class="card pad tile">
              <dt>{c(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Answer>
  )
}

function Report({ report }: { report: EventFeedbackReport }) {
  const { id = '', event, eventTitle, eventLocation, eventTime, hostName, attendance, recapString, issuesString } = report
  const { reportingUser, reportModDate, adminFields } = report
  const isMarked = adminFields?.actionable ?? false
  const mark = () =>
    attempt(async () => {
      await (isMarked ? client.admin.removeFeedbackReportMark({ feedback_id: id }) : client.admin.feedbackReportMark({ feedback_id: id }))
      refresh('console feedback')
    })
  return (
    <article class="card pad about">
      <p class="headline">{event ? <Link href={`/events/${event.eventID}`}>{eventTitle}</Link> : eventTitle}</p>
      <p class="quiet">
        {fullDay(eventTime)}, {clock(eventTime)} · {eventLocation}
        {!event && ` · ${c('feedback.gone')}`}
      </p>
      <p class="quiet">
        {[
          hostName && c('feedback.host', { name: hostName }),
          attendance && c('feedback.came', { text: attendance }),
          adminFields && c('feedback.follow', { n: adminFields.followCount }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {recapString && <p class="words">{recapString}</p>}
      {issuesString && (
        <p class="words warn">
          <b>{c('feedback.issues')}</b> {issuesString}
        </p>
      )}
      <Link class="author" href={`/profile/${encodeURIComponent(reportingUser.username)}`}>
        <Face user={reportingUser} small />
        <span>
          <b>{nameOf(reportingUser)}</b>
          {reportModDate && <small>{when(reportModDate)}</small>}
        </span>
      </Link>
      <p class="buttons">
        <button type="button" class="btn quiet" aria-pressed={isMarked} onClick={() => void mark()}>
          {c(isMarked ? 'feedback.unmark' : 'feedback.mark')}
        </button>
        <Link class="btn quiet" href={`/seamail/new?as=serviceteam&to=${reportingUser.userID}`}>
          {c('feedback.write')}
        </Link>
        {adminFields?.forumID && (
          <Link class="btn quiet" href={`/forum/${adminFields.forumID}`}>
            {c('feedback.forum', { n: adminFields.forumPostCount })}
          </Link>
        )}
      </p>
    </article>
  )
}

function linesOf(reports: readonly EventFeedbackReport[]): string[][] {
  const head = ['event', 'place', 'time', 'host', 'attendance', 'recap', 'issues', 'by', 'marked', 'followers'] as const
  return [
    head.map((name) => c(`feedback.column.${name}`)),
    ...reports.map((report) => [
      report.eventTitle,
      report.eventLocation,
      `${fullDay(report.eventTime)}, ${clock(report.eventTime)}`,
      report.hostName,
      report.attendance,
      report.recapString,
      report.issuesString,
      report.reportingUser.username,
      c(report.adminFields?.actionable ? 'yes' : 'no'),
      String(report.adminFields?.followCount ?? 0),
    ]),
  ]
}

/** A sheet for the door of a room: whoever scans it chooses among the events that were there last. */
function Poster() {
  const rooms = useQuery({ queryKey: ['console feedback', 'rooms'], queryFn: () => client.admin.feedbackRoomlist() })
  const [chosen, setRoom] = useState('')
  const room = chosen || rooms.data?.[0]
  if (!room) return null
  return (
    <Section title={c('feedback.poster')}>
      <div class="card pad no-print">
        <p class="quiet">{c('feedback.posterText')}</p>
        <Choice
          label={c('feedback.room')}
          value={room}
          options={(rooms.data ?? []).map((each) => [each, each] as const)}
          change={setRoom}
        />
        <button type="button" class="btn" onClick={() => print()}>
          {c('print')}
        </button>
      </div>
      <div class="poster">
        <h2>{c('feedback.posterTitle')}</h2>
        <p>{room}</p>
        <QrCode text={`${location.origin}/eventfeedback?room=${encodeURIComponent(room)}`} />
        <p>{c('feedback.posterHint')}</p>
      </div>
    </Section>
  )
}
