// The process in which pictures are decoded. A picture that crashes it, or makes it swell, takes
// nothing else along; see images.ts.
import type { ImageOrder } from '../src/core/image-queue.ts'
import { processImage } from '../src/image/processing.ts'

const [root = ''] = process.argv.slice(2)

// The worker may be gone already.
const send = (message: object) => void process.send?.(message, undefined, undefined, () => undefined)

process.on('message', async (order: ImageOrder) => {
  const reply = await processImage(root, order).then((outcome) => ({ outcome }), (error: unknown) => ({ failure: String(error) }))
  send({ ...reply, rssBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
// Only the worker decides.
process.on('SIGINT', () => undefined)
if (!process.connected) process.exit()
send({ ready: true })
