// What the thread of a page works for each frame: scripts, styles and layout, without drawing, which a machine without a graphics
// card does on other threads of the same cores.
import type { Browser } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
}

const frameEvent = 'FireAnimationFrame'
/** Of the timeline; some of them lie within others. */
const ofPage = new Set([
  frameEvent,
  'FunctionCall',
  'EventDispatch',
  'RunMicrotasks',
  'UpdateLayoutTree',
  'Layout',
  'IntersectionObserverController::computeIntersections',
])

/** Milliseconds for each frame that a script asked for while `work` ran. */
export async function workOfFrames(browser: Browser, work: () => Promise<void>): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) if (event.ph === 'X' && ofPage.has(event.name)) events.push(event)
  })
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'], excludedCategories: ['*'] },
  })
  await work()
  await session.send('Tracing.end')
  await complete
  await session.detach()
  return perFrame(events)
}

function perFrame(events: readonly TraceEvent[]): number[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const framesOf = new Map<string, number>()
  for (const event of events) if (event.name === frameEvent) framesOf.set(threadOf(event), (framesOf.get(threadOf(event)) ?? 0) + 1)
  const [busiest] = [...framesOf].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const frames: number[] = []
  let end = 0
  for (const event of events.filter((each) => threadOf(each) === busiest).toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    if (event.name === frameEvent && event.ts >= end) frames.push(0)
    const last = frames.length - 1
    if (last < 0 || event.ts < end) continue
    end = event.ts + (event.dur ?? 0)
    frames[last] = (frames[last] ?? 0) + (event.dur ?? 0) / 1000
  }
  return frames
}
