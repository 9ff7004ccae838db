// The answers of a server to everything that can be read, and how those of two versions differ.
import { setTimeout as pause } from 'node:timers/promises'

/** What is compared of an answer. */
export interface Answer {
  status: number
  /** Members of its JSON with their types, such as `posts[].author.username string`. */
  members: ReadonlySet<string>
  ms: number
}

export type Answers = ReadonlyMap<string, Answer>

/** Somebody who asks. */
export interface Person {
  username: string
  token: string
}

const patienceMs = 15_000
const mostIds = 2
const mostRequests = 600
const mostBytes = 4 * 1024 * 1024
/** An answer that took this much longer, and this long, is said. */
const slower = 5
const slowMs = 500

/** Ids that answers have, by the name of their member: `fezID` as `fezid`. */
export type Ids = Map<string, Set<string>>

interface Described {
  servers?: { url: string }[]
  get?: object
}

/** GETs that the API document of a server has, with all that comes before the path. */
export async function readPaths(url: string): Promise<string[]> {
  const { servers: usual, paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Described & { paths: Record<string, Described> }
  return Object.entries(paths)
    .filter(([, { get }]) => get !== undefined)
    .map(([path, { servers = usual }]) => `${servers?.[0]?.url.replace(/(?<!\/)\/$/, '') ?? ''}${path}`.replace(/^\/\//, '/'))
}

/** Asks for each path as each person: first for those without ids, whose answers have some for the others. */
export async function askEverything(url: string, paths: readonly string[], people: readonly Person[]): Promise<Answers> {
  const ordered = paths.toSorted((one, other) => one.split('{').length - other.split('{').length || (one < other ? -1 : 1))
  const asked = await Promise.all(people.map((person) => askAs(person, url, ordered)))
  return new Map(asked.flat())
}

async function askAs(person: Person, url: string, paths: readonly string[]): Promise<[string, Answer][]> {
  const ids: Ids = new Map()
  const answers: [string, Answer][] = []
  for (const path of paths)
    for (const address of filled(path, ids).slice(0, mostRequests - answers.length))
      answers.push([`${person.username} ${address}`, await ask(`${url}${address}`, person, ids)])
  return answers
}

/** Asks for some of what was asked for, as it is called in `Answers`. */
export async function askAgain(url: string, requests: readonly string[], people: readonly Person[]): Promise<Answers> {
  const answers = new Map<string, Answer>()
  for (const request of requests) {
    const person = people.find(({ username }) => request.startsWith(`${username} `))
    if (person) answers.set(request, await ask(`${url}${request.slice(person.username.length + 1)}`, person, new Map()))
  }
  return answers
}

/** The path with ids in the places of its parameters. */
function filled(path: string, ids: Ids): string[] {
  const [, name] = /\{(\w+)\}/.exec(path) ?? []
  if (name === undefined) return [path]
  const known = [...(ids.get(keyOf(name)) ?? [])].slice(0, mostIds)
  return known.flatMap((id) => filled(path.replace(`{${name}}`, encodeURIComponent(id)), ids))
}

const keyOf = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** What a request that is no GET has more. */
interface Sent {
  method: string
  body?: string
}

/** Asks for one address, and notes the ids of its answer. */
export async function ask(url: string, { token }: Person, ids: Ids, { method, body: sent }: Sent = { method: 'GET' }): Promise<Answer> {
  const begun = performance.now()
  const ended = (status: number, members: ReadonlySet<string> = new Set()) => ({ status, members, ms: performance.now() - begun })
  try {
    const response = await fetch(url, {
      method,
      ...(sent === undefined ? {} : { body: sent }),
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    })
    const { status, headers, body } = response
    if (!headers.get('content-type')?.includes('json') || Number(headers.get('content-length') ?? 0) > mostBytes) {
      await body?.cancel()
      return ended(status)
    }
    const members = new Set<string>()
    note(await response.json(), '', members, ids)
    return ended(status, members)
  } catch {
    // A server that has just ended is not asked hundreds of times within a second.
    await pause(50)
    return ended(0)
  }
}

/** Notes the members of a value with their types, and the ids among them. */
function note(value: unknown, at: string, members: Set<string>, ids: Ids): void {
  if (Array.isArray(value)) {
    members.add(`${at} list`)
    for (const each of value) note(each, `${at}[]`, members, ids)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      // Names that are data, such as days or reactions, are not members.
      if (!/^[a-z]\w*$/i.test(name)) continue
      if (/id$/i.test(name) && (typeof each === 'string' || typeof each === 'number')) noteId(ids, name, String(each))
      note(each, at === '' ? name : `${at}.${name}`, members, ids)
    }
  } else if (at !== '') members.add(`${at} ${value === null ? 'null' : typeof value}`)
}

function noteId(ids: Ids, name: string, id: string): void {
  const key = keyOf(name)
  const known = ids.get(key) ?? new Set()
  if (known.size < mostIds) ids.set(key, known.add(id))
}

/** A request whose answer is another, and how. */
export interface Difference {
  request: string
  what: string
}

/** What people would notice: `broken` is what apps may not bear, `slow` what takes much longer. */
export interface Differences {
  broken: Difference[]
  slow: Difference[]
}

export function differences(before: Answers, after: Answers): Differences {
  const [broken, slow]: [Difference[], Difference[]] = [[], []]
  for (const [request, one] of before) {
    const other = after.get(request)
    if (!other) continue
    const what = brokenIn(one, other)
    if (what !== undefined) broken.push({ request, what })
    else if (other.ms > slowMs && other.ms > one.ms * slower)
      slow.push({ request, what: `${one.ms.toFixed(0)} ms before, ${other.ms.toFixed(0)} ms now` })
  }
  return { broken, slow }
}

function brokenIn(before: Answer, after: Answer): string | undefined {
  if (before.status !== after.status) return `answered ${before.status} before, ${after.status === 0 ? 'nothing' : after.status} now`
  const isThere = (member: string) => after.members.has(member) || after.members.has(member.replace(/ \w+$/, ' null'))
  // Those of items are gone with all items: reading changes what is new.
  const missed = [...before.members].filter((member) => !isThere(member) && !isBelowEmptyList(member, before.members, after.members))
  return missed.length === 0 ? undefined : `without ${missed.slice(0, 5).join(', ')}`
}

/** True for a member of a list's items where that list has none now. */
function isBelowEmptyList(member: string, before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  for (let end = member.indexOf('[]'); end >= 0; end = member.indexOf('[]', end + 2)) {
    const list = member.slice(0, end)
    const hasItems = [...after].some((each) => each.startsWith(`${list}[]`))
    if (before.has(`${list} list`) && after.has(`${list} list`) && !hasItems) return true
  }
  return false
}
