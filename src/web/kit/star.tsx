// A star to press: followed, favorite.
import { StarIcon } from './icon.tsx'

export function Star({ on, label, press }: { on: boolean; label: string; press: () => void }) {
  return (
    <button type="button" class={on ? 'round plain star on' : 'round plain star'} aria-pressed={on} aria-label={label} onClick={press}>
      <StarIcon size={22} />
    </button>
  )
}
