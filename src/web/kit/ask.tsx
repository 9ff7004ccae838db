// Questions with one field: the reason of a report, a new title.
import { useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { errorOf, Field, FormError, type FieldProps } from './field.tsx'

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
  const [text, setText] = useState(value)
  const [error, setError] = useState<unknown>()
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      await run(text)
      close()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={label}
          value={text}
          change={setText}
          error={errorOf(error, field)}
          {...(rows && { rows })}
          {...(input && { input })}
        />
        <FormError error={error} fields={[field]} />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn">
            {done}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
