// Every GET of the API description, one after the other. An endpoint that is added is in it by itself; one that
// cannot be asked is listed.
import { setTimeout as delay } from 'node:timers/promises'
import { fetchOnce, getRequest, timeRequestsFor } from './load.ts'
import { markdown, percentile, shown, type Row } from './table.ts'
import { cpuSeconds, megabytes, serverMegabytes, withProduct, type Tokens } from './whole-product.ts'

const connections = 64
const durationMs = Number(process.env['BENCH_GET_MS'] ?? 1000)
/** Only addresses with one of these words, divided by commas. */
const only = process.env['BENCH_GET_ONLY']?.split(',')
/** After the last request: how often the memory of the server is looked at again. */
const restLooks = 10
const restLookMs = 2000
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
  /** Of all processes, and when. */
  allMb: number
  atSeconds: number
}

/** Prints the table and the memory; there is no limit to compare with. */
export async function gets(): Promise<Row[]> {
  await withProduct(async (product, tokens) => {
    const description = await described(product.port)
    const { asked, left } = await askable(product.port, description, tokens)
    const before = serverMegabytes(product)
    const measured: Measured[] = []
    const startedMs = performance.now()
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
        allMb: megabytes(product.pid),
        atSeconds: (performance.now() - startedMs) / 1000,
      }
      measured.push({ ...each, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) })
    }
    const atRest: number[] = []
    for (let look = 0; look < (only ? 0 : restLooks); look++) {
      await delay(restLookMs)
      atRest.push(serverMegabytes(product))
    }
    report(measured, left, { before, atRest })
  })
  return []
}

function report(measured: readonly Measured[], left: readonly string[], { before, atRest }: { before: number; atRest: number[] }): void {
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
  const points = curve.filter((_, at) => at % step === 0).map((each) => shown(each))
  const times = measured.filter((_, at) => at % step === 0)
  process.stdout.write(
    `${markdown(
      ['Seconds', ...times.map(({ atSeconds }) => atSeconds.toFixed(0))],
      [
        ['The server, MB', ...times.map(({ rssMb }) => shown(rssMb))],
        ['All processes, MB', ...times.map(({ allMb }) => shown(allMb))],
      ],
    )}\n\nMost of all processes: ${shown(Math.max(...measured.map(({ allMb }) => allMb)))} MB.\nMemory of the server: ${points.join(', ')} MB; most ${shown(Math.max(...curve))} MB. Every ${restLookMs / 1000} s after the last request: ${atRest.map((each) => shown(each)).join(', ')} MB.\n`,
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
