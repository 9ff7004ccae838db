// The quiet line at the bottom of a terminal: how the server is doing at the moment.
import type { Figures } from '../core/work/process.ts'
import type { Screen } from './screen.ts'

const everyMs = 2000

/** Keeps the line up to date until `stopping` fires. Nothing is asked where there is no terminal. */
export function showStatus(screen: Screen, ask: () => Promise<Figures | undefined>, stopping: AbortSignal): void {
  if (screen.format !== 'terminal') return
  let last: { figures: Figures; at: number } | undefined
  const timer = setInterval(() => {
    void ask().then((figures) => {
      if (stopping.aborted) return
      const at = performance.now()
      screen.status(figures ? statusLine(figures, last && { ...last, ms: at - last.at }) : '')
      last = figures && { figures, at }
    })
  }, everyMs)
  timer.unref()
  stopping.addEventListener('abort', () => clearInterval(timer))
}

/** `before` is an earlier answer of the same server and how long ago it came. */
export function statusLine({ online, requests, errors, queue }: Figures, before?: { figures: Figures; ms: number }): string {
  const since = before && requests >= before.figures.requests ? ((requests - before.figures.requests) * 1000) / before.ms : 0
  const rate = since > 0 && since < 10 ? since.toFixed(1) : String(Math.round(since))
  return `${online} online · ${rate} requests/s · ${errors} errors · ${queue} jobs waiting`
}
