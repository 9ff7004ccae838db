// Lists that grow while they are open: how many there are by now, and the way to them. Nothing moves until somebody asks for it.
import { useEffect, useState } from 'preact/hooks'
import { online } from '../client.ts'
import { t } from '../texts.ts'
import { attempt } from './toast.tsx'

const everyMs = 30_000

interface NewerProps {
  /** Of the list as it is shown: begins anew with another. */
  shown: string
  /** How many it does not show yet; asked for while somebody looks. */
  count: () => Promise<number>
  /** Reads them, and brings them onto the screen. */
  show: () => Promise<unknown>
  /** They stand above what is shown. */
  above?: boolean
}

export function Newer({ shown, count, show, above }: NewerProps) {
  const [newer, setNewer] = useState(0)
  useEffect(() => {
    setNewer(0)
    const ask = () => {
      if (document.visibilityState === 'visible' && online.value) void count().then(setNewer, () => undefined)
    }
    const asking = setInterval(ask, everyMs)
    return () => clearInterval(asking)
  }, [shown])
  return (
    <div class={above ? 'newer above' : 'newer'} role="status">
      {newer > 0 && (
        <button type="button" class="btn to-new" onClick={() => void attempt(show)}>
          {t('newerPosts', { n: newer })}
        </button>
      )}
    </div>
  )
}
