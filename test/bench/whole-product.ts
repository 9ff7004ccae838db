// The whole product as `npm start` runs it, on one core, the load on the others; with the content that a first start
// brings and some more.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '../../src/core/base/config.ts'
import { onPort } from '../../src/embedded/free-port.ts'
import { processesOf } from '../support/product.ts'
import { fetchOnce, getRequest, postRequest } from './load.ts'

const healthyWithinMs = 120_000
const pollMs = 50

export interface Product {
  pid: number
  dataDir: string
  port: number
  stop(): Promise<void>
}

export interface Tokens {
  user: string
  admin: string
}

/** Does some work with a product that is started for it in a directory of its own, with some content. */
export async function withProduct(work: (product: Product, tokens: Tokens) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-product-'))
  const product = await onPort(undefined, (port) => launch(dataDir, port))
  try {
    await work(product, await furnish(product.port))
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function launch(dataDir: string, port: number): Promise<Product> {
  const startedMs = performance.now()
  const script = join(projectRoot, 'dist', 'src', 'commands', 'start.js')
  const pinned = spawnSync('taskset', ['-V']).status === 0
  const [command, args] = pinned ? ['taskset', ['-c', '0', process.execPath, script]] : [process.execPath, [script]]
  const child = spawn(command, args, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the developer's own settings.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      VAPOR_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: String(port),
      WRITES_PER_MINUTE: '0',
      SEARCHES_PER_MINUTE: '0',
      LOG_LEVEL: 'warning',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
    })
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v3/client/health`).catch(() => undefined)
    await response?.text()
    if (response?.status === 200) return { pid: child.pid ?? -1, dataDir, port, stop }
    if (child.exitCode !== null || performance.now() - startedMs > healthyWithinMs) {
      await stop()
      throw new Error(`the product did not come up: ${output}`)
    }
    await delay(pollMs)
  }
}

/** Writes what a small community would have; returns tokens of one of its users and of the admin. */
async function furnish(port: number): Promise<Tokens> {
  const login = async (username: string) => {
    const credentials = Buffer.from(`${username}:password`).toString('base64')
    const response = await fetch(`http://127.0.0.1:${port}/api/v3/auth/login`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
    })
    return ((await response.json()) as { token: string }).token
  }
  const [james, heidi, sam, admin] = (await Promise.all(['james', 'heidi', 'sam', 'admin'].map(login))) as [string, string, string, string]
  const people = [james, heidi, sam]
  const post = async <T>(token: string, path: string, body: object = {}): Promise<T> => {
    const answer = await fetchOnce(port, postRequest(`/api/v3${path}`, body, token))
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.body.toString()}`)
    return (answer.body.length > 0 ? JSON.parse(answer.body.toString()) : undefined) as T
  }
  const text = (words: string) => ({ text: words, images: [] })
  const general = (
    JSON.parse((await fetchOnce(port, getRequest('/api/v3/forum/categories', james))).body.toString()) as {
      title: string
      categoryID: string
      isEventCategory?: boolean
    }[]
  ).find(({ title }) => /general/i.test(title))
  for (let nr = 0; nr < 12; nr++) {
    const author = people[nr % 3] as string
    const { forumID } = await post<{ forumID: string }>(author, `/forum/categories/${general?.categoryID}/create`, {
      title: `Forum number ${nr}`,
      firstPost: text(`The first words about number ${nr}`),
    })
    for (let at = 0; at < (nr === 0 ? 60 : 5); at++)
      await post(people[at % 3] as string, `/forum/${forumID}/create`, text(`Post ${at} has something to say about dinner @james #dinner`))
  }
  for (let at = 0; at < 60; at++)
    await post(
      people[at % 3] as string,
      '/microblog/create',
      text(`Short words number ${at}, the first of them about the weather @heidi #dolphins`),
    )
  const userIDs = await Promise.all(
    people.map(
      async (token) =>
        (JSON.parse((await fetchOnce(port, getRequest('/api/v3/user/whoami', token))).body.toString()) as { userID: string }).userID,
    ),
  )
  for (let nr = 0; nr < 12; nr++) {
    const startTime = new Date(Date.now() + (nr + 3) * 60 * 60_000)
    const { fezID } = await post<{ fezID: string }>(people[nr % 3] as string, '/fez/create', {
      fezType: nr < 6 ? 'gaming' : nr < 10 ? 'closed' : 'privateEvent',
      title: `Group number ${nr}`,
      info: 'The first of its kind',
      minCapacity: nr < 6 ? 2 : 0,
      maxCapacity: nr < 6 ? 10 : 0,
      initialUsers: nr < 6 ? [] : userIDs,
      ...(nr < 6 || nr >= 10 ? { startTime, endTime: new Date(startTime.getTime() + 60 * 60_000), location: 'Deck 5' } : {}),
    })
    if (nr < 6) for (const token of people) if (token !== people[nr % 3]) await post(token, `/fez/${fezID}/join`)
    for (let at = 0; at < 10; at++) await post(people[at % 3] as string, `/fez/${fezID}/post`, text(`Words of the first post number ${at}`))
  }
  return { user: james, admin }
}

/** Processor time of a process and all that it has started, in seconds. */
export function cpuSeconds(root: number): number {
  // User and system time, and those of children that have ended.
  return familyOf(root).reduce(
    (sum, { fields }) => sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + (fields[at] as number), 0) / 100,
    0,
  )
}

/** Memory of a process and all that it has started, in MB; what several of them share counts once. */
export function megabytes(root: number): number {
  return familyOf(root).reduce((sum, { pid }) => {
    try {
      return sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1000
    } catch {
      // It has just ended.
      return sum
    }
  }, 0)
}

/** A process and all that it has started. */
export const pidsOf = (root: number): number[] => familyOf(root).map(({ pid }) => pid)

/** A process and all that it has started, with the numbers of their `stat` behind the name. */
function familyOf(root: number): { pid: number; fields: number[] }[] {
  const processes = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      processes.set(Number(name), fields)
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(processes.get(pid)?.[1] ?? 0))
  return Array.from(processes, ([pid, fields]) => ({ pid, fields })).filter(({ pid }) => isOurs(pid))
}

/** Resident memory of the server process. */
export function serverMegabytes({ dataDir }: Product): number {
  const pid = processesOf({ dataDir, port: 0 })['The server']
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1000
}
