// What forms of several fields share: their values, the refusal, and that only one request is under way.
import { useState } from 'preact/hooks'

/**
 * `start` is what is known: a newer answer shows in all fields but those that were typed in, whose words stay. `submit` makes the
 * handler of a form out of what it does; `clear` forgets what was typed.
 */
export function useForm<V extends object>(start: V) {
  const [typed, setTyped] = useState<Partial<V>>({})
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const set =
    <K extends keyof V>(name: K) =>
    (value: V[K]) =>
      setTyped((before) => ({ ...before, [name]: value }))
  const submit = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    void work()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  return { values: { ...start, ...typed }, set, error, busy, submit, clear: () => setTyped({}) }
}
