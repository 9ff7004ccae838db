// Runs in the audio thread: takes the microphone's samples to the page at the rate of calls, and plays what comes from there.
import { callRate, Resampler } from './resample.ts'

declare const sampleRate: number
declare function registerProcessor(name: string, processor: unknown): void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

const frameSamples = 320
/** Before sound starts: a network is not even. */
const headStartSamples = callRate * 0.06
/** More than this is not waited for: it is dropped. */
const mostSamples = callRate * 0.6

class Handset extends AudioWorkletProcessor {
  readonly #toCall = new Resampler(sampleRate, callRate)
  readonly #toEar = new Resampler(callRate, sampleRate)
  #taken: number[] = []
  #waiting: number[] = []
  #playing: number[] = []
  #isPlaying = false

  constructor() {
    super()
    this.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => {
      this.#waiting.push(...data)
      if (this.#waiting.length > mostSamples) this.#waiting.splice(0, this.#waiting.length - headStartSamples)
    })
    this.port.start()
  }

  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const voice = inputs[0]?.[0]
    const [ear, ...others] = outputs[0] ?? []
    if (voice) this.#taken.push(...this.#toCall.run(voice))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a MessagePort has no origin
    while (this.#taken.length >= frameSamples) this.port.postMessage(this.#taken.splice(0, frameSamples))
    if (ear) {
      this.#fill(ear.length)
      ear.set(this.#playing.splice(0, ear.length))
      for (const other of others) other.set(ear)
    }
    return true
  }

  #fill(length: number): void {
    if (!this.#isPlaying && this.#waiting.length < headStartSamples) return
    this.#isPlaying = true
    while (this.#playing.length < length && this.#waiting.length > 0)
      this.#playing.push(...this.#toEar.run(Float32Array.from(this.#waiting.splice(0, frameSamples))))
    if (this.#playing.length < length) this.#isPlaying = false
  }
}

registerProcessor('handset', Handset)
