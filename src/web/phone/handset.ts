// Microphone and loudspeaker of one call, joined to its socket.
import type { RawSocket } from '../../sdk/client.ts'
import { frameOf, samplesOf } from './resample.ts'

/** Why this page cannot use a microphone; undefined when it can. */
export function obstacle(): 'insecure' | 'unsupported' | undefined {
  if (!isSecureContext) return 'insecure'
  return navigator.mediaDevices && 'AudioWorkletNode' in window ? undefined : 'unsupported'
}

interface Events {
  /** Both are there. */
  started: () => void
  /** The loudest of the last frame that was heard, 0 to 1. */
  heard: (loudness: number) => void
  /** @param opened false: the server did not take the socket. */
  closed: (opened: boolean) => void
}

export interface Handset {
  mute(muted: boolean): void
  hangUp(): void
}

/** How often the server is asked whether it is still there, and after how long a silence it is not: it gives up after as long, too. */
const askEveryMs = 4000
const silentMs = 16_000

/** Asks for the microphone. The first frame says that the other one is there; sound before it is dropped. */
export async function openHandset(connect: () => RawSocket, { started, heard, closed }: Events): Promise<Handset> {
  const microphone = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } })
  const context = new AudioContext()
  const stop = () => {
    for (const track of microphone.getTracks()) track.stop()
    void context.close().catch(() => undefined)
  }
  try {
    await context.audioWorklet.addModule('/call-audio.js')
    const node = new AudioWorkletNode(context, 'handset', { numberOfInputs: 1, numberOfOutputs: 1 })
    context.createMediaStreamSource(microphone).connect(node)
    node.connect(context.destination)
    const socket = connect()
    let isOpen = false
    let hasStarted = false
    node.port.addEventListener('message', ({ data }: MessageEvent<number[]>) => {
      if (hasStarted && socket.readyState === WebSocket.OPEN) socket.send(frameOf(data))
    })
    node.port.start()
    // A network that lets nothing through looks like a call in which nobody speaks.
    let answers = false
    let heardMs = 0
    const asking = setInterval(() => {
      if (!isOpen) return
      if (answers && performance.now() - heardMs > silentMs) return end()
      // It may be closing already: the event of its end only comes when the network lets it through.
      if (socket.readyState === WebSocket.OPEN) socket.send('ping')
    }, askEveryMs)
    let hasEnded = false
    function end(): void {
      if (hasEnded) return
      hasEnded = true
      clearInterval(asking)
      socket.close()
      stop()
      closed(isOpen)
    }
    socket.addEventListener('open', () => {
      isOpen = true
    })
    socket.addEventListener('message', ({ data }) => {
      heardMs = performance.now()
      if (!(data instanceof ArrayBuffer)) {
        // Servers of older versions do not answer.
        answers = true
        return
      }
      if (!hasStarted) {
        hasStarted = true
        started()
        return
      }
      const samples = samplesOf(data)
      heard(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0))
      node.port.postMessage(samples, [samples.buffer])
    })
    socket.addEventListener('close', end)
    return {
      mute(muted) {
        for (const track of microphone.getTracks()) track.enabled = !muted
      },
      hangUp: end,
    }
  } catch (error) {
    stop()
    throw error
  }
}
