// The fields of a new account, whether it is the first of a person or a further one, and of a new password.
import { errorOf, Field } from '../kit/field.tsx'
import { t } from '../texts.ts'
import { useSettings } from '../settings/query.ts'

interface AccountFieldsProps {
  username: string
  password: string
  set: (name: 'username' | 'password') => (value: string) => void
  error: unknown
  /** False: the browser must not offer the name that it knows. */
  isFirst: boolean
}

export function AccountFields({ username, password, set, error, isFirst }: AccountFieldsProps) {
  return (
    <>
      <Field
        label={t('username')}
        hint={t('usernameHint')}
        error={errorOf(error, 'username')}
        value={username}
        change={set('username')}
        input={{ name: 'username', autocomplete: isFirst ? 'username' : 'off', autocapitalize: 'none', spellcheck: false, required: true }}
      />
      <NewPasswordField label={t('password')} name="password" value={password} change={set('password')} error={error} />
    </>
  )
}

interface NewPasswordProps {
  label: string
  /** Of the request. */
  name: 'password' | 'newPassword'
  value: string
  change: (value: string) => void
  error: unknown
}

/** The server knows more rules. A bound on the field would cut what a password manager fills in. */
export function NewPasswordField({ label, name, value, change, error }: NewPasswordProps) {
  return (
    <Field
      label={label}
      hint={t('passwordHint')}
      error={errorOf(error, name)}
      value={value}
      change={change}
      input={{ name, type: 'password', autocomplete: 'new-password', minLength: 8, required: true }}
    />
  )
}

/** Whether a new password ends what apps are signed in with. The host may have decided that for everybody. */
export function SignOutApps({ value, change }: { value: boolean; change: (value: boolean) => void }) {
  const { data } = useSettings()
  const always = data?.newPasswordSignsOutApps === true
  return (
    <label class="tick">
      <input type="checkbox" checked={value || always} disabled={always} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      <span>
        {t('signOutApps')} <small>{t(always ? 'signOutAppsAlways' : 'signOutAppsHint')}</small>
      </span>
    </label>
  )
}
