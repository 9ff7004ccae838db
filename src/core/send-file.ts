// Sends a part of a file as the body of an answer: never more of it in memory than a piece, however
// slowly the client reads.
import { open } from 'node:fs/promises'
import type { HttpResponse } from 'uWebSockets.js'
import type { FilePart } from './files.ts'

const pieceBytes = 256 * 1024
/** A client that takes nothing for this long is gone. */
const stalledMs = 30_000

/** Says when a connection is gone, after which `res` must not be touched. */
export interface Connection {
  gone: boolean
  /** Called when it goes. */
  onGone: (() => void) | undefined
}

/** Sends all of it; the head must not have ended yet. `writeHead` runs once, when the file is open. */
export async function sendFile(res: HttpResponse, connection: Connection, part: FilePart, writeHead: () => void): Promise<void> {
  const file = await open(part.path, 'r')
  try {
    const piece = Buffer.alloc(Math.min(pieceBytes, part.size))
    let headWritten = false
    for (let sent = 0; sent < part.size;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, part.size - sent), part.start + sent)
      if (connection.gone) return
      // Shorter than it was: the announced length cannot be kept.
      if (bytesRead === 0) return void res.close()
      const written = await offer(res, connection, piece.subarray(0, bytesRead), part.size, headWritten ? undefined : writeHead)
      headWritten = true
      if (written === 'all' || connection.gone) return
      sent = written === 'piece' ? sent + bytesRead : written
    }
  } finally {
    await file.close()
  }
}

/** Resolves with how far the body has got when the client could not take the piece at once. */
function offer(res: HttpResponse, connection: Connection, piece: Buffer, size: number, writeHead: (() => void) | undefined): Promise<'all' | 'piece' | number> {
  return new Promise((resolve) => {
    let taken = false
    let done = false
    res.cork(() => {
      writeHead?.();
      [taken, done] = res.tryEnd(piece, size)
    })
    if (done) return resolve('all')
    if (taken) return resolve('piece')
    const stalled = setTimeout(() => res.close(), stalledMs)
    const proceed = (offset: number) => {
      clearTimeout(stalled)
      connection.onGone = undefined
      resolve(offset)
    }
    connection.onGone = () => proceed(0)
    res.onWritable((offset) => {
      proceed(offset)
      return true
    })
  })
}
