// Reading a large body without holding the loop.
import { setImmediate as nextTurn } from 'node:timers/promises'

const portionBytes = 64 * 1024
const breatheAfterMs = 5

/**
 * The body in portions between which other work gets its turn. Texts made of them are so small that they are young when
 * nobody needs them any more: longer ones are collected with the whole heap.
 */
export async function* inPortions(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let breathedMs = performance.now()
  for await (const piece of body) {
    for (let start = 0; start < piece.length; start += portionBytes) {
      yield piece.subarray(start, start + portionBytes)
      if (performance.now() - breathedMs < breatheAfterMs) continue
      await nextTurn()
      breathedMs = performance.now()
    }
  }
}
