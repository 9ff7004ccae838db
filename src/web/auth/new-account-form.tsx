// The form of a first account: a name, a password and, where it is needed, the registration code.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { t } from '../texts.ts'
import { AccountFields } from './account-fields.tsx'

export interface NewAccount {
  username: string
  password: string
  /** Absent: none was entered. */
  verification?: string
}

interface FormProps {
  /** A name to begin with. */
  username?: string
  asksCode?: boolean
  create: (account: NewAccount) => Promise<void>
  /** Of the button. */
  label: string
  /** What stands above the fields. */
  children?: ComponentChildren
}

const fields = ['username', 'password', 'verification']

export function NewAccountForm({ username = '', asksCode = true, create, label, children }: FormProps) {
  const { values, set, error, busy, submit } = useForm({ username, password: '', verification: '' })
  const run = () => {
    const { verification, ...account } = values
    const code = verification.trim()
    return create(code === '' ? account : { ...account, verification: code })
  }
  return (
    <form class="card pad door" onSubmit={submit(run)}>
      {children}
      <AccountFields {...values} set={set} error={error} isFirst />
      {asksCode && (
        <Field
          label={t('code')}
          hint={t('codeHint')}
          error={errorOf(error, 'verification')}
          value={values.verification}
          change={set('verification')}
          input={{ name: 'verification', autocomplete: 'off', autocapitalize: 'characters', spellcheck: false, maxLength: 10 }}
        />
      )}
      <p class="quiet">
        {t('conductNote')} <Link href="/codeOfConduct">{t('help.codeOfConduct')}</Link>
      </p>
      <FormError error={error} fields={fields} />
      <button type="submit" class="btn" disabled={busy}>
        {label}
      </button>
    </form>
  )
}
