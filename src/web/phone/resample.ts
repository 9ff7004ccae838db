// Sound between the rate of a device and that of calls.

export const callRate = 16_000

/** Turns a stream of samples into one of another rate, by straight lines between neighbours. */
export class Resampler {
  readonly #step: number
  /** Where the next sample lies, counted from the first of the next block. */
  #at = 0
  #last = 0

  constructor(from: number, to: number) {
    this.#step = from / to
  }

  run(block: Float32Array): number[] {
    const samples: number[] = []
    for (; this.#at < block.length; this.#at += this.#step) {
      const index = Math.floor(this.#at)
      const before = index === 0 ? this.#last : (block[index - 1] as number)
      samples.push(before + ((block[index] as number) - before) * (this.#at - index))
    }
    this.#at -= block.length
    this.#last = block.at(-1) ?? this.#last
    return samples
  }
}

/** A frame of a call: the number of samples, then each as 16 bits. */
export function frameOf(samples: readonly number[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(4 + 2 * samples.length))
  view.setUint32(0, samples.length, true)
  samples.forEach((sample, index) => view.setInt16(4 + 2 * index, Math.max(-1, Math.min(1, sample)) * 0x7fff, true))
  return view.buffer
}

/** Empty for bytes that are no frame. */
export function samplesOf(frame: ArrayBuffer): Float32Array {
  const view = new DataView(frame)
  const count = frame.byteLength >= 4 ? view.getUint32(0, true) : 0
  if (frame.byteLength !== 4 + 2 * count) return new Float32Array(0)
  return Float32Array.from({ length: count }, (_, index) => view.getInt16(4 + 2 * index, true) / 0x8000)
}
