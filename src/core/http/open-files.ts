// Every connection is an open file, and a process may have only so many: one that has none left can neither take a
// connection nor refuse it, and reaches neither Postgres nor a picture.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Node } from '../work/ctx.ts'
import type { Listener } from './listener.ts'

const lookEveryMs = 250
/** Kept back for what is no connection of a client. */
const reserveOf = (limit: number) => Math.max(Math.min(64, Math.floor(limit / 4)), Math.floor(limit / 16))

/** The soft limit of this process; undefined where the system does not say. */
export function openFileLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** Takes no connections while hardly a file is left. The returned function ends that. */
export function watchOpenFiles({ clock, log }: Node, listener: Listener): () => void {
  const limit = openFileLimit()
  if (limit === undefined) return () => undefined
  const most = limit - reserveOf(limit)
  const look = async () => {
    const isFull = lowestFreeFile() >= most
    if (isFull && listener.pause()) log.warn({ limit }, 'no new connections are taken: nearly all files that may be open are open')
    else if (!isFull && (await listener.resume())) log.notice({ limit }, 'new connections are taken again')
  }
  return clock.every(lookEveryMs, () => void look())
}

/** A file that is opened gets the lowest number that is free: so many are open at least. */
function lowestFreeFile(): number {
  try {
    const file = openSync(devNull, 'r')
    closeSync(file)
    return file
  } catch {
    return Infinity
  }
}
