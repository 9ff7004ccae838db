// The form of a group or a private event: to begin one, and to change it.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { FezData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { fromShipTime, laterBy, toShipTime } from '../kit/ship-time.ts'
import { Answer } from '../kit/states.tsx'
import { me } from '../session.ts'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { ChosenPeople } from '../users/picker.tsx'
import { groupKinds, isGroup, type GroupKind } from './parts.tsx'
import { changeChat, useChat } from './one.ts'

const hourMs = 60 * 60_000
const fields = ['title', 'info', 'location', 'startTime', 'endTime', 'minCapacity', 'maxCapacity']

/** Who can see an event: those who are invited, or whoever has its link. */
type Visibility = 'private' | 'unlisted'

interface Plan {
  title: string
  info: string
  location: string
  /** By the clocks aboard. */
  start: string
  end: string
  min: string
  max: string
  /** Of an event. */
  visibility: Visibility
  /** Of a new group: empty for none. */
  text: string
}

const nothing: Plan = { title: '', info: '', location: '', start: '', end: '', min: '2', max: '0', visibility: 'private', text: '' }

/** What the form holds, as the server wants it. */
const contentOf = ({ title, info, location, start, end, min, max }: Plan) => ({
  title,
  info,
  ...(location.trim() && { location: location.trim() }),
  ...(start && { startTime: fromShipTime(start) }),
  ...(end && { endTime: fromShipTime(end) }),
  minCapacity: Number(min) || 0,
  maxCapacity: Number(max) || 0,
  initialUsers: [],
})

/** A group that everybody can join. Its title, place and times may come with the address. */
export function NewGroup() {
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const kind = groupKinds().find(([each]) => each === params.get('kind'))?.[0]
  const create = async (plan: Plan, fezType: GroupKind) => {
    const text = plan.text.trim()
    const chat = await once(client.fez.create, {
      fezType,
      ...contentOf(plan),
      ...(text !== '' && { firstPost: { text, images: [] } }),
    })
    refresh('chats')
    go(`/lfg/${chat.fezID}`, { replace: true })
  }
  return (
    <Page title={t('newGroup')} back="/fez">
      <PlanForm
        start={{ ...nothing, title: params.get('title') ?? '', info: params.get('info') ?? '', max: params.get('max') ?? '0' }}
        kind={kind ?? 'activity'}
        withText
        done={t('create')}
        run={create}
      />
    </Page>
  )
}

const eventOf = ({ title, info, location, start, end }: Plan) => ({
  title,
  description: info,
  startTime: fromShipTime(start),
  endTime: fromShipTime(end),
  ...(location.trim() && { location: location.trim() }),
})

/** An event that only those who are invited know of, with a chat of its own. */
export function NewPrivateEvent() {
  const [, go] = useLocation()
  const [people, setPeople] = useState<UserHeader[]>([])
  const create = async (plan: Plan) => {
    const participants = people.map(({ userID }) => userID)
    const { personalEventID } = await once(client.personalevents.create, { ...eventOf(plan), visibility: plan.visibility, participants })
    refresh('chats')
    go(`/privateevent/${personalEventID}`, { replace: true })
  }
  return (
    <Page title={t('newPrivateEvent')} back="/dayplanner">
      <PlanForm start={nothing} withVisibility done={t('create')} run={create}>
        <ChosenPeople label={t('invited')} people={people} change={setPeople} />
      </PlanForm>
    </Page>
  )
}

/** Changes a group or an event; one that was called off takes place again. */
export function EditPlan({ id, path }: { id: string; path: 'lfg' | 'privateevent' }) {
  const [, go] = useLocation()
  const result = useChat(id)
  const back = `/${path}/${id}`
  const isOwn = ({ owner }: FezData) => owner.userID === me.value?.userID
  const save = async (chat: FezData, plan: Plan, kind: GroupKind) => {
    const { fezType } = chat
    await changeChat(id, () =>
      fezType === 'privateEvent'
        ? client.personalevents.update({
            fezID: id,
            ...eventOf(plan),
            participants: [],
            ...(isOwn(chat) && { visibility: plan.visibility }),
          })
        : client.fez.update({ fezID: id, fezType: isGroup({ fezType }) ? kind : fezType, ...contentOf(plan) }),
    )
    go(back, { replace: true })
  }
  return (
    <Page title={t(path === 'lfg' ? 'editGroup' : 'editEvent')} back={back}>
      <Answer of={result}>
        {(chat) => (
          <PlanForm
            start={planOf(chat)}
            {...(isGroup(chat) && { kind: chat.fezType as GroupKind })}
            withVisibility={chat.fezType === 'privateEvent' && isOwn(chat)}
            done={t('save')}
            note={chat.cancelled ? t('takesPlaceAgain') : undefined}
            run={(plan, kind) => save(chat, plan, kind)}
          />
        )}
      </Answer>
    </Page>
  )
}

const planOf = ({ title, info, location = '', startTime, endTime, minParticipants, maxParticipants, visibility }: FezData): Plan => ({
  title,
  info,
  location,
  start: startTime ? toShipTime(startTime) : '',
  end: endTime ? toShipTime(endTime) : '',
  min: String(minParticipants),
  max: String(maxParticipants),
  visibility: visibility === 'unlisted' ? visibility : 'private',
  text: '',
})

interface PlanFormProps {
  start: Plan
  /** Only for groups, which also have a number of people. */
  kind?: GroupKind
  withVisibility?: boolean
  /** With a field for the first message. */
  withText?: boolean
  done: string
  note?: string | undefined
  run: (plan: Plan, kind: GroupKind) => Promise<void>
  children?: ComponentChildren
}

function PlanForm({ start, kind: first, withVisibility = false, withText = false, done, note, run, children }: PlanFormProps) {
  const { values, set, error, busy, submit } = useForm({ ...start, kind: first ?? 'activity' })
  const { kind } = values
  // An hour is a good guess for the end.
  useEffect(() => {
    if (values.start !== '' && values.end === '') set('end')(laterBy(values.start, hourMs))
  }, [values.start])
  const number = { type: 'number', min: 0, max: 1000, inputMode: 'numeric' } as const
  const moment = { type: 'datetime-local', required: first === undefined } as const
  return (
    <form class="card pad" onSubmit={submit(() => run(values, kind))}>
      {note && <p class="notice">{note}</p>}
      <Field
        label={t('groupTitle')}
        value={values.title}
        change={set('title')}
        error={errorOf(error, 'title')}
        input={{ required: true, maxLength: 100 }}
      />
      {first && <Choice label={t('kind')} value={kind} change={set('kind')} options={groupKinds()} />}
      {children}
      <Field
        label={t('about')}
        value={values.info}
        change={set('info')}
        error={errorOf(error, 'info')}
        rows={4}
        input={{ maxLength: 2048 }}
      />
      <Field
        label={t('where')}
        value={values.location}
        change={set('location')}
        error={errorOf(error, 'location')}
        input={{ maxLength: 200 }}
      />
      <div class="pair">
        <Field label={t('starts')} value={values.start} change={set('start')} error={errorOf(error, 'startTime')} input={moment} />
        <Field label={t('ends')} value={values.end} change={set('end')} error={errorOf(error, 'endTime')} input={moment} />
      </div>
      {first && (
        <div class="pair">
          <Field label={t('atLeast')} value={values.min} change={set('min')} error={errorOf(error, 'minCapacity')} input={number} />
          <Field
            label={t('atMost')}
            hint={t('zeroIsAny')}
            value={values.max}
            change={set('max')}
            error={errorOf(error, 'maxCapacity')}
            input={number}
          />
        </div>
      )}
      {withVisibility && (
        <Choice
          label={t('chat.visibility')}
          value={values.visibility}
          change={set('visibility')}
          options={[
            ['private', t('chat.visibility.private')],
            ['unlisted', t('chat.visibility.unlisted')],
          ]}
        />
      )}
      {withText && <Field label={t('chat.firstMessage')} value={values.text} change={set('text')} rows={3} input={{ maxLength: 2047 }} />}
      <FormError error={error} fields={fields} />
      <button type="submit" class="btn" disabled={busy}>
        {done}
      </button>
    </form>
  )
}
