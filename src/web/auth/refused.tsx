// What stands under the fields of somebody who was not let in: why, or the field for the code of their second factor, which goes
// to the server directly behind the password.
import { QuarterdeckError } from '../../sdk/client.ts'
import { isClosed } from '../client.ts'
import { Field, FormError } from '../kit/field.tsx'
import { lazy } from '../kit/lazy.tsx'
import { t } from '../texts.ts'
import './factor-texts.ts'

const WhenOpen = lazy(() => import('../switches/closed.tsx').then((all) => all.WhenOpen), true)

interface RefusedProps {
  error: unknown
  /** The code as it was typed so far. */
  code: string
  change: (code: string) => void
  /** Those of the form that show their own refusals. */
  fields?: readonly string[]
}

/** Apps show the digits in two groups. */
const withoutBlanks = (typed: string): string => typed.replace(/\s/g, '')

export function Refused({ error, code, change, fields = [] }: RefusedProps) {
  if (isClosed(error)) return <WhenOpen />
  const refusal = error instanceof QuarterdeckError ? error.code : undefined
  const isAsked = refusal === 'second_factor_needed'
  return (
    <>
      {(isAsked || refusal === 'second_factor_wrong' || code !== '') && (
        <Field
          label={t('factor.code')}
          hint={t('factor.codeHint')}
          value={code}
          change={(typed) => change(withoutBlanks(typed))}
          input={{ name: 'code', autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, autoFocus: true }}
        />
      )}
      {!isAsked && <FormError error={error} fields={fields} />}
    </>
  )
}
