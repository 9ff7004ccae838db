// Every GET of the API description, one after the other: the whole product as `npm start` runs it on one
// core, the load on the others, with the content that a first start brings and some more. An endpoint that is added is
// in it by itself; one that cannot be asked is listed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '../../src/core/config.ts'
import { onPort } from '../../src/embedded/free-port.ts'
import { processesOf } from '../support/product.ts'
import { fetchOnce, getRequest, postRequest, timeRequestsFor } from './load.ts'
import { markdown, percentile, shown, type Row } from './table.ts'

const connections = 64
const durationMs = Number(process.env['BENCH_GET_MS'] ?? 1000)
/** Only addresses with one of these words, divided by commas. */
const only = process.env['BENCH_GET_ONLY']?.split(',')
const healthyWithinMs = 120_000
/** After the last request, until the memory of the server is looked at once more. */
const restMs = 15_000
const pollMs = 50
/** These fetch, hash, export or change something. */
const apart = /bulkuserfile|client\/metrics|schedule\/(verify|reload)|allocate/

interface Measured {
  path: string
  perSecond: number
  /** Of all processes of the product: what other programs take of its core does not count. */
  perCpuSecond: number
  p50: number
  p99: number
  bytes: number
  rssMb: number
}

interface Product {
  pid: number
  dataDir: string
  port: number
  stop(): Promise<void>
}

interface Tokens {
  user: string
  admin: string
}

/** Prints the table and the memory; there is no limit to compare with. */
export async function gets(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-gets-'))
  const product = await onPort(undefined, (port) => launch(dataDir, port))
  try {
    const tokens = await furnish(product.port)
    const description = await described(product.port)
    const { asked, left } = await askable(product.port, description, tokens)
    const before = serverMegabytes(product)
    const measured: Measured[] = []
    for (const [path, token] of asked) {
      if (only && !only.some((word) => path.includes(word))) continue
      const request = getRequest(path, token)
      const { body } = await fetchOnce(product.port, request)
      const cpuBefore = cpuSeconds(product.pid)
      const sorted = (await timeRequestsFor(product.port, request, connections, durationMs)).toSorted((a, b) => a - b)
      const each = {
        path,
        perSecond: (sorted.length * 1000) / durationMs,
        perCpuSecond: sorted.length / (cpuSeconds(product.pid) - cpuBefore),
        bytes: body.length,
        rssMb: serverMegabytes(product),
      }
      measured.push({ ...each, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) })
    }
    await delay(only ? 0 : restMs)
    report(measured, left, { before, atRest: serverMegabytes(product) })
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return []
}

function report(measured: readonly Measured[], left: readonly string[], { before, atRest }: { before: number; atRest: number }): void {
  const lines = measured
    .toSorted((a, b) => a.perCpuSecond - b.perCpuSecond)
    .map(({ path, perSecond, perCpuSecond, p50, p99, bytes, rssMb }) => [
      path,
      shown(perCpuSecond),
      shown(perSecond),
      shown(p50),
      shown(p99),
      shown(bytes / 1000),
      shown(rssMb),
    ])
  process.stdout.write(`${markdown(['GET', 'a second of processor time', 'a second', 'p50 ms', 'p99 ms', 'kB', 'server MB'], lines)}\n\n`)
  if (left.length > 0) process.stdout.write(`Not measured: ${left.join(', ')}.\n`)
  const curve = [before, ...measured.map(({ rssMb }) => rssMb)]
  const step = Math.max(1, Math.floor(curve.length / 12))
  const points = curve.filter((_, at) => at % step === 0).map((megabytes) => shown(megabytes))
  process.stdout.write(
    `Memory of the server: ${points.join(', ')} MB; most ${shown(Math.max(...curve))} MB, ${restMs / 1000} s after the last request ${shown(atRest)} MB.\n`,
  )
}

// What is asked.

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: { type?: string; enum?: string[]; items?: { enum?: string[] } }
}

interface Operation {
  parameters?: (Parameter & { $ref?: string })[]
  requestBody?: unknown
}

interface Description {
  servers: { url: string }[]
  paths: Record<string, { get?: Operation; servers?: { url: string }[] }>
  components: { parameters?: Record<string, Parameter> }
}

async function described(port: number): Promise<Description> {
  const { body } = await fetchOnce(port, getRequest('/openapi.json', 'none'))
  return JSON.parse(body.toString()) as Description
}

/** Values by which parameters are filled when no answer has brought one. */
const wellKnown: Record<string, string> = {
  date: '2024-01-01T00:00:00Z',
  searchstring: 'first',
  usersearchstring: 'jam',
  username: 'james',
  hashtag: '#dolphins',
  string: 'words in a square',
  userrole: 'shutternaut',
}
/** Parameters and the fields of answers that hold what they want. */
const sources: Record<string, string[]> = {
  boardgameid: ['gameid'],
  postid: ['twarrtid'],
  announcementid: ['id'],
  songid: ['songid'],
  imagefilename: ['userimage', 'image'],
  personaleventid: ['personaleventid', 'fezid'],
  puzzleid: ['puzzleid'],
}
const keyOf = (name: string) => name.toLowerCase().replaceAll('_', '')

/** Addresses with the token by which each answers with 200, and those for which there is none. */
async function askable(
  port: number,
  { paths, components, servers }: Description,
  tokens: Tokens,
): Promise<{ asked: [string, string][]; left: string[] }> {
  const found = new Map<string, Map<string, string>>()
  const asked: [string, string][] = []
  const left: string[] = []
  const templates = Object.entries(paths)
    .map(([path, item]) => [(item.servers ?? servers)[0]?.url.replace(/\/$/, '') + path, item] as const)
    .filter(([template, { get }]) => get !== undefined && !apart.test(template))
  const bySlots = templates.toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
  for (const [template, { get }] of bySlots) {
    const parameters = (get?.parameters ?? []).map((each) =>
      each.$ref ? (components.parameters?.[each.$ref.split('/').at(-1) ?? ''] ?? each) : each,
    )
    const filled = [...fillings(template, parameters, found)]
    const query = parameters
      .filter((each) => each.in === 'query' && each.required)
      .map(({ name }) => `${name}=${encodeURIComponent(wellKnown[keyOf(name)] ?? 'first')}`)
    const searches = parameters.some(({ name, in: where }) => where === 'query' && name === 'search')
    let answer: string | number = 'no value for its parameters'
    for (const path of filled) {
      answer = await ask(port, withQuery(path, query), tokens, asked, found, template)
      if (answer === 200) break
    }
    if (answer === 400 && searches)
      answer = await ask(port, withQuery(filled[0] ?? template, [...query, 'search=first']), tokens, asked, found, template)
    else if (answer === 200 && searches)
      await ask(port, withQuery(asked.at(-1)?.[0].split('?')[0] ?? template, [...query, 'search=first']), tokens, asked, found, template)
    if (answer !== 200) left.push(`${template} (${answer})`)
  }
  return { asked, left }
}

const withQuery = (path: string, query: readonly string[]) => (query.length === 0 ? path : `${path}?${query.join('&')}`)

async function ask(
  port: number,
  path: string,
  tokens: Tokens,
  asked: [string, string][],
  found: Map<string, Map<string, string>>,
  template: string,
): Promise<number> {
  let status = 0
  for (const token of [tokens.user, tokens.admin]) {
    const answer = await fetchOnce(port, getRequest(path, token))
    status = answer.status
    if (status !== 200) continue
    if (answer.body[0] === 0x7b || answer.body[0] === 0x5b) harvest(JSON.parse(answer.body.toString()), found, template)
    asked.push([path, token])
    break
  }
  return status
}

/** A template with some of the values that are known for its parameters. */
function* fillings(template: string, parameters: readonly Parameter[], found: Map<string, Map<string, string>>): Generator<string> {
  const slots = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  if (slots.length === 0) return yield template
  const area = areaOf(template)
  const candidates = slots.map((slot) => {
    const key = keyOf(slot)
    const choice = parameters.find(({ name }) => name === slot)?.schema?.enum?.[0]
    const values = [key, ...(sources[key] ?? [])].flatMap((each) => {
      const values = [...(found.get(each) ?? [])]
      return [...values.filter(([, from]) => from === area), ...values.filter(([, from]) => from !== area)].map(([value]) => value)
    })
    return choice !== undefined ? [choice] : wellKnown[key] !== undefined ? [wellKnown[key]] : values
  })
  for (let nr = 0; nr < 8; nr++) {
    const values = candidates.map((of) => of[Math.min(nr, of.length - 1)])
    if (values.some((value) => value === undefined)) return
    yield slots.reduce((path, slot, at) => path.replace(`{${slot}}`, encodeURIComponent(values[at] as string)), template)
    if (candidates.every((of) => nr + 1 >= of.length)) return
  }
}

const areaOf = (template: string) => template.split('/').find((part) => part !== '' && !/^(api|v3|mod|admin)$/.test(part)) ?? ''

/** Notes the ids and names in an answer. */
function harvest(value: unknown, found: Map<string, Map<string, string>>, template: string): void {
  if (Array.isArray(value)) for (const each of value.slice(0, 10)) harvest(each, found, template)
  else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === 'object') harvest(field, found, template)
      else if (/(id|image|filename)$/i.test(name)) {
        const values = found.get(keyOf(name)) ?? new Map<string, string>()
        if (values.size < 50 && !values.has(String(field))) found.set(keyOf(name), values.set(String(field), areaOf(template)))
      }
    }
}

// The product and what is in it.

async function launch(dataDir: string, port: number): Promise<Product> {
  const startedMs = performance.now()
  const script = join(projectRoot, 'dist', 'src', 'start.js')
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
      ...(process.env['BENCH_PROFILE'] ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env['BENCH_PROFILE']}` } : {}),
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
function cpuSeconds(root: number): number {
  const processes = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      // User and system time, and those of children that have ended.
      processes.set(Number(name), {
        parent: fields[1] as number,
        ticks: [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] as number), 0),
      })
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (pid: number): boolean =>
    pid === root || (processes.has(pid) && pid > 1 && isOurs((processes.get(pid) as { parent: number }).parent))
  return [...processes].reduce((sum, [pid, { ticks }]) => (isOurs(pid) ? sum + ticks / 100 : sum), 0)
}

/** Resident memory of the server process. */
function serverMegabytes({ dataDir }: Product): number {
  const pid = processesOf({ dataDir, port: 0 })['The server']
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN) / 1000
}
