// The field to write in: grows with its text, takes pictures, sends with Enter on a keyboard.
import { useRef, useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { CloseIcon } from './icon.tsx'
import { CameraIcon, SendIcon } from './page-icon.tsx'
import { previewOf, shrink } from './picture.tsx'
import { attempt } from './toast.tsx'

interface ComposeProps {
  label: string
  /** Pictures that may go with it. */
  maxPictures?: number
  send: (text: string, pictures: string[]) => void
  /** To begin with, as for an answer to somebody. */
  start?: string
}

const maxLength = 2047

export function Compose({ label, maxPictures = 0, send, start = '' }: ComposeProps) {
  const [text, setText] = useState(start)
  const [pictures, setPictures] = useState<string[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const submit = (event?: Event) => {
    event?.preventDefault()
    if (text.trim() === '') return
    send(text.trim(), pictures)
    setText('')
    setPictures([])
    field.current?.focus()
  }
  const add = (files: FileList | null) =>
    attempt(async () => {
      const chosen = await Promise.all(
        Array.from(files ?? [])
          .slice(0, maxPictures - pictures.length)
          .map(shrink),
      )
      setPictures((before) => [...before, ...chosen])
    })
  return (
    <form class="write" onSubmit={submit}>
      {pictures.length > 0 && (
        <div class="chosen">
          {pictures.map((picture, index) => (
            <span key={index}>
              <img src={previewOf(picture)} alt={t('picture', { number: index + 1 })} width={64} height={64} />
              <button
                type="button"
                class="round plain"
                aria-label={t('removePicture', { number: index + 1 })}
                onClick={() => setPictures(pictures.filter((_, other) => other !== index))}
              >
                <CloseIcon size={16} />
              </button>
            </span>
          ))}
        </div>
      )}
      {maxPictures > 0 && (
        <>
          <input
            ref={chooser}
            type="file"
            accept="image/*"
            multiple={maxPictures > 1}
            hidden
            onChange={({ currentTarget }) => void add(currentTarget.files)}
          />
          <button
            type="button"
            class="round plain"
            aria-label={t('addPicture')}
            disabled={pictures.length >= maxPictures}
            onClick={() => chooser.current?.click()}
          >
            <CameraIcon />
          </button>
        </>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          // A phone's Enter makes a new line: its keyboard has no other key for that.
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && matchMedia('(pointer: fine)').matches) submit(event)
        }}
      />
      <button type="submit" class="round" aria-label={t('send')} disabled={text.trim() === ''}>
        <SendIcon size={20} />
      </button>
    </form>
  )
}
