// Names after @ and words after #, offered while somebody writes.
import { useEffect, useId, useState } from 'preact/hooks'
import { client } from '../client.ts'
import { t } from '../texts.ts'

const begun = /(?:^|[\s(])([@#])([\p{L}\p{N}_.+-]{2,50})$/u
const pauseMs = 150
const maxOffered = 6

interface Offer {
  /** Where the word begins, after its sign. */
  start: number
  words: readonly string[]
}

/** What could be meant at the end of `before`; asked for after a pause. */
export function useOffers(before: string) {
  const [offer, setOffer] = useState<Offer>()
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const match = begun.exec(before)
  const [, sign, word = ''] = match ?? []
  useEffect(() => {
    setOffer(undefined)
    setChosen(0)
    if (!sign) return
    const start = before.length - word.length
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const found =
        sign === '@' ? client.users.matchUsername({ search_string: word }, { signal: stop.signal }) : hashtags(word, stop.signal)
      found.then(
        (words) => setOffer({ start, words: words.map((each) => each.replace(/^[@#]/, '')).slice(0, maxOffered) }),
        // Without a network nothing is offered.
        () => undefined,
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [sign, word])
  const words = offer?.words ?? []
  return {
    id,
    words,
    start: offer?.start ?? 0,
    chosen: Math.min(chosen, Math.max(0, words.length - 1)),
    setChosen,
    close: () => setOffer(undefined),
  }
}

const hashtags = (word: string, signal: AbortSignal) => client.notification.hashtags({ search_string: word }, { signal })

interface OffersProps {
  id: string
  words: readonly string[]
  chosen: number
  take: (word: string) => void
}

export function Offers({ id, words, chosen, take }: OffersProps) {
  if (words.length === 0) return null
  return (
    <ul class="offers" role="listbox" id={id} aria-label={t('offers')}>
      {words.map((word, index) => (
        <li
          key={word}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            take(word)
          }}
        >
          {word}
        </li>
      ))}
    </ul>
  )
}
