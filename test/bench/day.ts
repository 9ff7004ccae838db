// A day at sea: 3,000 users look for news every ten seconds, hold a socket each, write in chats, forums
// and the microblog, read them, and send pictures; once a minute the schedule is reloaded; meanwhile an
// announcement. Several such communities at once until the server cannot keep up, and the same with a
// server written the straightforward way.
import { connectAll, live, multipart, prepareDay, seconds, users, type Day, type Upload } from './day-load.ts'
import { startWorker } from './images.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'

/** How many such communities are tried at once; a part of one has as many sockets, and asks for as much less. */
const communities = [0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16]
/** What a server does not keep up with in so many is too much for it: a shared machine is slow at times by itself. */
const tries = 2
/** What counts as keeping up. */
const slowestAnswerMs = 1000
const loopDelayMs = 20

export async function day(bench: Bench): Promise<Row[]> {
  const day = await prepareDay(bench)
  const stopWorker = await startWorker(day.env)
  const ours = await day.reloading(() => rush('product-server.js', day, multipart(day.picture), (server) => day.announce(server)))
  await stopWorker()
  const theirs = await day.reloading(() =>
    rush('straightforward-server.js', day, { type: 'image/jpeg', body: day.picture }, async (server) => {
      await server.order('announce', { text: 'Land ahead' })
    }),
  )
  await day.close()
  const ratio = ours / theirs
  return [
    {
      work: `a day at sea, against Fastify, ws and the same SQL`,
      unit: `communities of ${users} users`,
      ours,
      limit: theirs,
      ratio,
      spread: [ratio, ratio],
    },
  ]
}

/** The greatest number of communities that the server keeps up with; 0 for none. */
async function rush(script: string, day: Day, upload: Upload, announce: (server: Measured) => Promise<void>): Promise<number> {
  let best = 0
  for (const count of communities) {
    let keepsUp = false
    for (let left = tries; left > 0 && !keepsUp; left--) keepsUp = await keepsUpWith(count, script, day, upload, announce)
    if (!keepsUp) break
    best = count
  }
  return best
}

async function keepsUpWith(
  count: number,
  script: string,
  day: Day,
  upload: Upload,
  announce: (server: Measured) => Promise<void>,
): Promise<boolean> {
  const server = await startMeasured(script, day.env)
  const readers = await connectAll(server, day)
  const { answered, failed, p50Ms, p99Ms, maxMs, delayMs, cpu } = await live(
    server,
    day,
    upload,
    count,
    () => announce(server),
    async () => [await server.order<number>('cpuSeconds')],
  )
  for (const reader of readers) reader.close()
  await server.stop()
  process.stdout.write(
    `  ${script}, ${count} communities: ${Math.round(answered / seconds)} answers/s, ${failed} failed, ` +
      `median ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(0)} ms, slowest ${maxMs.toFixed(0)} ms, loop delay p99 ${delayMs.toFixed(1)} ms, processor ${((cpu[0] as number) * 100).toFixed(0)} %\n`,
  )
  return failed === 0 && maxMs < slowestAnswerMs && delayMs < loopDelayMs
}
