// Lists that grow above what is being read.
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Returns a function to be called just before something is put above the element with this id: it stays where it is on the screen.
 *
 * @param list changes with what is put there.
 */
export function useKeptPlace(list: unknown): (id: string) => void {
  const kept = useRef<{ id: string; top: number }>()
  useLayoutEffect(() => {
    if (!kept.current) return
    const { id, top } = kept.current
    kept.current = undefined
    const now = topOf(id)
    if (now !== undefined && top !== now) scrollBy({ top: now - top, behavior: 'instant' })
  }, [list])
  return (id) => {
    const top = topOf(id)
    kept.current = top === undefined ? undefined : { id, top }
  }
}

const topOf = (id: string): number | undefined => document.getElementById(id)?.getBoundingClientRect().top
