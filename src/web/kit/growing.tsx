// The end of a list that grows: it reads on as soon as it comes near the screen, or when it is pressed.
import { useEffect, useRef } from 'preact/hooks'
import type { InfiniteResult } from '../infinite.ts'
import { attempt } from './toast.tsx'

/** How far below the screen the next page is read. */
const margin = '600px'

export function GrowingEnd({ of, label }: { of: InfiniteResult<unknown>; label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = of
  const failed = useRef(false)
  const readOn = async () => {
    failed.current = !(await attempt(fetchNextPage))
  }
  useEffect(() => {
    // After a failure only the button reads on.
    if (!button.current || isFetchingNextPage || failed.current) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void readOn()
      },
      { rootMargin: `0px 0px ${margin} 0px` },
    )
    watcher.observe(button.current)
    return () => watcher.disconnect()
    // Again after each page: a short one may not have pushed the end away.
  }, [hasNextPage, isFetchingNextPage, data])
  if (!hasNextPage) return null
  return (
    <button ref={button} type="button" class="btn quiet wide" disabled={isFetchingNextPage} onClick={() => void readOn()}>
      {label}
    </button>
  )
}
