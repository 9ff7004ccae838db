// Questions with one field: the reason of a report, a new title.
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { errorOf, Field, FormError, type FieldProps } from './field.tsx'
import { useForm } from './form.ts'

interface AskProps {
  title: string
  label: string
  /** Of the button. */
  done: string
  value?: string
  rows?: number
  /** Of the request: its refusal stands under the field. */
  field?: string
  input?: FieldProps['input']
  /** Closes when it is through. */
  run: (text: string) => Promise<unknown>
  close: () => void
}

export function Ask({ title, label, done, value = '', rows, field = 'general', input, run, close }: AskProps) {
  const { values, set, error, busy, submit } = useForm({ text: value })
  const ask = async () => {
    await run(values.text)
    close()
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit(ask)}>
        <Field
          label={label}
          value={values.text}
          change={set('text')}
          error={errorOf(error, field)}
          {...(rows && { rows })}
          {...(input && { input })}
        />
        <FormError error={error} fields={[field]} />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn" disabled={busy}>
            {done}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
