// What forms of several fields share: their values, the refusal, and that only one request is under way.
import { useState } from 'preact/hooks'

/** `submit` makes the handler of a form out of what it does. */
export function useForm<V extends object>(start: V) {
  const [values, setValues] = useState(start)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const set =
    <K extends keyof V>(name: K) =>
    (value: V[K]) =>
      setValues((before) => ({ ...before, [name]: value }))
  const submit = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    void work()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return { values, set, error, busy, submit }
}
