// The field to write in: grows with its text, takes pictures, sends with Enter on a keyboard.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isModerator } from '../session.ts'
import type { Slow } from '../letters.ts'
import type { PostPlace } from '../outbox.ts'
import { t } from '../texts.ts'
import { useSecondsUntil } from './countdown.ts'
import { duration } from './duration.ts'
import { AddPicture, Chosen, usePictures, type NewPicture } from './choose.tsx'
import { onlyPictures } from './picture.tsx'
import { SendIcon } from './page-icon.tsx'
import { Offers, useOffers } from './complete.tsx'
import { useDraft } from './draft.ts'
import { ComposeButtons } from './feature.tsx'

interface ComposeProps {
  /** What is written is kept for it until it is sent: `forum` with an id. */
  place: string
  label: string
  /** Pictures that may go with it. */
  maxPictures?: number
  send: (text: string, pictures: readonly NewPicture[]) => void
  /** To begin with. */
  start?: string
  /** Words to go on with, such as the name of whom this answers. What was written stays. */
  added?: Added | undefined
  slow?: Slow
  /** Where it goes, for what features offer here. */
  of?: PostPlace
}

/** Each time anew, also with the same words. */
export interface Added {
  text: string
}

const maxLength = 2047

/** Words for one place never turn up in another. */
export function Compose(props: ComposeProps) {
  return <Writing key={props.place} {...props} />
}

function Writing({ place, label, maxPictures = 0, send, start = '', added, slow, of }: ComposeProps) {
  const [text, setText] = useDraft(place, start)
  const pictures = usePictures(maxPictures, { place })
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const offers = useOffers(text.slice(0, caret))
  /** Once the words are in the field. Whoever has typed on meanwhile has a caret of their own. */
  const placeCaret = (words: string, at: number) =>
    requestAnimationFrame(() => {
      if (field.current?.value === words) field.current.setSelectionRange(at, at)
    })
  useEffect(() => {
    if (!added) return
    const whole = (text.trim() === '' ? '' : `${text.trimEnd()}\n`) + added.text
    setText(whole)
    setCaret(whole.length)
    placeCaret(whole, whole.length)
    field.current?.focus()
  }, [added])
  const take = (word: string) => {
    const after = text.slice(caret).replace(/^\s/, '')
    const end = offers.start + word.length + 1
    const whole = `${text.slice(0, offers.start)}${word} ${after}`
    setText(whole)
    setCaret(end)
    placeCaret(whole, end)
    field.current?.focus()
  }
  const isNotReady = (text.trim() === '' && pictures.added.length === 0) || pictures.isBusy
  const submit = (event?: Event) => {
    event?.preventDefault()
    // A dialog within the form has one of its own.
    if (isNotReady || (event && event.target !== event.currentTarget && (event.target as Element).localName === 'form')) return
    send(text.trim() || onlyPictures, pictures.toSend)
    setText('')
    pictures.clear()
    setCaret(0)
    field.current?.focus()
  }
  /** Keys that belong to the offered words while there are some. */
  const answered = (key: string): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) offers.setChosen((offers.chosen + step + offers.words.length) % offers.words.length)
    else if (key === 'Enter' || key === 'Tab') take(offers.words[offers.chosen]?.word ?? '')
    else if (key === 'Escape') offers.close()
    else return false
    return true
  }
  return (
    <form class="write" onSubmit={submit}>
      {slow && slow.seconds > 0 && !isModerator.value && <SlowMode {...slow} />}
      <Offers id={offers.id} words={offers.words} chosen={offers.chosen} take={take} />
      <Chosen of={pictures} />
      {maxPictures > 0 && <AddPicture of={pictures} />}
      {of && <ComposeButtons {...of} />}
      <textarea
        ref={field}
        rows={1}
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        aria-autocomplete="list"
        {...(offers.words.length > 0 && { 'aria-controls': offers.id, 'aria-activedescendant': `${offers.id}-${offers.chosen}` })}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setCaret(currentTarget.selectionEnd)
        }}
        onBlur={offers.close}
        onKeyDown={(event) => {
          if (offers.words.length > 0 && answered(event.key)) {
            event.preventDefault()
            return
          }
          // A phone's Enter makes a new line: its keyboard has no other key for that.
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && matchMedia('(pointer: fine)').matches) submit(event)
        }}
      />
      <button type="submit" class="round" aria-label={t('send')} disabled={isNotReady}>
        <SendIcon size={20} />
      </button>
    </form>
  )
}

/** That posts here have to wait, and for how long the next one has to. */
function SlowMode({ seconds, since }: Slow) {
  const wait = useSecondsUntil(since + seconds * 1000)
  return (
    <p class="slow">
      {t('slowMode', { time: duration(seconds) })} {wait > 0 && t('slowNext', { n: wait })}
    </p>
  )
}
