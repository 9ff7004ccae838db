// A file that a session alone may not have: it is downloaded with a fresh password.
import { useState } from 'preact/hooks'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Decide } from '../team/parts.tsx'
import { c } from '../team/texts.ts'

interface DownloadProps {
  /** Of the file on the reader's disk. */
  name: string
  text: string
  /** Resolves to the address of the file. */
  ask: (currentPassword: string) => Promise<string>
  close: () => void
}

export function Download({ name, text, ask, close }: DownloadProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const link = document.createElement('a')
      link.href = await ask(password)
      link.download = name
      link.click()
      close()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={c('download')} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{text}</p>
        <Field
          label={c('currentPassword')}
          value={password}
          change={setPassword}
          error={errorOf(error, 'currentPassword')}
          input={{ type: 'password', autoComplete: 'current-password', required: true }}
        />
        <FormError error={error} fields={['currentPassword']} />
        <Decide label={c('download')} cancel={close} />
      </form>
    </Dialog>
  )
}
