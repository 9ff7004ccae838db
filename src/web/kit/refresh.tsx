// Reads a page again: a button for those with a mouse, and a pull at its top for those with a finger.
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../texts.ts'
import { RefreshIcon } from './page-icon.tsx'
import { attempt } from './toast.tsx'

/** So far a finger has to pull, in pixels; the page follows by half. */
const enough = 90

export function Refresh({ run }: { run: () => Promise<unknown> }) {
  const [pulled, setPulled] = useState(0)
  const [busy, setBusy] = useState(false)
  const again = useRef<() => Promise<void>>(async () => undefined)
  again.current = async () => {
    setBusy(true)
    await attempt(run)
    setBusy(false)
  }
  useEffect(() => {
    let from: number | undefined
    let distance = 0
    const start = ({ touches }: TouchEvent) => {
      from = scrollY <= 0 && touches.length === 1 && !document.querySelector('dialog[open], .pswp') ? touches[0]?.clientY : undefined
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === undefined) return
      distance = Math.max(0, (touches[0]?.clientY ?? from) - from)
      setPulled(Math.min(distance, enough))
    }
    const end = () => {
      if (from !== undefined && distance >= enough) void again.current()
      from = undefined
      distance = 0
      setPulled(0)
    }
    addEventListener('touchstart', start, { passive: true })
    addEventListener('touchmove', move, { passive: true })
    addEventListener('touchend', end)
    addEventListener('touchcancel', end)
    return () => {
      removeEventListener('touchstart', start)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', end)
    }
  }, [])
  const isShown = pulled > 10 || busy
  return (
    <>
      <button
        type="button"
        class={busy ? 'round plain turning' : 'round plain'}
        aria-label={t('refresh')}
        disabled={busy}
        onClick={() => void again.current()}
      >
        <RefreshIcon />
      </button>
      {isShown && (
        <span
          class={busy ? 'pulled turning' : 'pulled'}
          style={{ '--pulled': `${pulled / 2}px`, '--turned': `${pulled * 3}deg` }}
          aria-hidden="true"
        >
          <RefreshIcon />
        </span>
      )}
    </>
  )
}
