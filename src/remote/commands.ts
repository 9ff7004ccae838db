// What the console does, as commands over the network: each takes words and options, calls the client package, and says what came of it.
import { readFile } from 'node:fs/promises'
import { endpoints } from '../sdk/api.ts'
import type { Client, FiguresNowData, RetentionChangeData, SettingsAdminData, SettingsUpdateData } from '../sdk/client.ts'
import { ConfigError } from '../core/base/config.ts'
import { momentOf, shownTime } from './times.ts'

/** What a command was given after its name. */
export interface Given {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  nowMs: number
}

/** What came of it: for programs as the server sent it, for people as a table or as lines. */
export interface Outcome {
  raw: unknown
  table?: readonly Readonly<Record<string, string | number | undefined>>[]
  lines?: readonly string[]
  /** Something is so wrong that a program should look. */
  isBad?: boolean
}

type Run = (client: Client, given: Given) => Promise<Outcome>

export interface RemoteCommand {
  /** The words after the name, as people are told; those in brackets may be left out. */
  takes: string
  /** How many of them there have to be; 0 when absent. */
  least?: number
  /** The names of options, and whether each has a value. */
  options?: Readonly<Record<string, 'string' | 'boolean'>>
  run: Run
}

/** By their name, or name and first word. */
export const remoteCommands: Readonly<Record<string, RemoteCommand>> = {
  status: { takes: '', run: status },
  incidents: { takes: '', run: incidents },
  users: { takes: '[words]', options: { level: 'string', role: 'string', limit: 'string' }, run: users },
  promote: { takes: '<username> <moderator|serviceteam|tho|admin>', least: 2, run: promote },
  demote: { takes: '<username>', least: 1, run: demote },
  codes: { takes: '[words]', options: { free: 'boolean', limit: 'string' }, run: codes },
  'codes make': { takes: '<number>', least: 1, options: { prefix: 'string' }, run: makeCodes },
  'codes print': { takes: '', run: printCodes },
  announce: { takes: '<text>', least: 1, options: { until: 'string', at: 'string', as: 'string' }, run: announce },
  announcements: { takes: '', run: announcements },
  'announcements delete': { takes: '<number>', least: 1, run: deleteAnnouncement },
  'schedule check': { takes: '<file.ics|address>', least: 1, run: checkSchedule },
  'schedule apply': {
    takes: '<file.ics|address>',
    least: 1,
    options: { delete: 'boolean', posts: 'boolean', 'other-days': 'boolean' },
    run: applySchedule,
  },
  'schedule fetch': { takes: '', run: fetchSchedule },
  'schedule log': { takes: '', run: scheduleLog },
  'schedule undo': { takes: '<number>', least: 1, run: undoSchedule },
  jobs: { takes: '', run: jobs },
  'jobs retry': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsRetry({ job_kind: kind })) },
  'jobs drop': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.removeJobsKindsFailed({ job_kind: kind })) },
  'jobs pause': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsPause({ job_kind: kind })) },
  'jobs resume': { takes: '<kind>', least: 1, run: ofJobs((client, kind) => client.admin.jobsKindsResume({ job_kind: kind })) },
  audit: { takes: '', options: { who: 'string', action: 'string', about: 'string', limit: 'string' }, run: audit },
  settings: { takes: '', run: settings },
  'settings set': { takes: '<name>=<value>...', least: 1, run: setSettings },
  backups: { takes: '', run: backups },
  'backups make': { takes: '', run: makeBackup },
  retention: { takes: '[<kind>=<days>...]', run: retention },
  'retention set': { takes: '<kind>=<days>...', least: 1, run: setRetention },
  webhooks: { takes: '', run: webhooks },
  'webhooks make': { takes: '<name> <address> <kind>...', least: 3, run: makeWebhook },
  'webhooks test': { takes: '<name>', least: 1, run: testWebhook },
  'webhooks log': { takes: '<name>', least: 1, run: webhookLog },
  'webhooks pause': { takes: '<name>', least: 1, run: pauseWebhook(true) },
  'webhooks resume': { takes: '<name>', least: 1, run: pauseWebhook(false) },
  'webhooks delete': { takes: '<name>', least: 1, run: deleteWebhook },
  call: { takes: "'<METHOD> <path>' ['<json>']", least: 1, run: call },
}

const done: Outcome = { raw: { done: true }, lines: ['Done.'] }
const limitOf = ({ options: { limit } }: Given) => (typeof limit === 'string' ? { limit: Number(limit) } : {})
const wordOf = ({ words }: Given, index = 0): string => words[index] ?? ''
const textOf = ({ options }: Given, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

async function status(client: Client): Promise<Outcome> {
  const [{ now }, checks, { open }] = await Promise.all([
    client.admin.figures({ span: 'hour' }),
    client.admin.checks(),
    client.admin.incidents(),
  ])
  const wrong = [...open, ...checks.filter(({ state }) => state !== 'good')]
  const known = new Set<string>()
  const lines = wrong.flatMap(({ state, sentence, mend = '' }) => {
    if (known.has(sentence)) return []
    known.add(sentence)
    return [`${state === 'bad' ? 'bad' : 'look'}: ${sentence} ${mend}`.trimEnd()]
  })
  return {
    raw: { now, checks, incidents: open },
    lines: [sayFigures(now), ...(lines.length > 0 ? lines : ['Nothing is wrong.'])],
    isBad: wrong.some(({ state }) => state === 'bad'),
  }
}

function sayFigures({ online, requestsPerSecond, postsPerMinute, errorsInHour, p99 }: FiguresNowData): string {
  const slowest = p99 === undefined ? '' : `, one answer in a hundred takes more than ${Math.round(p99)} ms`
  return `${online} online, ${Math.round(requestsPerSecond)} requests a second, ${Math.round(postsPerMinute)} posts a minute, ${errorsInHour} errors in the last hour${slowest}.`
}

async function incidents(client: Client): Promise<Outcome> {
  const raw = await client.admin.incidents()
  const rows = [...raw.open, ...raw.ended].map(({ beganAt, endedAt, state, sentence }) => ({
    began: shownTime(beganAt),
    ended: endedAt === undefined ? 'still' : shownTime(endedAt),
    state,
    what: sentence,
  }))
  return { raw, table: rows, isBad: raw.open.some(({ state }) => state === 'bad') }
}

type UsersQuery = NonNullable<Parameters<Client['admin']['users']>[0]>

async function users(client: Client, given: Given): Promise<Outcome> {
  const [search, level, role] = [given.words.join(' '), textOf(given, 'level'), textOf(given, 'role')]
  // The server says which levels and roles there are.
  const query = { ...(search && { search }), ...(level && { level }), ...(role && { role }), ...limitOf(given) } as UsersQuery
  const raw = await client.admin.users(query)
  const rows = raw.users.map(({ header: { username, displayName }, accessLevel, roles, roomNumber, lastSeen }) => ({
    username,
    name: displayName,
    level: accessLevel,
    roles: roles.join(' '),
    room: roomNumber,
    seen: lastSeen === undefined ? 'never' : shownTime(lastSeen),
  }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

/** Says that a list has more than was asked for. */
const more = (shown: number, total: number): string[] => (total > shown ? [`${shown} of ${total}; --limit shows more.`] : [])

async function promote(client: Client, given: Given): Promise<Outcome> {
  const input = { user_id: wordOf(given) }
  const { moderatorPromote, serviceteamPromote, thoPromote, adminPromote } = client.admin
  const levels = { moderator: moderatorPromote, serviceteam: serviceteamPromote, tho: thoPromote, admin: adminPromote }
  const level = wordOf(given, 1)
  if (!Object.hasOwn(levels, level)) throw new ConfigError(`A level is one of ${Object.keys(levels).join(', ')}.`)
  await levels[level as keyof typeof levels](input)
  return done
}

async function demote(client: Client, given: Given): Promise<Outcome> {
  await client.admin.userDemote({ user_id: wordOf(given) })
  return done
}

async function codes(client: Client, given: Given): Promise<Outcome> {
  const search = given.words.join(' ')
  const raw = await client.admin.regcodesList({
    ...(search && { search }),
    ...(given.options['free'] === true && { state: 'free' as const }),
    ...limitOf(given),
  })
  const rows = raw.codes.map(({ regCode, user, createdAt }) => ({ code: regCode, user: user?.username, made: shownTime(createdAt) }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

async function makeCodes(client: Client, given: Given): Promise<Outcome> {
  const prefix = textOf(given, 'prefix')
  const raw = await client.admin.regcodesMake({ count: Number(wordOf(given)), ...(prefix !== undefined && { prefix }) })
  return { raw, lines: raw.codes }
}

const pageOfCodes = 200

async function printCodes(client: Client): Promise<Outcome> {
  const found: string[] = []
  for (;;) {
    const { codes: page, paginator } = await client.admin.regcodesUnused({ start: found.length, limit: pageOfCodes })
    found.push(...page)
    if (page.length === 0 || found.length >= paginator.total) return { raw: { codes: found }, lines: found }
  }
}

const usualUntil = '24h'

async function announce(client: Client, given: Given): Promise<Outcome> {
  const text = given.words.join(' ')
  const at = textOf(given, 'at')
  const from = at === undefined ? given.nowMs : momentOf(at, given.nowMs)
  const displayUntil = new Date(momentOf(textOf(given, 'until') ?? usualUntil, from))
  const postAsUser = textOf(given, 'as')
  const announcement = { text, displayUntil, ...(postAsUser !== undefined && { postAsUser }) }
  if (at === undefined) await client.notification.announcementCreate(announcement)
  else await client.admin.setAnnouncementsPlanned({ ...announcement, showAt: new Date(from) })
  return {
    raw: announcement,
    lines: [`It is shown until ${shownTime(displayUntil)}${at === undefined ? '' : `, from ${shownTime(new Date(from))} on`}.`],
  }
}

async function announcements(client: Client): Promise<Outcome> {
  const raw = await client.notification.announcements()
  const rows = raw.map(({ id, author, displayUntil, text }) => ({
    number: id,
    by: author.username,
    until: shownTime(displayUntil),
    text: text.replaceAll('\n', ' '),
  }))
  return { raw, table: rows }
}

async function deleteAnnouncement(client: Client, given: Given): Promise<Outcome> {
  await client.notification.removeAnnouncement({ announcementID: Number(wordOf(given)) })
  return done
}

/** Of a file, or of an address, which this program asks for and not the server. */
async function readCalendar(given: Given): Promise<{ schedule: string }> {
  const from = wordOf(given)
  const text = /^https?:\/\//.test(from) ? fetchText(from) : readFile(from, 'utf8')
  return { schedule: await text.catch(() => Promise.reject(new ConfigError(`${from} cannot be read.`))) }
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return await answer.text()
}

async function checkSchedule(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.setScheduleVerify(await readCalendar(given))
  const kinds = {
    new: raw.createdEvents,
    gone: raw.deletedEvents,
    time: raw.timeChangeEvents,
    place: raw.locationChangeEvents,
    text: raw.minorChangeEvents,
  }
  const rows = Object.entries(kinds).flatMap(([change, events]) =>
    events.map(({ title, startTime, location }) => ({ change, starts: shownTime(startTime), title, place: location })),
  )
  return { raw, table: rows, lines: rows.length === 0 ? ['It changes nothing.'] : [] }
}

const sayApplied = ({ created, changed, deleted, entryID }: { created: number; changed: number; deleted: number; entryID: number }) => [
  `${created} new, ${changed} changed, ${deleted} deleted. The way back: schedule undo ${entryID}`,
]

async function applySchedule(client: Client, given: Given): Promise<Outcome> {
  const flag = (name: string) => String(given.options[name] === true)
  await client.admin.scheduleUpdate(await readCalendar(given))
  const raw = await client.admin.scheduleUpdateApply({
    processDeletes: flag('delete'),
    forumPosts: flag('posts'),
    otherDays: given.options['other-days'] === true,
  })
  return { raw, lines: sayApplied(raw) }
}

async function fetchSchedule(client: Client): Promise<Outcome> {
  await client.admin.scheduleReload()
  return { raw: done.raw, lines: ['It is ordered. The log says what came of it: schedule log'] }
}

async function scheduleLog(client: Client): Promise<Outcome> {
  const raw = await client.admin.scheduleViewlog()
  const rows = raw.map(({ entryID, timestamp, changeCount, automaticUpdate, by, undoable, error }) => ({
    number: entryID,
    at: shownTime(timestamp),
    by: automaticUpdate ? 'automatic' : by?.username,
    changes: changeCount,
    undo: undoable ? 'yes' : 'no',
    error,
  }))
  return { raw, table: rows }
}

async function undoSchedule(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.scheduleViewlogUndo({ schedule_log_id: Number(wordOf(given)) })
  return { raw, lines: sayApplied(raw) }
}

async function jobs(client: Client): Promise<Outcome> {
  const raw = await client.admin.jobsKinds()
  const rows = raw.map(({ job, due, running, retrying, failed, doneInHour, pausedAt }) => ({
    kind: job,
    due,
    running,
    retrying,
    failed,
    'done in an hour': doneInHour,
    state: pausedAt === undefined ? '' : 'paused',
  }))
  return { raw, table: rows }
}

function ofJobs(work: (client: Client, kind: string) => Promise<unknown>): Run {
  return async (client, given) => {
    const raw = (await work(client, wordOf(given))) as { number?: number } | undefined
    return { raw: raw ?? done.raw, lines: [raw?.number === undefined ? 'Done.' : `Done with ${raw.number}.`] }
  }
}

async function audit(client: Client, given: Given): Promise<Outcome> {
  const [actor, action, user] = [textOf(given, 'who'), textOf(given, 'action'), textOf(given, 'about')]
  const raw = await client.admin.audit({ ...(actor && { actor }), ...(action && { action }), ...(user && { user }), ...limitOf(given) })
  const rows = raw.entries.map(({ createdAt, actor: by, action: what, subjectType, subjectID, user: whom, details }) => ({
    at: shownTime(createdAt),
    who: by.username,
    action: what,
    about: `${subjectType} ${subjectID}`,
    whom: whom?.username,
    details: details === '{}' ? '' : details,
  }))
  return { raw, table: rows, lines: more(rows.length, raw.paginator.total) }
}

async function settings(client: Client): Promise<Outcome> {
  const raw = await client.admin.serversettings()
  return {
    raw,
    table: Object.entries(raw).map(([name, value]) => ({ name, value: typeof value === 'object' ? JSON.stringify(value) : String(value) })),
  }
}

async function setSettings(client: Client, { words }: Given): Promise<Outcome> {
  const known = await client.admin.serversettings()
  const changes = Object.fromEntries(words.map((word) => settingOf(word, known)))
  await client.admin.serversettingsUpdate({ ...changes, enableFeatures: [], disableFeatures: [] } as SettingsUpdateData)
  return done
}

/** `name=value`, as the type that the setting has now. What is not set has no value yet: those are texts. */
function settingOf(word: string, known: SettingsAdminData): [string, unknown] {
  const at = word.indexOf('=')
  const [name, text] = [word.slice(0, at), word.slice(at + 1)]
  if (at <= 0) throw new ConfigError(`A setting is <name>=<value>, not "${word}".`)
  const before: unknown = known[name as keyof SettingsAdminData]
  if (typeof before === 'boolean' && !['true', 'false'].includes(text)) throw new ConfigError(`${name} is true or false.`)
  return [name, typeof before === 'boolean' ? text === 'true' : typeof before === 'number' ? Number(text) : text]
}

async function backups(client: Client): Promise<Outcome> {
  const raw = await client.admin.backups()
  const rows = raw.backups.map(({ name, bytes, createdAt, verifiedAt }) => ({
    name,
    MB: Math.round(bytes / 1_000_000),
    made: shownTime(createdAt),
    tried: verifiedAt === undefined ? 'never' : shownTime(verifiedAt),
  }))
  return { raw, table: rows }
}

async function makeBackup(client: Client): Promise<Outcome> {
  const raw = await client.admin.setBackups()
  return { raw, lines: ['It is ordered. backups says when it is there.'] }
}

const forDays = (days: number): string => (days === 0 ? 'for good' : `${days} days`)

/** What would go with the days in force, or with those that are given. */
async function retention(client: Client, { words }: Given): Promise<Outcome> {
  const { kinds } = await client.admin.retention()
  const raw = await client.admin.retention(daysIn(words, kinds))
  return { raw, table: raw.kinds.map(({ kind, days, old }) => ({ kind, stays: forDays(days), old })) }
}

async function setRetention(client: Client, { words }: Given): Promise<Outcome> {
  const { kinds } = await client.admin.retention()
  const before = Object.fromEntries(kinds.map(({ kind, days }) => [kind, days])) as RetentionDays
  const raw = await client.admin.setRetention({ ...before, ...daysIn(words, kinds), basedOn: before })
  return { raw, lines: raw.kinds.map(({ kind, days, old }) => `${kind}: ${forDays(days)}${old > 0 ? `, ${old} go now` : ''}`) }
}

type RetentionDays = Omit<RetentionChangeData, 'basedOn'>

/** The server says which kinds there are. */
function daysIn(words: readonly string[], kinds: readonly { kind: string }[]): Partial<RetentionDays> {
  return Object.fromEntries(
    words.map((word) => {
      const [, kind, days] = /^([a-z]+)=(\d{1,9})$/.exec(word) ?? []
      if (!kinds.some((each) => each.kind === kind))
        throw new ConfigError(`${word} must be one of ${kinds.map((each) => each.kind).join(', ')} and its days, such as deleted=90.`)
      return [kind as string, Number(days)]
    }),
  )
}

async function webhooks(client: Client): Promise<Outcome> {
  const raw = await client.admin.webhooks()
  const rows = raw.endpoints.map(({ name, host, isPaused, waiting, failed, lastSentAt, kinds }) => ({
    name,
    host,
    state: isPaused ? 'paused' : 'on',
    waiting,
    failed,
    taken: lastSentAt === undefined ? 'never' : shownTime(lastSentAt),
    kinds: kinds.join(', '),
  }))
  return { raw, table: rows }
}

/** By its name. */
async function webhookOf(client: Client, given: Given): Promise<{ endpoint_id: string }> {
  const name = wordOf(given)
  const [found, another] = (await client.admin.webhooks()).endpoints.filter((each) => each.name === name)
  if (!found || another) throw new ConfigError(found ? `Several webhooks are named ${name}.` : `No webhook is named ${name}.`)
  return { endpoint_id: found.endpointID }
}

async function makeWebhook(client: Client, { words: [name = '', url = '', ...kinds] }: Given): Promise<Outcome> {
  // The server says which kinds there are.
  const raw = await client.admin.webhooksCreate({ name, url, kinds } as Parameters<Client['admin']['webhooksCreate']>[0])
  return { raw, lines: [`Its key, shown this once: ${raw.secret}`] }
}

async function testWebhook(client: Client, given: Given): Promise<Outcome> {
  await client.admin.webhooksTest(await webhookOf(client, given))
  return { raw: { done: true }, lines: ['It is on its way. webhooks log says whether it was taken.'] }
}

async function webhookLog(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.webhooksDeliveries(await webhookOf(client, given))
  const rows = raw.deliveries.map(({ createdAt, kind, state, attempts, status, reason }) => ({
    noted: shownTime(createdAt),
    kind,
    state,
    attempts,
    answer: status ?? reason,
  }))
  return { raw, table: rows }
}

function pauseWebhook(isPaused: boolean): Run {
  return async (client, given) => {
    await client.admin.setWebhooks({ ...(await webhookOf(client, given)), isPaused })
    return done
  }
}

async function deleteWebhook(client: Client, given: Given): Promise<Outcome> {
  await client.admin.removeWebhooks(await webhookOf(client, given))
  return done
}

/** Any endpoint, by the line of the API document. */
async function call(client: Client, given: Given): Promise<Outcome> {
  const [line, json] = [wordOf(given), wordOf(given, 1)]
  const input = json === '' ? {} : parsed(json)
  // What is known of an endpoint besides: a body, a key.
  const known = Object.values(endpoints)
    .flatMap((group) => Object.values(group))
    .find((each) => (each.split(/[ ?]/, 2) as string[]).join(' ') === line)
  const raw = await client.call(known ?? line, input)
  if (raw instanceof Response) {
    const text = await raw.text()
    return { raw: text, lines: [text] }
  }
  return { raw, lines: [JSON.stringify(raw ?? done.raw, undefined, 2)] }
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    throw new ConfigError('The input must be JSON, such as \'{"limit":5}\'.')
  }
}
