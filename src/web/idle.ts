// Work that nobody waits for.

/** Runs it when the page has nothing else to do, soon in any case. Safari does not tell when that is. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run, 200)
}
