// The process in which pictures are decoded. A picture that crashes it, or makes it swell, takes
// nothing else along; see images.ts.
import type { ImageOrder } from '../src/image/queue.ts'
import { processImage } from '../src/image/processing.ts'
import { isSpent } from '../src/image/wasm-memory.ts'

const [root = ''] = process.argv.slice(2)

// The worker may be gone already.
const send = (message: object) => void process.send?.(message, undefined, undefined, () => undefined)
const reply = (outcome: object) => send({ ...outcome, rssBytes: process.memoryUsage.rss(), isSpent: isSpent() })

process.on('message', (order: ImageOrder) => {
  processImage(root, order).then(
    (outcome) => reply({ outcome }),
    (error: unknown) => reply({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
// Only the worker decides.
process.on('SIGINT', () => undefined)
if (!process.connected) process.exit()
send({ ready: true })
