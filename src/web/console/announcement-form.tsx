// The form of an announcement: of one of every day, and of the farewell.
import type { AnnouncementData, PlannedAnnouncementData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { fromShipTime } from '../kit/ship-time.ts'
import { clock, dayKey, fullDay } from '../kit/time.ts'
import { me } from '../session.ts'
import { refresh } from '../store.ts'
import { Decide, Others } from '../team/parts.tsx'
import { Reached, Readers, said } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

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
  const start = {
    text: of?.text ?? draft?.text ?? '',
    from: '',
    until: forField(known ?? new Date(Date.now() + dayMs)),
    as: 'self' as Voice,
  }
  const form = useForm(start, of && versionOf(of))
  const { values, set, error, busy, submit, isLate } = form
  const announce = async () => {
    const data = { text: values.text, displayUntil: fromShipTime(values.until), ...(values.as !== 'self' && { postAsUser: values.as }) }
    if (of ? await edit(of, data) : await (values.from ? plan({ ...data, showAt: fromShipTime(values.from) }) : create(data))) close()
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit(announce)}>
        {of && (
          <Others at={of.updatedAt} form={form}>
            <p class="words">{of.text}</p>
            <p class="quiet">
              {of.isDeleted ? c('takenBack') : c('until', { time: `${fullDay(of.displayUntil)}, ${clock(of.displayUntil)}` })}
            </p>
          </Others>
        )}
        {!of && <p class="quiet">{c('announceHint')}</p>}
        <Field label={c('announcementText')} value={values.text} change={set('text')} rows={draft ? 9 : 4} error={errorOf(error, 'text')} />
        {!of && (
          <Field
            label={c('shownFrom')}
            value={values.from}
            change={set('from')}
            hint={c('shownFromHint')}
            input={{ type: 'datetime-local' }}
            error={errorOf(error, 'showAt')}
          />
        )}
        <Field
          label={c('shownUntil')}
          value={values.until}
          change={set('until')}
          input={{ type: 'datetime-local', required: true }}
          error={errorOf(error, 'displayUntil')}
        />
        {!of && (
          <Choice<Voice>
            label={c('announce.as')}
            value={values.as}
            options={voices().map((each) => [each, c(`announce.as.${each}`)])}
            change={set('as')}
          />
        )}
        <FormError error={isLate ? undefined : error} fields={['text', 'showAt', 'displayUntil']} />
        <Decide label={of ? c('save') : c(values.from ? 'plan' : 'announce')} disabled={busy || isLate} cancel={close} />
      </form>
    </Dialog>
  )
}

interface Content {
  text: string
  displayUntil: string
  postAsUser?: string
}

/** In whose name. */
type Voice = 'self' | 'serviceteam' | 'tho' | 'admin'

/** Those that the viewer may speak in. */
function voices(): Voice[] {
  const level = me.value?.accessLevel
  if (level === 'admin') return ['self', 'serviceteam', 'tho', 'admin']
  return level === 'tho' ? ['self', 'tho', 'admin'] : ['self', 'serviceteam', 'admin']
}

/** The edit and the taking back, too. */
const versionOf = ({ updatedAt }: AnnouncementData) => updatedAt

/** Asks first; true when it is out. */
const create = (data: Content) =>
  forAll({
    title: c('askAnnounce'),
    Whom: Readers,
    text: (
      <>
        <blockquote class="quote words">{data.text}</blockquote>
        <p>{c('announceUndo')}</p>
      </>
    ),
    label: c('announce'),
    run: async () => {
      const before = await client.notification.announcements({ inactives: true })
      await once(client.notification.announcementCreate, data)
      announcementsChanged()
      const after = await client.notification.announcements({ inactives: true })
      return after.find(({ id, text }) => text === data.text && !before.some((each) => each.id === id))
    },
    said: c('announced'),
    undo: async (made) => {
      if (made) await client.notification.removeAnnouncement({ announcementID: made.id, basedOn: made.updatedAt })
      announcementsChanged()
    },
  })

/** Asks first; true when it is planned. */
const plan = (data: Content & { showAt: string }) =>
  forAll({
    title: c('askPlan', { time: `${fullDay(data.showAt)}, ${clock(data.showAt)}` }),
    Whom: Readers,
    text: <blockquote class="quote words">{data.text}</blockquote>,
    label: c('plan'),
    run: () => watched(() => once(client.admin.setAnnouncementsPlanned, data)),
    said: c('planned'),
    undo: ({ plannedID }) => unplanned(plannedID),
  })

const unplanned = (planned_id: string) => watched(() => client.admin.removeAnnouncementsPlanned({ planned_id }))

/** Asks first, and takes one back that is still to come. */
export const unplan = ({ plannedID, author, plannedBy, text, showAt, displayUntil }: PlannedAnnouncementData) =>
  forAll({
    title: c('askUnplan'),
    Whom: said(c('reach.nobody')),
    text: <blockquote class="quote words">{text}</blockquote>,
    label: c('delete'),
    grave: true,
    run: () => unplanned(plannedID),
    said: c('takenBack'),
    undo: () =>
      watched(() =>
        client.admin.setAnnouncementsPlanned({
          text,
          showAt,
          displayUntil,
          ...(author.userID !== plannedBy.userID && { postAsUser: author.username }),
        }),
      ),
  })

const edit = (of: AnnouncementData, data: Content) =>
  forAll({
    title: c('askEdit'),
    Whom: Reached,
    text: (
      <>
        <blockquote class="quote words">{data.text}</blockquote>
        {of.isDeleted && <p>{c('editShowsAgain')}</p>}
      </>
    ),
    label: c('save'),
    run: () => written(of, data),
    said: c('saved'),
    undo: (now) =>
      of.isDeleted || Date.parse(of.displayUntil) <= Date.now()
        ? takenBack(now)
        : written(now, { text: of.text, displayUntil: of.displayUntil }),
  })

/** Asks first, and takes it back. */
export const takeBack = (of: AnnouncementData) =>
  forAll({
    title: c('askTakeBack'),
    Whom: Reached,
    text: <blockquote class="quote words">{of.text}</blockquote>,
    label: c('takeBack'),
    grave: true,
    run: async () => {
      await takenBack(of)
      return await client.notification.announcement({ announcementID: of.id })
    },
    said: c('takenBack'),
    undo: (now) => written(now, { text: of.text, displayUntil: of.displayUntil }),
  })

const written = ({ id, updatedAt }: AnnouncementData, data: Content) =>
  watched(() => client.notification.announcementEdit({ announcementID: id, ...data, basedOn: updatedAt }))

const takenBack = ({ id, updatedAt }: AnnouncementData) =>
  watched(() => client.notification.removeAnnouncement({ announcementID: id, basedOn: updatedAt }))

/** What came of it is on the screen, also when somebody else was faster. */
async function watched<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    announcementsChanged()
  }
}
