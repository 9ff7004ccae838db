// The accounts of one person: a further one, another name, and changing between those that were used here.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Page, Section } from '../kit/page.tsx'
import { toast } from '../kit/toast.tsx'
import { mayWrite, me, refreshMe, signIn, usedHere } from '../session.ts'
import { t } from '../texts.ts'

const fields = ['username', 'password']

/** A sub-account: its own name, posts and lists, the same person. */
export function CreateSubAccount() {
  const [values, setValues] = useState({ username: '', password: '' })
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [created, setCreated] = useState('')
  const change = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await client.user.add(values).then(({ username }) => setCreated(username), setError)
    setBusy(false)
  }
  if (created !== '') {
    return (
      <Page title={t('subAccountReady', { name: created })} back="/account">
        <div class="card pad">
          <p>{t('subAccountReadyText')}</p>
          <button type="button" class="btn" onClick={() => void signIn(created, values.password).catch(setError)}>
            {t('switchTo', { name: created })}
          </button>
          <FormError error={error} fields={[]} />
        </div>
      </Page>
    )
  }
  return (
    <Page title={t('newSubAccount')} back="/account">
      <form class="card pad" onSubmit={(event) => void submit(event)}>
        <p class="quiet">{t('subAccountText')}</p>
        <Field
          label={t('username')}
          hint={t('usernameHint')}
          error={errorOf(error, 'username')}
          value={values.username}
          change={change('username')}
          input={{ name: 'username', autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('password')}
          hint={t('passwordHint')}
          error={errorOf(error, 'password')}
          value={values.password}
          change={change('password')}
          input={{ name: 'password', type: 'password', autocomplete: 'new-password', minLength: 6, maxLength: 50, required: true }}
        />
        <FormError error={error} fields={fields} />
        <button type="submit" class="btn" disabled={busy}>
          {t('create')}
        </button>
      </form>
    </Page>
  )
}

/** The accounts that were signed in with this browser. */
export function Accounts() {
  const [open, setOpen] = useState<string>()
  const others = usedHere().filter((name) => name !== me.value?.username)
  return (
    <Section title={t('accounts')}>
      <div class="card pad buttons-down">
        {others.map((name) => (
          <button key={name} type="button" class="btn quiet" onClick={() => setOpen(name)}>
            {t('switchTo', { name })}
          </button>
        ))}
        {mayWrite.value && (
          <Link href="/createAltAccount" class="btn quiet">
            {t('newSubAccount')}
          </Link>
        )}
      </div>
      {open !== undefined && <Switch name={open} close={() => setOpen(undefined)} />}
    </Section>
  )
}

function Switch({ name, close }: { name: string; close: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    void signIn(name, password).catch(setError)
  }
  return (
    <Dialog title={t('switchTo', { name })} close={close}>
      <form onSubmit={submit}>
        <input type="text" name="username" autocomplete="username" value={name} hidden readOnly />
        <Field
          label={t('password')}
          value={password}
          change={setPassword}
          input={{ type: 'password', autocomplete: 'current-password', required: true }}
        />
        <FormError error={error} fields={[]} />
        <button type="submit" class="btn">
          {t('signIn')}
        </button>
      </form>
    </Dialog>
  )
}

export function NewUsername({ close }: { close: () => void }) {
  return (
    <Ask
      title={t('changeUsername')}
      label={t('username')}
      done={t('save')}
      value={me.value?.username ?? ''}
      field="username"
      close={close}
      run={async (username) => {
        await client.user.username({ username: username.trim() })
        await refreshMe()
        toast(t('usernameChanged', { name: me.value?.username ?? '' }))
      }}
    />
  )
}
