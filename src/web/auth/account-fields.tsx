// The fields of a new account, whether it is the first of a person or a further one.
import { errorOf, Field } from '../kit/field.tsx'
import { t } from '../texts.ts'

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

export function NewPasswordField({ label, name, value, change, error }: NewPasswordProps) {
  return (
    <Field
      label={label}
      hint={t('passwordHint')}
      error={errorOf(error, name)}
      value={value}
      change={change}
      input={{ name, type: 'password', autocomplete: 'new-password', minLength: 6, maxLength: 50, required: true }}
    />
  )
}
