// A field that searches while one types.
import { asked } from './asked.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useKept } from '../place.ts'
import { SearchIcon } from './icon.tsx'

/** The words that a page looks for: at first those of its address, later as whoever comes back has left them. */
export const useSearchWords = () => useKept('search', asked('search'))

const pauseMs = 300

interface SearchFieldProps {
  label: string
  change: (text: string) => void
  start?: string
  /** Has been opened to be written in at once. */
  focus?: boolean
}

export function SearchField({ label, change, start = '', focus }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [])
  const [text, setText] = useState(start)
  /** The words that the page knows. */
  const known = useRef(start)
  useEffect(() => {
    // By a link, or on the way back.
    if (start === known.current) return
    known.current = start
    setText(start)
  }, [start])
  useEffect(() => {
    const words = text.trim()
    if (words === known.current) return
    const timer = setTimeout(() => {
      known.current = words
      change(words)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="search">
      <SearchIcon size={18} />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}
