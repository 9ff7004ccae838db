// Settings of the operator: every input from the environment and the command line,
// checked once at start. Nothing else reads process.env.
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DateTime, IANAZone } from 'luxon'
import {
  bucketOf,
  databaseUrl,
  oidcOf,
  poolerUrl,
  pushOf,
  redisUrl,
  smtpOf,
  standbyUrl,
  type BucketConfig,
  type OidcConfig,
  type PushConfig,
  type SmtpConfig,
} from './config-services.ts'
import { ConfigError, flag, integerIn, isLoopback, listed, origins, webUrl } from './config-values.ts'
import { postgresPasswordOf } from './postgres-url.ts'
import { redisPasswordOf } from './redis-url.ts'
import { machineMb, serversFor, sharesOf, type MemoryShares } from './memory.ts'

export { ConfigError, isLoopback } from './config-values.ts'

/** The folder that holds package.json, wherever the compiled code runs from. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

/** What settings, data and backups lie in unless their paths say otherwise: of a packed program the folder around its versions. */
export const homeFolder = process.env['QUARTERDECK_HOME'] || projectRoot

/** Everything the operator can set. Times are in milliseconds unless the name says otherwise. */
export interface Config {
  /** Of the event; empty when the operator gave none. */
  eventName: string
  /** `development`, `testing`, `production` or a custom name. */
  environment: string
  /** True when real secrets are demanded and details of failures are kept from clients. */
  production: boolean
  /** True when demo users and demo content are seeded. */
  demoContent: boolean
  hostname: string
  port: number
  /** How clients reach this server, without a trailing slash. */
  externalUrl: string
  /** The port of `externalUrl`, also where it is the usual one of its scheme. */
  externalPort: number
  /** Origins whose pages may use the API from scripts, as browsers write them; `*` for all. */
  corsOrigins: readonly string[]
  /** Host names under which the server answers, in lower case, beside addresses and localhost; undefined: all. */
  allowedHosts: ReadonlySet<string> | undefined
  /** How long browsers shall use this host over TLS only; 0: no word about it. */
  hstsSeconds: number
  dataDir: string
  /** The operator's own seed files; they win over those of the program. */
  privateSeedsDir: string
  imagesDir: string
  /** Where images lie instead of `imagesDir`, which is then for work on them; undefined: there. */
  bucket: BucketConfig | undefined
  /** Undefined: the parent process starts an embedded one. */
  databaseUrl: string | undefined
  /** Of a pooler in front of the database, for statements of servers and workers; undefined: there is none. */
  databasePoolerUrl: string | undefined
  databaseStandbyUrl: string | undefined
  redisUrl: string | undefined
  /** Seconds to wait for a database connection. */
  databaseTimeoutSeconds: number
  /** Secrets that features have asked for, by the first name of each. */
  secrets: ReadonlyMap<string, Secret>
  /** Key from which access tokens are derived; never stored in the database. Empty: kept in a file under `dataDir`. */
  tokenSecret: string
  /** IANA zone of the embarkation port: the clock that floating times are stored in. */
  portTimeZone: string
  /** First day of the trip, yyyy-mm-dd, in the port's zone. */
  startDate: string
  /** Days of the trip, both ends counted. */
  lengthInDays: number
  /** False switches off the hourly update of the schedule; it can still be ordered. */
  scheduleTimer: boolean
  logLevel: string
  /** Unset: readable on a terminal, JSON elsewhere. */
  logFormat: 'text' | 'json' | undefined
  /** Files of the certificate and its key in PEM; undefined: plain HTTP. */
  tls: { certFile: string; keyFile: string } | undefined
  /** Folder of the nightly backups; undefined: none. */
  backupDir: string | undefined
  /** Whether the X-Forwarded-For of the proxy in front is believed. */
  trustProxy: boolean
  /** Which names of the team clients see: the product's own, or those that the phone apps of today know. */
  dialect: 'seed' | 'twitarr'
  /** Requests that one person may send to one node in a minute; 0 for no limit. */
  writesPerMinute: number
  searchesPerMinute: number
  /** Memory that request bodies may take on one node at once. */
  bodyMemoryBytes: number
  memory: MemoryShares
  /** Server processes that `npm start` runs on one port. */
  servers: number
  /** Of this process among them; undefined for a single one. */
  serverNumber: number | undefined
  /** The process that started this one answers questions about the others that it has started. */
  isSupervised: boolean
  /** Others of them have the port already. */
  portIsOurs: boolean
  /** Keys and contact for push services; undefined: nobody is told while the app is closed. */
  push: PushConfig | undefined
  /** The identity provider; undefined: people sign in by password alone. */
  oidc: OidcConfig | undefined
  /** The server that takes mail to others; undefined: no mail is sent. */
  smtp: SmtpConfig | undefined
  /** Path of a program that is run with each alert, when an admin has chosen it; empty: none. */
  alertScript: string
  /** To which admins may have anything sent: names, `*.example.org` for those below one, `*` for all. */
  outsideHosts: string[]
}

/** A secret that a feature asks the operator for. */
export interface SecretSetting {
  /** Of its variable; the first is the usual one. */
  readonly names: readonly [string, ...string[]]
  /** What it is where the operator sets none. Production refuses that. */
  readonly fallback: string
  /** Passwords have 6 to 50 characters. */
  readonly isPassword: boolean
}

export interface Secret {
  readonly value: string
  /** Where the operator set it; undefined: it is the default. */
  readonly from: string | undefined
  /** Whether a stranger could guess it. */
  readonly isDefault: boolean
}

/** Collects invalid settings, so that the operator sees all of them at once. */
class Problems {
  readonly #found: string[] = []

  /** The result of `read`; `fallback` when the value is invalid. */
  attempt<T>(read: () => T, fallback: T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#found.push(error.message)
      return fallback
    }
  }

  add(...sentences: string[]): void {
    this.#found.push(...sentences)
  }

  /** @throws ConfigError when something was found. */
  stopIfAny(): void {
    if (this.#found.length > 0) throw new ConfigError(this.#found.join('\n'))
  }
}

/** First day of the sample trip. */
const sampleStart = '2025-03-02'

const logLevels = ['trace', 'debug', 'info', 'notice', 'warning', 'warn', 'error', 'critical', 'fatal', 'silent']

/**
 * Reads the configuration, and the secrets that features ask for.
 *
 * Precedence: command line, then the `SERVICE_` spelling, then the plain name, then
 * `seeds/private/<environment>.env`, then the default. An empty string counts as unset.
 *
 * @throws ConfigError naming every wrong input.
 */
export function readConfig(
  argv: readonly string[] = process.argv.slice(2),
  processEnv: NodeJS.ProcessEnv = process.env,
  secretSettings: readonly SecretSetting[] = [],
): Config {
  const flags = readFlags(argv)
  const privateSeedsDir = absolute(processEnv['PRIVATE_SEEDS_DIR'] || join('seeds', 'private'))
  const environment = environmentName(flags.env ?? (processEnv['VAPOR_ENV'] || usualEnvironment(privateSeedsDir)))
  const production = environment === 'production'
  const fromFile = readEnvFile(privateSeedsDir, environment)
  const fromEnvironment = withoutEmpty(processEnv)
  const env = { ...fromFile, ...fromEnvironment }
  const problems = new Problems()

  const text = (...names: string[]): string | undefined => {
    for (const name of names) if (env[name] !== undefined) return env[name]
    return undefined
  }
  const integer = (names: string[], fallback: number, min: number, max: number): number => {
    const name = names.find((each) => env[each] !== undefined)
    return name === undefined ? fallback : problems.attempt(() => integerIn(name, env[name] ?? '', min, max), fallback)
  }
  const boolean = (fallback: boolean, ...names: string[]): boolean =>
    problems.attempt(() => flag(names[0] ?? '', text(...names) ?? String(fallback)), fallback)
  const secret = ({ names, fallback, isPassword }: SecretSetting): Secret => {
    const name = names.find((each) => env[each] !== undefined)
    const value = (name && env[name]) ?? fallback
    if (isPassword && (value.length < 6 || value.length > 50)) problems.add(`${names[0]} must have 6 to 50 characters.`)
    const file = envFile(privateSeedsDir, environment)
    const from = name && (fromEnvironment[name] === undefined ? file : 'the environment')
    return { value, from, isDefault: value === fallback }
  }

  const bind = flags.bind?.match(/^(.*):(\d+)$/)
  if (flags.bind !== undefined && !bind) problems.add(`--bind must look like 127.0.0.1:8081, not "${flags.bind}".`)
  const portFlag = flags.port ?? bind?.[2]
  const port = portFlag
    ? problems.attempt(() => integerIn(flags.port ? '--port' : '--bind', portFlag, 0, 65535), 8081)
    : integer(['SERVICE_PORT', 'SWIFTARR_PORT', 'PORT'], 8081, 0, 65535)
  const hostname = flags.hostname ?? bind?.[1] ?? text('SERVICE_IP', 'SWIFTARR_IP', 'hostname') ?? (production ? '0.0.0.0' : '127.0.0.1')
  if (!/^[A-Za-z0-9.:_-]+$/.test(hostname)) problems.add(`hostname must be a host name or an address to bind to, not "${hostname}".`)

  const tls = problems.attempt(() => tlsFiles(text('TLS_CERT_FILE'), text('TLS_KEY_FILE')), undefined)
  const backupDir = text('BACKUP_DIR')
  const portTimeZone = text('SERVICE_PORT_TIMEZONE', 'SWIFTARR_PORT_TIMEZONE') ?? 'America/New_York'
  const zoneIsKnown = IANAZone.isValidZone(portTimeZone)
  if (!zoneIsKnown) problems.add(`SERVICE_PORT_TIMEZONE must be an IANA time zone such as America/New_York, not "${portTimeZone}".`)
  const dataDir = absolute(text('DATA_DIR') ?? 'data')
  const ownUrl = `${tls ? 'https' : 'http'}://${urlHost(reachableHost(hostname))}:${port}`
  const memoryMb = integer(['MEMORY_MB'], machineMb(), 256, 10_000_000)
  const servers = integer(['SERVERS'], serversFor(undefined, memoryMb), 1, 64)
  const memory = sharesOf(memoryMb, servers)
  const externalUrl = problems.attempt(
    () => webUrl('SWIFTARR_EXTERNAL_URL', text('SWIFTARR_EXTERNAL_URL', 'SERVICE_EXTERNAL_URL') ?? ownUrl),
    ownUrl,
  )
  const hstsDays = integer(['HSTS_DAYS'], 0, 0, 730)
  if (hstsDays > 0 && !tls)
    problems.add('HSTS_DAYS needs TLS_CERT_FILE and TLS_KEY_FILE. A proxy that ends TLS sends Strict-Transport-Security itself.')
  const config: Config = {
    eventName: text('EVENT_NAME') ?? '',
    environment,
    production,
    demoContent: environment === 'development' || environment === 'testing',
    hostname,
    port,
    externalUrl,
    externalPort: portOf(externalUrl),
    corsOrigins: problems.attempt(() => origins('CORS_ORIGINS', listed(text('CORS_ORIGINS'))), []),
    allowedHosts: problems.attempt(() => hostNames('ALLOWED_HOSTS', listed(text('ALLOWED_HOSTS')), externalUrl), undefined),
    hstsSeconds: hstsDays * 24 * 60 * 60,
    dataDir,
    privateSeedsDir,
    imagesDir: absolute(text('SWIFTARR_USER_IMAGES', 'SERVICE_USER_IMAGES') ?? join(dataDir, 'images')),
    bucket: problems.attempt(() => bucketOf(text), undefined),
    databaseUrl: problems.attempt(() => databaseUrl(text), undefined),
    databasePoolerUrl: problems.attempt(() => poolerUrl(text), undefined),
    databaseStandbyUrl: problems.attempt(() => standbyUrl(text), undefined),
    redisUrl: problems.attempt(() => redisUrl(text), undefined),
    databaseTimeoutSeconds: integer(['DATABASE_TIMEOUT'], 10, 1, 600),
    secrets: new Map(secretSettings.map((setting) => [setting.names[0], secret(setting)])),
    tokenSecret: text('TOKEN_SECRET') ?? '',
    portTimeZone,
    startDate:
      text('SERVICE_START_DATE', 'SWIFTARR_START_DATE') ??
      // So that there is always something on while somebody develops.
      (environment === 'development' && zoneIsKnown ? (DateTime.now().setZone(portTimeZone).toISODate() ?? sampleStart) : sampleStart),
    lengthInDays: integer(['SERVICE_LENGTH_DAYS'], 8, 1, 366),
    scheduleTimer: boolean(true, 'SERVICE_ENABLE_UPDATE_SCHEDULE_JOB', 'SWIFTARR_ENABLE_UPDATE_SCHEDULE_JOB'),
    logLevel: problems.attempt(() => logLevel(flags.log ?? text('LOG_LEVEL') ?? (production ? 'notice' : 'info')), 'info'),
    logFormat: problems.attempt(() => logFormat(text('LOG_FORMAT')), undefined),
    tls,
    backupDir: backupDir === undefined ? undefined : absolute(backupDir),
    trustProxy: boolean(false, 'TRUST_PROXY'),
    dialect: problems.attempt(() => dialect(text('DIALECT') ?? 'seed'), 'seed'),
    writesPerMinute: integer(['WRITES_PER_MINUTE'], production ? 1200 : 12_000, 0, 1_000_000),
    bodyMemoryBytes: integer(['BODY_MEMORY_MB'], memory.bodiesMb, 1, 1_000_000) * 1024 * 1024,
    memory,
    servers,
    serverNumber: processEnv['SERVER_NUMBER'] ? Number(processEnv['SERVER_NUMBER']) : undefined,
    isSupervised: processEnv['SUPERVISED'] === 'yes',
    portIsOurs: processEnv['PORT_IS_OURS'] === 'yes',
    push: problems.attempt(() => pushOf(text), undefined),
    oidc: problems.attempt(() => oidcOf(text, boolean(false, 'OIDC_VERIFIES')), undefined),
    smtp: problems.attempt(() => smtpOf(text('SMTP_URL'), text('SMTP_FROM')), undefined),
    alertScript: text('ALERT_SCRIPT') ?? '',
    outsideHosts: problems.attempt(() => outsideHosts(listed(text('OUTSIDE_HOSTS'))), []),
    searchesPerMinute: integer(['SEARCHES_PER_MINUTE'], production ? 600 : 6000, 0, 1_000_000),
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(config.startDate) || Number.isNaN(Date.parse(config.startDate)))
    problems.add(`SERVICE_START_DATE must be a day such as 2025-03-02, not "${config.startDate}".`)
  if (config.tokenSecret !== '' && config.tokenSecret.length < 32) problems.add('TOKEN_SECRET must have at least 32 characters.')
  if (production) problems.add(...weakSecrets(config))
  problems.stopIfAny()
  return config
}

/** A sentence for each secret that a stranger could guess. */
export function weakSecrets(config: Config): string[] {
  const services: [string, string | undefined][] = [
    ['DATABASE_URL or DATABASE_PASSWORD', config.databaseUrl && postgresPasswordOf(config.databaseUrl)],
    ['DATABASE_POOLER_URL', config.databasePoolerUrl && postgresPasswordOf(config.databasePoolerUrl)],
    ['DATABASE_STANDBY_URL', config.databaseStandbyUrl && postgresPasswordOf(config.databaseStandbyUrl)],
    ['REDIS_URL or REDIS_PASSWORD', config.redisUrl && redisPasswordOf(config.redisUrl)],
  ]
  return [
    ...[...config.secrets]
      .filter(([, { isDefault }]) => isDefault)
      .map(([name]) => `${name} must be set to a value of your own in production.`),
    ...services
      .filter(([, password]) => password !== undefined && ['', 'password'].includes(password))
      .map(([name]) => `${name} must hold a password of your own in production.`),
  ]
}

/** Addresses of this machine that others on its network can reach, IPv4 first. */
export function networkAddresses(): string[] {
  const found = Object.entries(networkInterfaces())
    // Bridges of containers and virtual machines lead nowhere that a phone could be.
    .filter(([name]) => !/^(docker|br-|veth|virbr|vmnet|vboxnet)/.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
  return [...found.filter(({ family }) => family === 'IPv4'), ...found.filter(({ family }) => family === 'IPv6')].map(
    ({ address }) => address,
  )
}

/** IPv6 addresses stand in brackets in a URL. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** How others reach a server that is bound to `hostname`. */
function reachableHost(hostname: string): string {
  if (hostname === '0.0.0.0' || hostname === '::') return networkAddresses()[0] ?? 'localhost'
  return isLoopback(hostname) ? 'localhost' : hostname
}

function tlsFiles(certFile: string | undefined, keyFile: string | undefined): Config['tls'] {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE must both be set, or neither.')
  return { certFile: absolute(certFile), keyFile: absolute(keyFile) }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: false,
      options: {
        env: { type: 'string', short: 'e' },
        hostname: { type: 'string', short: 'H' },
        port: { type: 'string', short: 'p' },
        bind: { type: 'string', short: 'b' },
        log: { type: 'string' },
      },
    }).values
  } catch (cause) {
    throw new ConfigError(`The command line was not understood: ${(cause as Error).message}.`)
  }
}

function environmentName(value: string): string {
  const name = { dev: 'development', prod: 'production', test: 'testing' }[value] ?? value
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
    throw new ConfigError(`--env (VAPOR_ENV) must be development, testing, production or a plain word, not "${value}".`)
  return name
}

/** The operator's settings for an environment. */
export const envFile = (privateSeedsDir: string, environment: string): string => join(privateSeedsDir, `${environment}.env`)

/** The command that runs a program with the settings of `config`: it names the environment where that is not the usual one. */
export function commandOf({ environment, privateSeedsDir }: Config, program: string, ...more: string[]): string {
  const words = [...(environment === usualEnvironment(privateSeedsDir) ? [] : ['--env', environment]), ...more]
  return ['npm run', program, ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
}

/** Settings of production that say so themselves make it what starts when nobody says anything else. */
function usualEnvironment(privateSeedsDir: string): string {
  return readEnvFile(privateSeedsDir, 'production')['VAPOR_ENV'] === 'production' ? 'production' : 'development'
}

/** Settings of a file: `NAME=value` lines; `#` starts a comment. Never overrides the process environment. */
export function readEnvFile(privateSeedsDir: string, environment: string): Record<string, string> {
  const path = envFile(privateSeedsDir, environment)
  if (!existsSync(path)) return {}
  const found: Record<string, string> = {}
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const [, name, text = ''] = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? []
    const value = text.trim()
    if (name && value) found[name] = value.replace(/^(["'])(.*)\1$/, '$2')
  }
  return found
}

function withoutEmpty(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

/** The port of an http or https URL, also where it is the usual one. */
export function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function hostNames(name: string, values: readonly string[], externalUrl: string): Config['allowedHosts'] {
  const wrong = values.find((value) => !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(value))
  if (wrong !== undefined) throw new ConfigError(`${name} must list host names without a scheme or port. "${wrong}" is none.`)
  return values.length === 0 ? undefined : new Set([...values.map((value) => value.toLowerCase()), new URL(externalUrl).hostname])
}

function outsideHosts(values: readonly string[]): string[] {
  const wrong = values.find((value) => !/^(\*|(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])$/i.test(value))
  if (wrong !== undefined)
    throw new ConfigError(`OUTSIDE_HOSTS must list host names, such as hooks.example.org, *.example.org or *. "${wrong}" is none.`)
  return values.map((value) => value.toLowerCase())
}

function dialect(value: string): Config['dialect'] {
  if (value === 'seed' || value === 'twitarr') return value
  throw new ConfigError(`DIALECT must be seed or twitarr, not "${value}".`)
}

function logLevel(value: string): string {
  if (!logLevels.includes(value)) throw new ConfigError(`LOG_LEVEL (--log) must be one of ${logLevels.join(', ')}, not "${value}".`)
  return { warning: 'warn', critical: 'fatal' }[value] ?? value
}

function logFormat(value: string | undefined): Config['logFormat'] {
  if (value !== undefined && value !== 'text' && value !== 'json') throw new ConfigError(`LOG_FORMAT must be text or json, not "${value}".`)
  return value
}

function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(homeFolder, path)
}

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json not found above the running code')
  return findProjectRoot(parent)
}
