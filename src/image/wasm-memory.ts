// Decoders in WebAssembly ask for memory as headers say, and headers lie: what they get is bounded here.
/** What the types of this runtime leave out. */
interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Below what the process may take, with the copies of the pixels beside it. */
const maxBytes = 320 * 1024 * 1024
/** One that has taken more leaves too little for the next picture, and never gives it back. */
const spentBytes = 64 * 1024 * 1024

/** Ever asked for. */
let largestBytes = 0
let isLimited = false

/** To be called before a decoder is loaded. One that gets no more memory fails. */
export function limitMemory(): void {
  if (isLimited) return
  isLimited = true
  const { prototype } = (WebAssembly as unknown as { Memory: { prototype: Memory } }).Memory
  const grow = prototype.grow
  prototype.grow = function (this: Memory, pages: number) {
    const bytes = this.buffer.byteLength + pages * 65_536
    largestBytes = Math.max(largestBytes, bytes)
    if (bytes > maxBytes) throw new RangeError('A picture asks for too much memory.')
    return grow.call(this, pages)
  }
}

/** True when this process should make room for another one. */
export const isSpent = (): boolean => largestBytes > spentBytes

/** True when a decoder has asked for more than it gets. Some try again with less. */
export const hasRunOut = (): boolean => largestBytes > maxBytes
