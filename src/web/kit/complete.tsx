// People after @ and words after #, offered while somebody writes.
import { useEffect, useId, useState } from 'preact/hooks'
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { Face, nameOf } from './face.tsx'

const begun = /(?:^|[\s(])([@#])([\p{L}\p{N}_.+-]{2,50})$/u
const pauseMs = 150
const maxOffered = 6

/** Who has the name, or nobody for a hashtag. */
interface Word {
  word: string
  user?: UserHeader
}

interface Offer {
  /** Where the word begins, after its sign. */
  start: number
  words: readonly Word[]
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
      const found = sign === '@' ? usersNamed(word, stop.signal) : hashtags(word, stop.signal)
      found.then(
        (words) => setOffer({ start, words: words.slice(0, maxOffered) }),
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

async function usersNamed(word: string, signal: AbortSignal): Promise<Word[]> {
  const users = await client.users.matchAllnames({ search_string: word, people: true, sort: 'favorites' }, { signal })
  return users.map((user) => ({ word: user.username, user }))
}

async function hashtags(word: string, signal: AbortSignal): Promise<Word[]> {
  return (await client.notification.hashtags({ search_string: word }, { signal })).map((each) => ({ word: each.replace(/^#/, '') }))
}

interface OffersProps {
  id: string
  words: readonly Word[]
  chosen: number
  take: (word: string) => void
}

export function Offers({ id, words, chosen, take }: OffersProps) {
  if (words.length === 0) return null
  return (
    <ul class="offers" role="listbox" id={id} aria-label={t('offers')}>
      {words.map(({ word, user }, index) => (
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
          {user ? (
            <>
              <Face user={user} small /> {nameOf(user)} {user.displayName && <small>@{word}</small>}
            </>
          ) : (
            `#${word}`
          )}
        </li>
      ))}
    </ul>
  )
}
