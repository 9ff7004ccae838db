// Drafts: words and pictures that are not sent yet are there again when their writer comes back, also after a reload.
import { useEffect, useRef, useState } from 'preact/hooks'
import { delMany, getMany, setMany } from '../device.ts'
import { me } from '../session.ts'

/** Words, or pictures. */
type Draft = string | readonly Blob[]

const writeEveryMs = 300
/** Those of this page, by their names in the store. */
const drafts = new Map<string, Draft>()
const unwritten = new Set<string>()
let timer: number | undefined

type Change<D extends Draft> = (next: D | ((before: D) => D)) => void

/**
 * What is begun for one place, and a function that changes it, also when its component is gone; `start` without any. A component is
 * only ever for one place; undefined: nothing is kept.
 */
export function useDraft<D extends Draft>(place: string | undefined, start: D): [D, Change<D>] {
  const name = place === undefined ? undefined : `draft ${me.value?.userID} ${place}`
  const known = name === undefined ? undefined : (drafts.get(name) as D | undefined)
  const [draft, show] = useState(known?.length ? known : start)
  useEffect(() => {
    if (name === undefined || drafts.has(name)) return
    const restore = ([kept]: (D | undefined)[]) => kept?.length && !drafts.has(name) && show(kept)
    void getMany<D | undefined>([name]).then(restore, () => undefined)
  }, [])
  const now = useRef(draft)
  now.current = draft
  const change: Change<D> = (next) => {
    now.current = typeof next === 'function' ? next(now.current) : next
    show(now.current)
    if (name === undefined) return
    drafts.set(name, now.current)
    unwritten.add(name)
    // Words change with each key; a picture takes its time to be stored, and a camera may end the page.
    if (typeof now.current === 'string') timer ??= window.setTimeout(write, writeEveryMs)
    else write()
  }
  return [draft, change]
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  const names = [...unwritten]
  unwritten.clear()
  // Somebody who has signed out leaves nothing behind.
  if (!me.value || names.length === 0) return
  const isEmpty = (name: string) => drafts.get(name)?.length === 0
  void delMany(names.filter(isEmpty)).catch(() => undefined)
  void setMany(names.filter((name) => !isEmpty(name)).map((name) => [name, drafts.get(name)])).catch(() => undefined)
}

document.addEventListener('visibilitychange', () => {
  // A page that goes to the background may never come back.
  if (document.visibilityState === 'hidden') write()
})
