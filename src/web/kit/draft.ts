// Drafts: words that are not sent yet are there again when their writer comes back, also after a reload.
import { useEffect, useState } from 'preact/hooks'
import { delMany, getMany, setMany } from '../device.ts'
import { me } from '../session.ts'

const writeEveryMs = 300
/** Those of this page, by their names in the store. */
const drafts = new Map<string, string>()
const unwritten = new Set<string>()
let timer: number | undefined

/** The words for one place, and a function that changes them; `start` without any. A component is only ever for one place. */
export function useDraft(place: string, start: string): [string, (text: string) => void] {
  const name = `draft ${me.value?.userID} ${place}`
  const [text, show] = useState(drafts.get(name) || start)
  useEffect(() => {
    if (drafts.has(name)) return
    const restore = ([kept = '']: (string | undefined)[]) => kept !== '' && !drafts.has(name) && show(kept)
    void getMany<string | undefined>([name]).then(restore, () => undefined)
  }, [])
  const change = (next: string) => {
    show(next)
    drafts.set(name, next)
    unwritten.add(name)
    timer ??= window.setTimeout(write, writeEveryMs)
  }
  return [text, change]
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  const names = [...unwritten]
  unwritten.clear()
  // Somebody who has signed out leaves nothing behind.
  if (!me.value || names.length === 0) return
  const isEmpty = (name: string) => drafts.get(name) === ''
  void delMany(names.filter(isEmpty)).catch(() => undefined)
  void setMany(names.filter((name) => !isEmpty(name)).map((name) => [name, drafts.get(name)])).catch(() => undefined)
}

document.addEventListener('visibilitychange', () => {
  // A page that goes to the background may never come back.
  if (document.visibilityState === 'hidden') write()
})
