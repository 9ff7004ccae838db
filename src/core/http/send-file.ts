// Sends a part of a file, or what is made meanwhile, as the body of an answer: never more of it in memory
// than a piece, however slowly the client reads.
import { open } from 'node:fs/promises'
import type { HttpResponse } from 'uWebSockets.js'
import { Pieces, type FilePart } from '../files/files.ts'

const pieceBytes = 256 * 1024
/** A client that takes nothing for this long is gone. */
const stalledMs = 30_000

/** Says when a connection is gone, after which `res` must not be touched. */
export interface Connection {
  gone: boolean
  /** Called when it goes. */
  onGone: (() => void) | undefined
}

/** Sends all of it; the head must not have ended yet. `writeHead` runs once, when the first piece is there. */
export async function sendPieces(
  res: HttpResponse,
  connection: Connection,
  source: FilePart | Pieces,
  writeHead: () => void,
): Promise<void> {
  let start = 0
  let headWritten = false
  for await (const piece of source instanceof Pieces ? source.pieces : piecesOf(source)) {
    for (let sent = start; sent < start + piece.length;) {
      if (connection.gone) return
      const written = await offer(res, connection, piece.subarray(sent - start), source.size, headWritten ? undefined : writeHead)
      headWritten = true
      if (written === 'all' || connection.gone) return
      sent = written === 'piece' ? start + piece.length : written
    }
    start += piece.length
  }
  // Shorter than it was: the announced length cannot be kept.
  if (!connection.gone) res.close()
}

async function* piecesOf({ path, start, size }: FilePart): AsyncGenerator<Buffer, void> {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.alloc(Math.min(pieceBytes, size))
    for (let read = 0; read < size;) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - read), start + read)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
      read += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** Resolves with how far the body has got when the client could not take the piece at once. */
function offer(
  res: HttpResponse,
  connection: Connection,
  piece: Buffer,
  size: number,
  writeHead: (() => void) | undefined,
): Promise<'all' | 'piece' | number> {
  return new Promise((resolve) => {
    let taken = false
    let done = false
    res.cork(() => {
      writeHead?.()
      ;[taken, done] = res.tryEnd(piece, size)
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
