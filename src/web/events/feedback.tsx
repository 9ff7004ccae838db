// Feedback on an event, for the team: who held or attended one says how it went.
import { useLocation } from 'wouter-preact'
import type { EventData, EventFeedbackReport } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Page } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { isHeldByUsers } from './parts.tsx'

/** True for events that feedback is wanted on. */
export const wantsFeedback = (event: EventData): boolean => isHeldByUsers(event) && Date.parse(event.startTime) < Date.now()

export function Feedback({ id }: { id: string }) {
  // An event is found by its id, too.
  const report = useQuery({ queryKey: ['feedback', id], queryFn: () => client.feedback.uid({ event_uid: id }) })
  return (
    <Page title={t('feedback')} back={`/events/${id}`}>
      <Answer of={report}>{(known) => <Form known={known} back={`/events/${id}`} />}</Answer>
    </Page>
  )
}

const lineLength = 1000
const textLength = 20_000

type Typed = Pick<EventFeedbackReport, 'hostName' | 'attendance' | 'recapString' | 'issuesString'>

function Form({ known, back }: { known: EventFeedbackReport; back: string }) {
  const { id, event: about, eventTitle, eventLocation, eventTime } = known
  const { values, set, error, busy, submit } = useForm<Typed>(known)
  const { hostName, attendance, recapString, issuesString } = values
  const [, navigate] = useLocation()
  const give = async () => {
    const content = { eventTitle, eventLocation, eventTime, hostName, attendance, recapString, issuesString }
    await client.feedback.give({ ...(about && { eventUID: about.uid }), ...content })
    toast(t('feedbackSent'))
    refresh('feedback')
    navigate(back)
  }
  return (
    <form class="card pad about" onSubmit={submit(give)}>
      <p class="headline">{eventTitle}</p>
      <p class="quiet">
        {fullDay(eventTime)}, {clock(eventTime)} · {eventLocation}
      </p>
      <p class="quiet">{t(id ? 'feedbackAgain' : 'feedbackText')}</p>
      <Field
        label={t('heldBy')}
        value={hostName}
        change={set('hostName')}
        error={errorOf(error, 'hostName')}
        input={{ maxLength: lineLength }}
      />
      <Field
        label={t('attendance')}
        hint={t('attendanceHint')}
        value={attendance}
        change={set('attendance')}
        error={errorOf(error, 'attendance')}
        input={{ maxLength: lineLength }}
      />
      <Field
        label={t('recap')}
        rows={4}
        value={recapString}
        change={set('recapString')}
        error={errorOf(error, 'recapString')}
        input={{ maxLength: textLength }}
      />
      <Field
        label={t('issues')}
        rows={3}
        value={issuesString}
        change={set('issuesString')}
        error={errorOf(error, 'issuesString')}
        input={{ maxLength: textLength }}
      />
      <FormError error={error} fields={['hostName', 'attendance', 'recapString', 'issuesString']} />
      <div class="buttons">
        <button type="submit" class="btn" disabled={busy}>
          {t(busy ? 'sending' : 'send')}
        </button>
      </div>
    </form>
  )
}
