// How long something still takes, second by second, and pages that show the time.
import { useEffect, useReducer } from 'preact/hooks'

/** Draws a component again and again, while that is wanted. */
export function useTicks(everyMs: number, wanted = true): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!wanted) return
    const ticking = setInterval(() => tick(undefined), everyMs)
    return () => clearInterval(ticking)
  }, [wanted])
}

/** Seconds until a moment, in milliseconds since 1970; 0 once it has come. */
export function useSecondsUntil(moment: number): number {
  const seconds = Math.max(0, Math.ceil((moment - Date.now()) / 1000))
  useTicks(1000, seconds > 0)
  return seconds
}
