// The passkeys of one's own account: those there are, and another one.
import { useState } from 'preact/hooks'
import type { PasskeyData } from '../../sdk/client.ts'
import { Refused } from '../auth/refused.tsx'
import { client } from '../client.ts'
import { errorOf, Field } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Page, Section } from '../kit/page.tsx'
import { RemovableList } from '../kit/removable.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { me } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { canUsePasskeys, make } from './device.ts'
import './texts.ts'

export function Passkeys() {
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => client.auth.passkeys(), staleTime: 0 })
  return (
    <Page title={t('passkeys')} back="/account">
      <div class="card pad text">
        <p>{t('passkey.text')}</p>
      </div>
      <Answer of={passkeys} rows={2}>
        {({ passkeys: all }) => <List passkeys={all} />}
      </Answer>
      <Section title={t('passkey.add')}>{canUsePasskeys ? <Add /> : <p class="card pad">{t('passkey.notHere')}</p>}</Section>
    </Page>
  )
}

function List({ passkeys }: { passkeys: readonly PasskeyData[] }) {
  const items = passkeys.map(({ passkeyID, name, host, createdAt, lastUsedAt }) => {
    const time = when(createdAt)
    const use = lastUsedAt === undefined ? t('passkey.unused', { time }) : t('passkey.used', { time, used: when(lastUsedAt) })
    return {
      id: passkeyID,
      name,
      about: host === location.hostname ? use : `${use} ${t('passkey.elsewhere', { host })}`,
      title: t('passkey.removeOne', { name }),
      text: t('passkey.removeText'),
    }
  })
  const remove = async (id: string) => {
    await client.auth.removePasskeys({ passkey_id: id })
    refresh('passkeys')
  }
  return <RemovableList items={items} none={t('passkey.none')} remove={remove} />
}

/** The code of a second factor is asked for once the server has said that there is one. */
function Add() {
  const { values, set, error, busy, submit, clear } = useForm({ name: '', currentPassword: '' })
  const [code, setCode] = useState('')
  const add = async () => {
    const { name, currentPassword } = values
    const options = await client.auth.passkeysBegin({ currentPassword, ...(code !== '' && { code }) })
    // Digits are good for once.
    setCode('')
    const credential = await make(options, me.value?.username ?? '')
    await client.auth.addPasskey({ state: options.state, name, credential })
    clear()
    refresh('passkeys')
  }
  return (
    <form class="card pad" onSubmit={submit(add)}>
      <Field
        label={t('passkey.name')}
        hint={t('passkey.nameHint')}
        value={values.name}
        change={set('name')}
        error={errorOf(error, 'name')}
        input={{ name: 'name', maxLength: 50, required: true }}
      />
      <Field
        label={t('yourPassword')}
        value={values.currentPassword}
        change={set('currentPassword')}
        error={errorOf(error, 'currentPassword')}
        input={{ type: 'password', autocomplete: 'current-password', required: true }}
      />
      {(error || code) && <Refused error={error} code={code} change={setCode} fields={['name', 'currentPassword']} />}
      <button type="submit" class="btn wide" disabled={busy}>
        {t('passkey.add')}
      </button>
    </form>
  )
}
