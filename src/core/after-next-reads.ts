// Turns of the loop: it writes to sockets, reads what has come, and runs immediates.

/** Calls `work` when the loop has written what it was given and read what came meanwhile. */
export function afterNextReads(work: () => void): void {
  // The first comes before the next reads of the loop, the second after them.
  setImmediate(() => setImmediate(work))
}
