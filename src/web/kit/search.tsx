// A field that searches while one types.
import { useEffect, useState } from 'preact/hooks'
import { SearchIcon } from './page-icon.tsx'

const pauseMs = 300

export function SearchField({ label, change, start = '' }: { label: string; change: (text: string) => void; start?: string }) {
  const [text, setText] = useState(start)
  useEffect(() => {
    const timer = setTimeout(() => change(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="search">
      <SearchIcon size={18} />
      <input
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
