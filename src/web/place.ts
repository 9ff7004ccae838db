// Where one is in the history of this window: how deep, how far each page was scrolled, and how it was looked at.
import { useState } from 'preact/hooks'

/** What an entry of the history holds. */
interface Entry {
  /** Entries of this app before it, in this window. */
  depth: number
  /** Of the page: tab, day, filter, by name. */
  kept?: Readonly<Record<string, unknown>>
}

/** What one looks at: how far the page is scrolled, and what stands in the middle of the window, where that has an id. */
interface View {
  top: number
  id?: string
  /** From the upper edge of the window to that. */
  y?: number
}

/** How long a page that comes back may take to be as long as it was. */
const growWithinMs = 2000
/** So many frames without a move: it is there. */
const stillFrames = 4
const atTop: View = { top: 0 }
const viewsKey = 'views'

/** What was looked at in the entries of each depth. */
let views: Record<number, View> = {}
let depth = 0
let path = ''
let cameBack = false

const entry = () => history.state as Entry | null

/** What is in view now. Heights above it may be guesses (`content-visibility`), so that the distance alone does not find it again. */
function viewed(): View {
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('article[id]')
  return { top: scrollY, ...(middle && { id: middle.id, y: middle.getBoundingClientRect().top }) }
}

/** The page above is behind this one: the way back to it is the way one has come. */
export const hasPageBefore = (): boolean => depth > 0

/** Whether the page is one that somebody comes back to: it is shown as it was left, not where a first look begins. */
export const isReturning = (): boolean => cameBack

/** Follows the history from now on. Pages come back where they were left, and new ones begin at the top. */
export function followPlaces(): void {
  history.scrollRestoration = 'manual'
  views = JSON.parse(sessionStorage.getItem(viewsKey) ?? '{}') as typeof views
  const mark = (more: number) => {
    depth = more
    history.replaceState({ ...entry(), depth }, '')
  }
  const again = entry() !== null
  mark(entry()?.depth ?? 0)
  path = location.pathname
  const view = views[depth]
  cameBack = again && view !== undefined && view.top > 0
  if (cameBack && view) showAgain(view)

  addEventListener('pushState', () => {
    views[depth] = viewed()
    for (const deeper of Object.keys(views)) if (Number(deeper) > depth) delete views[Number(deeper)]
    cameBack = false
    const isAnotherPage = path !== location.pathname
    mark(depth + 1)
    if (isAnotherPage) showAgain(atTop)
  })
  addEventListener('replaceState', () => {
    if (entry()?.depth === undefined) mark(depth)
    path = location.pathname
  })
  addEventListener('popstate', () => {
    views[depth] = viewed()
    path = location.pathname
    // An address with another place in the page, as a link within it has.
    if (!entry()) return mark(depth + 1)
    depth = entry()?.depth ?? 0
    cameBack = true
    showAgain(views[depth] ?? atTop)
  })
  addEventListener('pagehide', () => {
    views[depth] = viewed()
    sessionStorage.setItem(viewsKey, JSON.stringify(views))
  })
}

/** As soon as the page is drawn and long enough; not against somebody who scrolls. */
function showAgain({ top, id, y = 0 }: View): void {
  const wanted = depth
  const stop = new AbortController()
  for (const type of ['wheel', 'touchstart', 'keydown']) addEventListener(type, () => stop.abort(), { signal: stop.signal })
  setTimeout(() => stop.abort(), growWithinMs)
  let still = 0
  const step = () => {
    if (stop.signal.aborted || depth !== wanted) return
    const before = scrollY
    const known = id === undefined ? null : document.getElementById(id)
    scrollTo({ top: known ? scrollY + known.getBoundingClientRect().top - y : top, behavior: 'instant' })
    // Once what is above has its true height, nothing moves any more.
    still = Math.abs(scrollY - before) < 1 && (known !== null || scrollY >= top - 1) ? still + 1 : 0
    if (still < stillFrames) requestAnimationFrame(step)
    else stop.abort()
  }
  requestAnimationFrame(step)
}

/** As `useState`, for how a page is looked at: whoever comes back to it in the history finds it so. `name` is one of the page's own. */
export function useKept<T>(name: string, initial: T): [T, (value: T | ((before: T) => T)) => void] {
  const [value, setValue] = useState(() => {
    const kept = entry()?.kept
    return kept && name in kept ? (kept[name] as T) : initial
  })
  const set = (next: T | ((before: T) => T)) =>
    setValue((before) => {
      const now = typeof next === 'function' ? (next as (before: T) => T)(before) : next
      history.replaceState({ ...entry(), kept: { ...entry()?.kept, [name]: now } }, '')
      return now
    })
  return [value, set]
}
