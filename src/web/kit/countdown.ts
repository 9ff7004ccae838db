// How long something still takes, second by second.
import { useEffect, useReducer } from 'preact/hooks'

/** Seconds until a moment, in milliseconds since 1970; 0 once it has come. */
export function useSecondsUntil(moment: number): number {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  const seconds = Math.max(0, Math.ceil((moment - Date.now()) / 1000))
  const waits = seconds > 0
  useEffect(() => {
    if (!waits) return
    const ticking = setInterval(() => tick(undefined), 1000)
    return () => clearInterval(ticking)
  }, [waits])
  return seconds
}
