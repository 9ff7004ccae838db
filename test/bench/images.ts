// Pictures of phones uploaded as avatars, against the same work by sharp alone; and how long the
// server's loop is held up meanwhile.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import sharp from 'sharp'
import { Agent, request } from 'undici'
import { createResidents } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const perRun = 12
const atOnce = 4
const pairs = 5

export async function images({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [resident] = await createResidents(sql, tokenSecret, 1)
  await sql.end()
  const picture = await sharp({
    create: { width: 4032, height: 3024, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 20 } },
  })
    .jpeg({ quality: 80 })
    .toBuffer()
  const server = await startMeasured('product-server.js', env)
  const stopWorker = await startWorker(env)
  sharp.cache(false)
  sharp.concurrency(1)
  const delays: number[] = []
  const row = await compare(
    `uploads of 12 megapixels, ${(picture.length / 1e6).toFixed(1)} MB each`,
    'pictures per second',
    pairs,
    async () => {
      await server.order('loopDelay')
      const rate = await perSecond(() => upload(server, resident?.token ?? '', picture))
      delays.push(await server.order<number>('loopDelay'))
      return rate
    },
    () => perSecond(() => bare(picture)),
  )
  await Promise.all([server.stop(), stopWorker()])
  process.stdout.write(`  loop delay of the server meanwhile, 99th percentile: ${Math.max(...delays).toFixed(1)} ms at worst\n`)
  return [row]
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  let left = perRun
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work()
    }),
  )
  return (perRun / (performance.now() - startedMs)) * 1000
}

const agent = new Agent({ connections: atOnce })

async function upload({ port }: Measured, token: string, picture: Buffer): Promise<void> {
  const boundary = 'a-boundary-of-the-benchmark'
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="x.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await request(`http://127.0.0.1:${port}/api/v3/user/image`, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`upload answered ${answer.statusCode}: ${text}`)
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other, as the worker does it. */
async function bare(picture: Buffer): Promise<void> {
  const turn = last.then(async () => {
    const full = await sharp(picture)
      .autoOrient()
      .resize(2048, 2048, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 90 })
      .toBuffer()
    await sharp(full).resize(200, 200).jpeg({ quality: 90 }).toBuffer()
  })
  last = turn
  await turn
}

/** The worker of the product, off the server's core. */
export async function startWorker(env: Record<string, string>): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(new URL('../../workers/main.js', import.meta.url)), [], { env: { ...process.env, ...env } })
  if (availableParallelism() > 1) spawnSync('taskset', ['-apc', `1-${availableParallelism() - 1}`, String(child.pid)], { stdio: 'ignore' })
  await once(child, 'message')
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
