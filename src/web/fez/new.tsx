// Begins a seamail or a group.
import { useEffect, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Choice, errorOf, Field, FormError } from '../kit/field.tsx'
import { CloseIcon } from '../kit/icon.tsx'
import { Page } from '../kit/page.tsx'
import { fromShipTime } from '../kit/ship-time.ts'
import { send } from '../outbox.ts'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { PeoplePicker } from '../users/picker.tsx'
import { groupKinds, type GroupKind } from './parts.tsx'

/** What both kinds of form share: the values, and the way to the new chat. */
function useForm<V extends object>(start: V) {
  const [values, setValues] = useState(start)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const set =
    <K extends keyof V>(name: K) =>
    (value: V[K]) =>
      setValues((before) => ({ ...before, [name]: value }))
  const submit = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    void work()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return { values, set, error, busy, submit }
}

const teams = ['moderator', 'serviceteam'] as const

export function NewSeamail() {
  const [, go] = useLocation()
  const [people, setPeople] = useState<UserHeader[]>([])
  const [params] = useSearchParams()
  const first = params.get('to')
  const list = params.get('list')
  const as = teams.find((team) => team === params.get('as'))
  useEffect(() => {
    if (first) void client.users.find({ user_search_string: first }).then((user) => setPeople((before) => [...before, user]))
  }, [first])
  useEffect(() => {
    if (list) void client.user.barrel({ barrel_id: list }).then(({ seamonkeys }) => setPeople(seamonkeys))
  }, [list])
  const { values, set, error, busy, submit } = useForm({ title: '', text: '', kind: 'closed' as 'closed' | 'open' })
  const create = async () => {
    const chat = await client.fez.create({
      fezType: values.kind,
      title: values.title,
      info: '',
      minCapacity: 0,
      maxCapacity: 0,
      initialUsers: people.map(({ userID }) => userID),
      ...(as === 'moderator' && { createdByModerator: true }),
      ...(as === 'serviceteam' && { createdByServiceTeam: true }),
    })
    if (values.text.trim() !== '') send('fez', chat.fezID, values.text.trim(), [], { as })
    refresh('chats')
    go(`/seamail/${chat.fezID}`, { replace: true })
  }
  return (
    <Page title={t('newSeamail')} back="/seamail">
      <form class="card pad" onSubmit={submit(create)}>
        {as && <p class="quiet">{t(as === 'moderator' ? 'asModerator' : 'asServiceTeam')}</p>}
        <div class="field">
          <span class="label">{t('recipients')}</span>
          {people.length > 0 && (
            <ul class="chosen-people">
              {people.map((user) => (
                <li key={user.userID} class="chip">
                  {nameOf(user)}
                  <button
                    type="button"
                    aria-label={t('removeName', { name: nameOf(user) })}
                    onClick={() => setPeople(people.filter((other) => other !== user))}
                  >
                    <CloseIcon size={16} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <PeoplePicker label={t('findPeople')} chosen={people} choose={(user) => setPeople([...people, user])} />
        </div>
        <Field
          label={t('subject')}
          value={values.title}
          change={set('title')}
          error={errorOf(error, 'title')}
          input={{ required: true, maxLength: 100 }}
        />
        <Field label={t('message')} value={values.text} change={set('text')} rows={4} input={{ maxLength: 2047 }} />
        <Choice
          label={t('whoMayJoin')}
          value={values.kind}
          change={set('kind')}
          options={[
            ['closed', t('closedChat')],
            ['open', t('openChat')],
          ]}
        />
        <FormError error={error} fields={['title']} />
        <button type="submit" class="btn" disabled={busy || people.length === 0}>
          {t('send')}
        </button>
      </form>
    </Page>
  )
}

const groupFields = ['title', 'info', 'location', 'startTime', 'endTime', 'minCapacity', 'maxCapacity']

export function NewGroup() {
  const [, go] = useLocation()
  const { values, set, error, busy, submit } = useForm({
    title: '',
    kind: 'activity' as GroupKind,
    info: '',
    location: '',
    start: '',
    end: '',
    min: '2',
    max: '0',
  })
  const create = async () => {
    const chat = await client.fez.create({
      fezType: values.kind,
      title: values.title,
      info: values.info,
      ...(values.location.trim() && { location: values.location.trim() }),
      ...(values.start && { startTime: fromShipTime(values.start) }),
      ...(values.end && { endTime: fromShipTime(values.end) }),
      minCapacity: Number(values.min) || 0,
      maxCapacity: Number(values.max) || 0,
      initialUsers: [],
    })
    refresh('chats')
    go(`/lfg/${chat.fezID}`, { replace: true })
  }
  const number = { type: 'number', min: 0, max: 1000, inputMode: 'numeric' } as const
  return (
    <Page title={t('newGroup')} back="/fez">
      <form class="card pad" onSubmit={submit(create)}>
        <Field
          label={t('groupTitle')}
          value={values.title}
          change={set('title')}
          error={errorOf(error, 'title')}
          input={{ required: true, maxLength: 100 }}
        />
        <Choice label={t('kind')} value={values.kind} change={set('kind')} options={groupKinds()} />
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
          <Field
            label={t('starts')}
            value={values.start}
            change={set('start')}
            error={errorOf(error, 'startTime')}
            input={{ type: 'datetime-local' }}
          />
          <Field
            label={t('ends')}
            value={values.end}
            change={set('end')}
            error={errorOf(error, 'endTime')}
            input={{ type: 'datetime-local' }}
          />
        </div>
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
        <FormError error={error} fields={groupFields} />
        <button type="submit" class="btn" disabled={busy}>
          {t('create')}
        </button>
      </form>
    </Page>
  )
}
