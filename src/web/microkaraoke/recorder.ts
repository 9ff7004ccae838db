// Records a clip with camera and microphone while the music plays.

/** Best first: phones play the first everywhere. */
const formats = ['video/mp4;codecs="avc1.42E01E,mp4a.40.2"', 'video/mp4', 'video/webm;codecs="vp8,opus"', 'video/webm']
const bitsPerSecond = 4_000_000
/** The server refuses smaller ones. */
const leastBytes = 510_000

/** The format this browser can record in; undefined when it, or an insecure page, can record none. */
export function formatHere(): string | undefined {
  if (!isSecureContext || !navigator.mediaDevices || !('MediaRecorder' in window)) return undefined
  return formats.find((format) => MediaRecorder.isTypeSupported(format))
}

export interface Take {
  stop(): void
}

interface Options {
  format: string
  /** Address of what is sung to; the clip ends with it. */
  music: string
  isPortrait: boolean
  begun: (take: Take, stream: MediaStream) => void
}

/** Resolves with the clip when the music is over or somebody stops. */
export async function record({ format, music, isPortrait, begun }: Options): Promise<Blob> {
  const [long, short] = [{ ideal: 960 }, { ideal: 540 }]
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: true,
    video: { facingMode: 'user', width: isPortrait ? short : long, height: isPortrait ? long : short },
  })
  const player = new Audio(music)
  try {
    const recorder = new MediaRecorder(stream, { mimeType: format, videoBitsPerSecond: bitsPerSecond })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const done = new Promise<void>((resolve, reject) => {
      recorder.addEventListener('stop', () => resolve())
      recorder.addEventListener('error', () => reject(new DOMException('The recording failed.', 'InvalidStateError')))
    })
    const stop = () => {
      if (recorder.state !== 'inactive') recorder.stop()
    }
    player.addEventListener('ended', stop)
    begun({ stop }, stream)
    recorder.start()
    await player.play()
    await done
    return filledUp(new Blob(parts, { type: format.split(';')[0] ?? '' }))
  } finally {
    player.pause()
    for (const track of stream.getTracks()) track.stop()
  }
}

/** A short clip of a dark room may be too small for the server: an empty box at its end, which players pass over, makes it large enough. */
export function filledUp(clip: Blob): Blob {
  const missing = leastBytes - clip.size
  if (missing <= 0) return clip
  const box = new DataView(new ArrayBuffer(missing))
  if (clip.type === 'video/mp4') {
    box.setUint32(0, missing)
    // "free"
    box.setUint32(4, 0x66726565)
  } else {
    // Void of Matroska: its length takes eight bytes.
    const head = 9
    box.setUint8(0, 0xec)
    box.setUint8(1, 0x01)
    box.setUint32(5, missing - head)
  }
  return new Blob([clip, box], { type: clip.type })
}
