// The accounts of one person: a further one, another name, and changing between those that were used here.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { AccountFields } from '../auth/account-fields.tsx'
import { Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { lazy } from '../kit/lazy.tsx'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { mayWrite, me, refreshMe, signIn, usedHere } from '../session.ts'
import { t } from '../texts.ts'

const Refused = lazy(() => import('../auth/refused.tsx').then((all) => all.Refused), true)

const fields = ['username', 'password']

/** A sub-account: its own name, posts and lists, the same person. */
export function CreateSubAccount() {
  const [created, setCreated] = useState('')
  const { values, set, error, busy, submit } = useForm({ username: '', password: '' })
  const create = async () => setCreated((await once(client.user.add, values)).username)
  if (created !== '') {
    return (
      <Page title={t('subAccountReady', { name: created })} back="/account">
        <div class="card pad">
          <p>{t('subAccountReadyText')}</p>
          <button type="button" class="btn" onClick={() => void attempt(() => signIn(created, values.password))}>
            {t('switchTo', { name: created })}
          </button>
        </div>
      </Page>
    )
  }
  return (
    <Page title={t('newSubAccount')} back="/account">
      <form class="card pad" onSubmit={submit(create)}>
        <p class="quiet">{t('subAccountText')}</p>
        <AccountFields {...values} set={set} error={error} isFirst={false} />
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
          <button key={name} type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen(name)}>
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
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = (event: Event) => {
    event.preventDefault()
    void signIn(name, password + code).catch(setError)
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
        {(error || code) && <Refused error={error} code={code} change={setCode} />}
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
        try {
          await client.user.username({ username: username.trim() })
        } finally {
          // Whatever the answer: the one before it may have been lost.
          await refreshMe().catch(() => undefined)
        }
        toast(t('usernameChanged', { name: me.value?.username ?? '' }))
      }}
    />
  )
}
