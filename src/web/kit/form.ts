// What forms of several fields share: their values, the refusal, and that only one request is under way.
import { useState } from 'preact/hooks'

interface Pinned {
  version: string | null | undefined
}

/**
 * `start` is what is known: a newer answer shows in all fields but those that were typed in, whose words stay. `submit` makes the
 * handler of a form out of what it does; `clear` forgets what was typed.
 *
 * `version` is that of what is known. `basedOn` stays the one that the first typed word was written upon; `isLate` once there is
 * another, until `keep` says that the typed words are to stay.
 */
export function useForm<V extends object>(start: V, version?: string | null) {
  const [typed, setTyped] = useState<Partial<V>>({})
  const [pinned, pin] = useState<Pinned>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const set =
    <K extends keyof V>(name: K) =>
    (value: V[K]) => {
      pin((before) => before ?? { version })
      setTyped((before) => ({ ...before, [name]: value }))
    }
  const submit = (work: () => Promise<void>) => (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    void work()
      .catch(setError)
      .finally(() => setBusy(false))
  }
  const clear = () => {
    pin(undefined)
    setTyped({})
    setError(undefined)
  }
  const keep = () => {
    pin({ version })
    setError(undefined)
  }
  const basedOn = pinned ? pinned.version : version
  return { values: { ...start, ...typed }, set, error, busy, submit, clear, basedOn, isLate: basedOn !== version, keep }
}
