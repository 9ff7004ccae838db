// Tokens for programs of one's own: a bot, a display on a wall, a script.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { NewTokenData, ProgramTokenData, TokenRequestData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Page, Section } from '../kit/page.tsx'
import { RemovableList } from '../kit/removable.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { mayWrite } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

type Scope = TokenRequestData['scope']
const scopes: readonly Scope[] = ['read', 'all']
const days = ['7', '30', '90', '366'] as const

export function Tokens() {
  const [made, setMade] = useState<NewTokenData>()
  const tokens = useQuery({ queryKey: ['tokens'], queryFn: () => client.auth.tokens(), staleTime: 0 })
  return (
    <Page title={t('tokens')} back="/account">
      <div class="card pad text">
        <p>{t('tokens.text')}</p>
        <p>
          <Link href="/help/bots">{t('help.bots')}</Link>
        </p>
      </div>
      {made && <Made made={made} />}
      <Answer of={tokens} rows={2}>
        {({ tokens: all }) => <List tokens={all} />}
      </Answer>
      {mayWrite.value && <Form done={setMade} />}
    </Page>
  )
}

function List({ tokens }: { tokens: readonly ProgramTokenData[] }) {
  const items = tokens.map(({ tokenID, name, scope, lastSeenAt, expiresAt }) => ({
    id: tokenID,
    name,
    about: [t(`tokens.${scope}`), t('tokens.until', { time: when(expiresAt) }), t('tokens.used', { time: when(lastSeenAt) })].join(' · '),
    title: t('tokens.removeOne', { name }),
    text: t('tokens.removeText'),
  }))
  const remove = async (id: string) => {
    await client.auth.removeTokens({ token_id: id })
    refresh('tokens')
  }
  return <RemovableList items={items} none={t('tokens.none')} remove={remove} />
}

/** Shown this once: nothing keeps it. */
function Made({ made: { name, token } }: { made: NewTokenData }) {
  const copy = async () => {
    await navigator.clipboard.writeText(token)
    toast(t('tokens.copied'))
  }
  return (
    <div class="card pad door text" role="status">
      <p>{t('tokens.made', { name })}</p>
      <p class="token">
        <code>{token}</code>
      </p>
      {navigator.clipboard && (
        <button type="button" class="btn" onClick={() => void attempt(copy)}>
          {t('tokens.copy')}
        </button>
      )}
    </div>
  )
}

function Form({ done }: { done: (made: NewTokenData) => void }) {
  const { values, set, error, busy, submit, clear } = useForm({ name: '', scope: 'read' as Scope, days: '30' as (typeof days)[number] })
  const make = submit(async () => {
    const made = await client.auth.setTokens({ ...values, name: values.name.trim(), days: Number(values.days) })
    clear()
    refresh('tokens')
    done(made)
  })
  return (
    <Section title={t('tokens.new')}>
      <form class="card pad" onSubmit={make}>
        <Field
          label={t('tokens.name')}
          hint={t('tokens.nameHint')}
          value={values.name}
          change={set('name')}
          error={errorOf(error, 'name')}
          input={{ required: true, maxLength: 60, autocomplete: 'off' }}
        />
        <Choice
          label={t('tokens.may')}
          value={values.scope}
          options={scopes.map((each) => [each, t(`tokens.${each}`)] as const)}
          change={set('scope')}
        />
        <Choice
          label={t('tokens.for')}
          value={values.days}
          options={days.map((each) => [each, t('tokens.days', { n: Number(each) })] as const)}
          change={set('days')}
        />
        <FormError error={error} fields={['name']} />
        <button type="submit" class="btn wide" disabled={busy}>
          {t('tokens.make')}
        </button>
      </form>
    </Section>
  )
}
