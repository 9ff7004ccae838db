// Checks of `npm run doctor`, apart from the stores: settings, the machine, files. Each says what to do.
import { randomUUID } from 'node:crypto'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { DateTime } from 'luxon'
import { commandOf, isLoopback, weakSecrets, type Config } from '../core/base/config.ts'
import { readCertificate } from '../core/http/certificate.ts'
import { openFileLimit } from '../core/http/open-files.ts'
import { isOwn } from './authority.ts'
import type { BackupFile } from './backup-files.ts'

/** One line for the operator. */
export interface Finding {
  /** `bad` keeps a server from doing its work; a `warning` is worth a look. */
  level: 'good' | 'warning' | 'bad'
  about: string
  /** The finding, and what to do unless it is good. */
  text: string
  /** The same for programs: pages say it in their reader's language. Absent where only the words of an error are known. */
  code?: string
  /** What the text names. */
  values?: FindingValues
}
export type FindingValues = Readonly<Record<string, string | number>>

const GB = 1024 ** 3
const dayMs = 24 * 60 * 60_000
/** Two sockets a user, with room for what else is open. */
const wantedFiles = 8192
/** A day, and the time that the next one may take. */
const backupsAreOldAfterMs = 26 * 60 * 60_000

const finding =
  (level: Finding['level']) =>
  (about: string, text: string, code?: string, values: FindingValues = {}): Finding => ({
    level,
    about,
    text,
    ...(code && { code, values }),
  })
export const [good, warning, bad] = [finding('good'), finding('warning'), finding('bad')]

/** Passwords and addresses, which development may leave as they are. */
export function checkSettings(config: Config): Finding[] {
  const { environment, production, externalUrl, hostname, port, tls, demoContent } = config
  const weak = weakSecrets(config)
  return [
    good('Settings', `${environment}, port ${port} on ${hostname}, phones use ${externalUrl}`, 'address', {
      environment,
      port,
      hostname,
      address: externalUrl,
    }),
    weak.length === 0
      ? good('Passwords', 'none is a default', 'passwords-fine')
      : warning('Passwords', `${weak.length} are defaults, and anybody can guess them. npm run setup makes others.`, 'passwords', {
          number: weak.length,
        }),
    ...(demoContent
      ? [
          warning('Content', `${environment} has sample people in it. npm run setup makes a server for real people.`, 'sample-people', {
            environment,
          }),
        ]
      : []),
    ...(production && isLoopback(new URL(externalUrl).hostname)
      ? [
          bad('Address', `Phones cannot reach ${externalUrl}. Set SWIFTARR_EXTERNAL_URL to what they can.`, 'address-local', {
            address: externalUrl,
          }),
        ]
      : []),
    ...(production && !tls && !externalUrl.startsWith('https:')
      ? [
          warning(
            'TLS',
            `Everybody on the network can read along, and calls do not work in browsers. This makes a certificate: ${commandOf(config, 'certificate')}`,
            'no-tls',
            { command: commandOf(config, 'certificate') },
          ),
        ]
      : []),
  ]
}

/** The certificate, if there is one. One that comes from elsewhere has to be renewed there. */
export function checkCertificate(config: Config, now: Date): Finding[] {
  const { tls, externalUrl } = config
  if (!tls) return []
  try {
    const { names, validFrom, validTo } = readCertificate(tls)
    const host = new URL(externalUrl).hostname.replace(/^\[|\]$/g, '')
    const days = Math.floor((validTo.getTime() - now.getTime()) / dayMs)
    const own = isOwn(tls)
    const faulty = (make: typeof bad, text: string, code: string, command: string, values: FindingValues) =>
      own
        ? make('Certificate', `${text} This makes another, which the server takes at once: ${command}`, code, { ...values, command })
        : make('Certificate', `${text} Renew it where it comes from. The server takes the new files at once.`, `${code}-elsewhere`, values)
    if (validFrom > now)
      return [
        bad('Certificate', `It is valid from ${day(validFrom)} on. Is the clock right?`, 'certificate-later', { day: day(validFrom) }),
      ]
    if (days < 0)
      return [faulty(bad, `It has run out (${day(validTo)}).`, 'certificate-over', commandOf(config, 'certificate'), { day: day(validTo) })]
    if (!names.some((name) => covers(name, host)))
      return [
        faulty(
          bad,
          `It is for ${names.join(', ')}, and phones use another name (${host}).`,
          'certificate-names',
          commandOf(config, 'certificate', host),
          { names: names.join(', '), host },
        ),
      ]
    if (days < 21) return [faulty(warning, `It runs out in ${days} days.`, 'certificate-soon', commandOf(config, 'certificate'), { days })]
    return [good('Certificate', `for ${host}, ${days} days left`, 'certificate-fine', { host, days })]
  } catch (error) {
    return [bad('Certificate', (error as Error).message)]
  }
}

/** The days of the trip, in the zone of its port. */
type TripDates = Pick<Config, 'startDate' | 'lengthInDays' | 'portTimeZone'>

/** Whether the trip is now. */
export function checkTrip({ startDate, lengthInDays, portTimeZone }: TripDates, now: Date): Finding {
  const first = DateTime.fromISO(startDate, { zone: portTimeZone })
  const after = first.plus({ days: lengthInDays })
  const values = { days: lengthInDays, start: startDate, zone: portTimeZone }
  const what = `${lengthInDays} days from ${startDate}, ${portTimeZone}`
  if (DateTime.fromJSDate(now) >= after)
    return bad(
      'Trip',
      `It is over (${what}), so nothing is ever on. Set its dates in the console, or SERVICE_START_DATE and SERVICE_LENGTH_DAYS.`,
      'trip-over',
      values,
    )
  return good('Trip', what, 'trip', values)
}

export function checkClock(now: Date, builtAt: Date): Finding {
  if (now.getTime() < builtAt.getTime() - dayMs)
    return bad('Clock', `It says ${now.toISOString()}, which is before this program was built. Set the clock.`, 'clock-early', {
      now: now.toISOString(),
    })
  return good('Clock', now.toISOString(), 'clock', { now: now.toISOString() })
}

export async function checkDisk({ dataDir }: Config): Promise<Finding> {
  // Not by the process: two looks of one, or two machines that share the folder, would take each other's file away.
  const probe = join(dataDir, `.doctor-${randomUUID()}`)
  try {
    await mkdir(dataDir, { recursive: true })
    await writeFile(probe, '')
    await rm(probe)
    const { bavail, bsize } = await statfs(dataDir)
    const free = (bavail * bsize) / GB
    const text = `${free.toFixed(1)} GB free in ${dataDir}`
    const values = { free: Math.round(free * 10) / 10, folder: basename(dataDir) }
    if (free < 0.5) return bad('Disk', `${text}. Make room, or set DATA_DIR to another disk.`, 'disk-full', values)
    return free < 5
      ? warning('Disk', `${text}. Pictures of a week may take 5 GB or more.`, 'disk-low', values)
      : good('Disk', text, 'disk', values)
  } catch (error) {
    return bad('Disk', `${dataDir} cannot be written (${(error as Error).message}). Set DATA_DIR to a folder that can.`, 'disk-closed', {
      folder: basename(dataDir),
    })
  }
}

export function checkMachine(): Finding[] {
  const memory = totalmem() / GB
  const text = `${memory.toFixed(1)} GB, ${availableParallelism()} cores`
  const files = openFileLimit()
  const values = { memory: Math.round(memory * 10) / 10, cores: availableParallelism() }
  return [
    memory < 1
      ? warning('Memory', `${text}. A server with everything takes about 0.5 GB at rest.`, 'memory-low', values)
      : good('Memory', text, 'memory', values),
    files !== undefined && files < wantedFiles
      ? warning(
          'Open files',
          `At most ${files}, so about as many sockets. Raise it before the start: ulimit -n ${wantedFiles}`,
          'files-few',
          {
            files,
            wanted: wantedFiles,
          },
        )
      : files === undefined
        ? good('Open files', 'no limit known', 'files-unknown')
        : good('Open files', `at most ${files}`, 'files', { files }),
  ]
}

/** A port in use is fine when it is our own server that uses it. */
export async function checkPort({ hostname, port }: Config, isRunning: boolean): Promise<Finding> {
  const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const probe = createServer()
    probe.on('error', resolve)
    probe.listen({ host: hostname, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
  if (!fault) return good('Port', `${port} is free`)
  if (fault.code === 'EADDRINUSE') {
    if (isRunning) return good('Port', `${port} is in use by the server that runs here`)
    return bad('Port', `${port} is in use. Stop the other program or set PORT.`)
  }
  if (fault.code === 'EACCES') return bad('Port', `${port} is not allowed for this account. Take one from 1024 on, with a proxy in front.`)
  return bad('Port', `${hostname}:${port} cannot be bound (${fault.code}). Set hostname to 0.0.0.0 or an address of this machine.`)
}

/** Whether what was written could be lost. */
export function checkBackups(
  { production, nightly, newest }: { production: boolean; nightly: boolean; newest: BackupFile | undefined },
  now: Date,
): Finding {
  if (newest && now.getTime() - newest.createdAt.getTime() <= backupsAreOldAfterMs)
    return good('Backups', `the newest is ${newest.name}`, 'backup', { name: newest.name })
  const mend = nightly
    ? 'Does a worker run, and is there room in the folder of backups?'
    : 'Make one in the console, and have one made every night.'
  const code = (word: string) => (nightly ? `${word}-of-night` : word)
  if (newest)
    return warning('Backups', `The newest, ${newest.name}, is older than a day. ${mend}`, code('backup-old'), { name: newest.name })
  return production || nightly
    ? warning('Backups', `There is none yet. ${mend}`, code('backup-none'))
    : good('Backups', 'none in development', 'backup-not-needed')
}

function covers(name: string, host: string): boolean {
  if (!name.startsWith('*.')) return name.toLowerCase() === host.toLowerCase()
  return host.toLowerCase().endsWith(name.slice(1).toLowerCase()) && !host.slice(0, -name.length + 1).includes('.')
}

const day = (date: Date): string => date.toISOString().slice(0, 10)
