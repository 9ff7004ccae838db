// The form of an announcement: of one of every day, and of the farewell.
import type { AnnouncementData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { fromShipTime } from '../kit/ship-time.ts'
import { clock, dayKey } from '../kit/time.ts'
import { toast } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { Decide } from './parts.tsx'
import { c } from './texts.ts'

const dayMs = 24 * 60 * 60_000

/** Announcements are others than before. */
export const announcementsChanged = () => refresh('console announcements', 'announcements', 'numbers', 'console event')

/** A moment as a field for date and time has it. */
const forField = (date: Date | string) => `${dayKey(date)}T${clock(date)}`

interface AnnouncementFormProps {
  /** The one to change; else it is a new one. */
  of?: AnnouncementData
  /** What a new one begins with. */
  draft?: { text: string; until: Date }
  title?: string
  close: () => void
}

/** Writes an announcement, or changes one. */
export function AnnouncementForm({ of, draft, title = c(of ? 'edit' : 'newAnnouncement'), close }: AnnouncementFormProps) {
  const known = of && Date.parse(of.displayUntil) > Date.now() ? of.displayUntil : draft?.until
  const { values, set, error, busy, submit } = useForm({
    text: of?.text ?? draft?.text ?? '',
    until: forField(known ?? new Date(Date.now() + dayMs)),
  })
  const announce = async () => {
    const data = { text: values.text, displayUntil: fromShipTime(values.until) }
    if (of) await client.notification.announcementEdit({ announcementID: of.id, ...data })
    else await once(client.notification.announcementCreate, data)
    toast(of ? c('saved') : c('announced'))
    announcementsChanged()
    close()
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit(announce)}>
        {!of && <p class="quiet">{c('announceHint')}</p>}
        <Field label={c('announcementText')} value={values.text} change={set('text')} rows={draft ? 9 : 4} error={errorOf(error, 'text')} />
        <Field
          label={c('shownUntil')}
          value={values.until}
          change={set('until')}
          input={{ type: 'datetime-local', required: true }}
          error={errorOf(error, 'displayUntil')}
        />
        <FormError error={error} fields={['text', 'displayUntil']} />
        <Decide label={of ? c('save') : c('announce')} disabled={busy} cancel={close} />
      </form>
    </Dialog>
  )
}
