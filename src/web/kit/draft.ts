// Drafts: words and pictures that are not sent yet are there again when their writer comes back, also after a reload.
import { useEffect, useRef, useState } from 'preact/hooks'
import { delMany, getMany, keys, setMany } from '../device.ts'
import { me } from '../session.ts'

/** Words, or pictures and what is said of each. */
type Draft = string | readonly Blob[] | readonly string[]

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

/** The words that are begun in places of one kind, such as chats, by the ids of these. */
export function useDrafts(kind: string): ReadonlyMap<string, string> {
  const prefix = `draft ${me.value?.userID} ${kind} `
  const [found, show] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    const read = async () => {
      const names = (await keys()).map(String).filter((name) => name.startsWith(prefix))
      const all = new Map((await getMany<Draft>(names)).map((draft, index) => [names[index] ?? '', draft] as const))
      // Those of this page may not be stored yet.
      for (const [name, draft] of drafts) if (name.startsWith(prefix)) all.set(name, draft)
      const words = [...all].flatMap(([name, draft]) =>
        typeof draft === 'string' && draft.trim() ? [[name.slice(prefix.length), draft] as const] : [],
      )
      if (words.length > 0) show(new Map(words))
    }
    void read().catch(() => undefined)
  }, [prefix])
  return found
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
