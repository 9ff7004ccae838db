// Begins a seamail.
import { useEffect, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { ChosenPeople } from '../users/picker.tsx'

const teams = ['moderator', 'serviceteam'] as const

export function NewSeamail() {
  const [, go] = useLocation()
  const [people, setPeople] = useState<UserHeader[]>([])
  const [params] = useSearchParams()
  const first = params.get('to')
  const list = params.get('list')
  const team = params.get('as') === 'twitarrteam' ? 'serviceteam' : params.get('as')
  const as = teams.find((each) => each === team)
  useEffect(() => {
    if (first) void client.users.find({ user_search_string: first }).then((user) => setPeople((before) => [...before, user]))
  }, [first])
  useEffect(() => {
    if (list) void client.user.barrel({ barrel_id: list }).then(({ seamonkeys }) => setPeople(seamonkeys))
  }, [list])
  const { values, set, error, busy, submit } = useForm({ title: '', text: '', kind: 'closed' as 'closed' | 'open' })
  const create = async () => {
    const text = values.text.trim()
    const chat = await once(client.fez.create, {
      fezType: values.kind,
      title: values.title,
      info: '',
      minCapacity: 0,
      maxCapacity: 0,
      initialUsers: people.map(({ userID }) => userID),
      ...(as === 'moderator' && { createdByModerator: true }),
      ...(as === 'serviceteam' && { createdByServiceTeam: true }),
      ...(text !== '' && {
        firstPost: {
          text,
          images: [],
          ...(as === 'moderator' && { postAsModerator: true }),
          ...(as === 'serviceteam' && { postAsServiceTeam: true }),
        },
      }),
    })
    refresh('chats')
    go(`/seamail/${chat.fezID}`, { replace: true })
  }
  return (
    <Page title={t('newSeamail')} back="/seamail">
      <form class="card pad" onSubmit={submit(create)}>
        {as && <p class="quiet">{t(as === 'moderator' ? 'asModerator' : 'asServiceTeam')}</p>}
        <ChosenPeople label={t('recipients')} people={people} change={setPeople} />
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
