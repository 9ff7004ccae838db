// Fields of forms: a label that is always there, a hint, and the server's own words when it refuses.
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { QuarterdeckError } from '../../sdk/client.ts'
import { ruleSentence, sentenceOf } from '../client.ts'
import { t } from '../texts.ts'

export interface FieldProps {
  label: string
  value: string
  change: (value: string) => void
  hint?: string
  error?: string | undefined
  /** Lines of a larger text. */
  rows?: number
  input?: JSX.InputHTMLAttributes<HTMLInputElement>
}

export function Field({ label, value, change, hint, error, rows, input = {} }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  const [isRevealed, reveal] = useState(false)
  const common = {
    id,
    value,
    'aria-invalid': error !== undefined,
    ...(note && { 'aria-describedby': `${id}-note` }),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => change(currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows ? (
        <textarea rows={rows} maxLength={input.maxLength} {...common} />
      ) : (
        <input type="text" {...input} {...common} {...(isRevealed && { type: 'text' })} />
      )}
      {input.type === 'password' && (
        <button type="button" class="reveal" aria-pressed={isRevealed} onClick={() => reveal(!isRevealed)}>
          {t(isRevealed ? 'conceal' : 'reveal')}
        </button>
      )}
      {note && (
        <small id={`${id}-note`} class={error ? 'wrong' : ''}>
          {note}
        </small>
      )}
    </div>
  )
}

/** The refusal of one field, by the end of its path. */
export function errorOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof QuarterdeckError)) return undefined
  const [path, text] = Object.entries(error.fieldErrors).find(([each]) => each === field || each.endsWith(`.${field}`)) ?? []
  return path === undefined ? undefined : (ruleSentence(error.fieldRules[path]) ?? text)
}

/** A refusal that belongs to no field of the form. */
export function FormError({ error, fields }: { error: unknown; fields: readonly string[] }) {
  if (!error || fields.some((field) => errorOf(error, field))) return null
  return (
    <p class="wrong" role="alert">
      {sentenceOf(error)}
    </p>
  )
}
