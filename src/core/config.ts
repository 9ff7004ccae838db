// Settings of the operator: every input from the environment and the command line,
// checked once at start. Nothing else reads process.env.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { IANAZone } from 'luxon'

/** The folder that holds package.json, wherever the compiled code runs from. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

/** Everything the operator can set. Times are in milliseconds unless the name says otherwise. */
export interface Config {
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
  dataDir: string
  /** The operator's own seed files; they win over those of the program. */
  privateSeedsDir: string
  imagesDir: string
  /** Undefined: the parent process starts an embedded one. */
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** Seconds to wait for a database connection. */
  databaseTimeoutSeconds: number
  adminPassword: string
  adminRecoveryKey: string
  thoPassword: string
  thoRecoveryKey: string
  prometheusPassword: string
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
  /** Whether the X-Forwarded-For of the proxy in front is believed. */
  trustProxy: boolean
  /** Requests that one account may send to one node in a minute; 0 for no limit. */
  writesPerMinute: number
  searchesPerMinute: number
  /** Memory that request bodies may take on one node at once. */
  bodyMemoryBytes: number
}

/** A wrong value from the operator. `message` is a whole sentence that names the input. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const logLevels = ['trace', 'debug', 'info', 'notice', 'warning', 'warn', 'error', 'critical', 'fatal', 'silent']

/**
 * Reads the configuration.
 *
 * Precedence: command line, then the `SERVICE_` spelling, then the plain name, then
 * `seeds/private/<environment>.env`, then the default. An empty string counts as unset.
 *
 * @throws ConfigError naming the first wrong input.
 */
export function readConfig(argv: readonly string[] = process.argv.slice(2), processEnv: NodeJS.ProcessEnv = process.env): Config {
  const flags = readFlags(argv)
  const environment = environmentName(flags.env ?? processEnv['VAPOR_ENV'] ?? 'development')
  const production = environment === 'production'
  const privateSeedsDir = absolute(processEnv['PRIVATE_SEEDS_DIR'] || join('seeds', 'private'))
  const env = { ...readEnvFile(privateSeedsDir, environment), ...withoutEmpty(processEnv) }

  const text = (...names: string[]): string | undefined => {
    for (const name of names) if (env[name] !== undefined) return env[name]
    return undefined
  }
  const integer = (names: string[], fallback: number, min: number, max: number): number => {
    for (const name of names) {
      const value = env[name]
      if (value === undefined) continue
      return integerIn(name, value, min, max)
    }
    return fallback
  }

  const bind = flags.bind?.match(/^(.*):(\d+)$/)
  if (flags.bind !== undefined && !bind) throw new ConfigError(`--bind must look like 127.0.0.1:8081, not "${flags.bind}".`)
  const port =
    flags.port !== undefined
      ? integerIn('--port', flags.port, 0, 65535)
      : bind
        ? integerIn('--bind', bind[2] ?? '', 0, 65535)
        : integer(['SERVICE_PORT', 'SWIFTARR_PORT', 'PORT'], 8081, 0, 65535)
  const hostname = flags.hostname ?? bind?.[1] ?? text('SERVICE_IP', 'SWIFTARR_IP', 'hostname') ?? (production ? '0.0.0.0' : '127.0.0.1')
  if (!/^[A-Za-z0-9.:_-]+$/.test(hostname))
    throw new ConfigError(`hostname must be a host name or an address to bind to, not "${hostname}".`)

  const dataDir = absolute(text('DATA_DIR') ?? 'data')
  const config: Config = {
    environment,
    production,
    demoContent: environment === 'development' || environment === 'testing',
    hostname,
    port,
    externalUrl: webUrl('SWIFTARR_EXTERNAL_URL', text('SWIFTARR_EXTERNAL_URL', 'SERVICE_EXTERNAL_URL') ?? `http://localhost:${port}`),
    dataDir,
    privateSeedsDir,
    imagesDir: absolute(text('SWIFTARR_USER_IMAGES', 'SERVICE_USER_IMAGES') ?? join(dataDir, 'images')),
    databaseUrl: databaseUrl(text),
    redisUrl: redisUrl(text),
    databaseTimeoutSeconds: integer(['DATABASE_TIMEOUT'], 10, 1, 600),
    adminPassword: text('ADMIN_PASSWORD') ?? 'password',
    adminRecoveryKey: text('RECOVERY_KEY', 'ADMIN_RECOVERY_KEY') ?? 'recovery key',
    thoPassword: text('THO_PASSWORD') ?? 'password',
    thoRecoveryKey: text('THO_RECOVERY_KEY') ?? 'recovery key',
    prometheusPassword: text('PROMETHEUS_PASSWORD') ?? 'password',
    tokenSecret: text('TOKEN_SECRET') ?? '',
    portTimeZone: text('SERVICE_PORT_TIMEZONE', 'SWIFTARR_PORT_TIMEZONE') ?? 'America/New_York',
    startDate: text('SERVICE_START_DATE', 'SWIFTARR_START_DATE') ?? '2025-03-02',
    lengthInDays: integer(['SERVICE_LENGTH_DAYS'], 8, 1, 366),
    scheduleTimer: flag(
      'SERVICE_ENABLE_UPDATE_SCHEDULE_JOB',
      text('SERVICE_ENABLE_UPDATE_SCHEDULE_JOB', 'SWIFTARR_ENABLE_UPDATE_SCHEDULE_JOB') ?? 'true',
    ),
    logLevel: logLevel(flags.log ?? text('LOG_LEVEL') ?? (production ? 'notice' : 'info')),
    trustProxy: flag('TRUST_PROXY', text('TRUST_PROXY') ?? 'false'),
    writesPerMinute: integer(['WRITES_PER_MINUTE'], production ? 1200 : 12_000, 0, 1_000_000),
    bodyMemoryBytes: integer(['BODY_MEMORY_MB'], 512, 1, 1_000_000) * 1024 * 1024,
    searchesPerMinute: integer(['SEARCHES_PER_MINUTE'], production ? 600 : 6000, 0, 1_000_000),
  }
  if (!IANAZone.isValidZone(config.portTimeZone)) {
    throw new ConfigError(`SERVICE_PORT_TIMEZONE must be an IANA time zone such as America/New_York, not "${config.portTimeZone}".`)
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(config.startDate) || Number.isNaN(Date.parse(config.startDate))) {
    throw new ConfigError(`SERVICE_START_DATE must be a day such as 2025-03-02, not "${config.startDate}".`)
  }
  for (const [name, value] of [
    ['ADMIN_PASSWORD', config.adminPassword],
    ['THO_PASSWORD', config.thoPassword],
    ['PROMETHEUS_PASSWORD', config.prometheusPassword],
  ] as const) {
    if (value.length < 6 || value.length > 50) throw new ConfigError(`${name} must have 6 to 50 characters.`)
  }
  if (config.tokenSecret !== '' && config.tokenSecret.length < 32) throw new ConfigError('TOKEN_SECRET must have at least 32 characters.')
  if (production) refuseDefaults(config)
  return config
}

function refuseDefaults(config: Config): void {
  const secrets: [string, string, string][] = [
    ['ADMIN_PASSWORD', config.adminPassword, 'password'],
    ['RECOVERY_KEY', config.adminRecoveryKey, 'recovery key'],
    ['THO_PASSWORD', config.thoPassword, 'password'],
    ['THO_RECOVERY_KEY', config.thoRecoveryKey, 'recovery key'],
    ['PROMETHEUS_PASSWORD', config.prometheusPassword, 'password'],
  ]
  for (const [name, value, fallback] of secrets) {
    if (value === fallback) throw new ConfigError(`${name} must be set to a value of your own in production.`)
  }
  for (const [name, url] of [
    ['DATABASE_URL or DATABASE_PASSWORD', config.databaseUrl],
    ['REDIS_URL or REDIS_PASSWORD', config.redisUrl],
  ] as const) {
    if (url === undefined) continue
    const password = new URL(url).password
    if (password === '' || password === 'password') throw new ConfigError(`${name} must hold a password of your own in production.`)
  }
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

/** `NAME=value` lines; `#` starts a comment. Never overrides the process environment. */
function readEnvFile(privateSeedsDir: string, environment: string): Record<string, string> {
  const path = join(privateSeedsDir, `${environment}.env`)
  if (!existsSync(path)) return {}
  const found: Record<string, string> = {}
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const match = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line)
    if (match?.[1] && match[2]) found[match[1]] = match[2].replace(/^(["'])(.*)\1$/, '$2')
  }
  return found
}

function withoutEmpty(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])))
}

function integerIn(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return number
}

function flag(name: string, value: string): boolean {
  if (/^(true|1)$/i.test(value)) return true
  if (/^(false|0)$/i.test(value)) return false
  throw new ConfigError(`${name} must be true or false, not "${value}".`)
}

function webUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ConfigError(`${name} must be an http or https URL, not "${value}".`)
  return value.replace(/\/+$/, '')
}

type Lookup = (...names: string[]) => string | undefined

function databaseUrl(text: Lookup): string | undefined {
  const whole = text('DATABASE_URL')
  if (whole !== undefined) return serviceUrl('DATABASE_URL', whole, ['postgres:', 'postgresql:'])
  const [host, port, database, user, password] = ['HOSTNAME', 'PORT', 'DB', 'USER', 'PASSWORD'].map((part) => text(`DATABASE_${part}`))
  if (!host && !port && !database && !user && !password) return undefined
  const url = new URL('postgres://localhost')
  url.hostname = host ?? 'localhost'
  url.port = String(port === undefined ? 5432 : integerIn('DATABASE_PORT', port, 1, 65535))
  url.pathname = `/${encodeURIComponent(database ?? 'quarterdeck')}`
  url.username = encodeURIComponent(user ?? 'quarterdeck')
  url.password = encodeURIComponent(password ?? 'password')
  return url.href
}

function redisUrl(text: Lookup): string | undefined {
  const whole = text('REDIS_URL')
  if (whole !== undefined) return serviceUrl('REDIS_URL', whole, ['redis:', 'rediss:'])
  const [host, port, password] = ['HOSTNAME', 'PORT', 'PASSWORD'].map((part) => text(`REDIS_${part}`))
  if (!host && !port && !password) return undefined
  const url = new URL('redis://localhost')
  url.hostname = host ?? 'localhost'
  url.port = String(port === undefined ? 6379 : integerIn('REDIS_PORT', port, 1, 65535))
  if (password) url.password = encodeURIComponent(password)
  return url.href
}

/** The value never appears in the message: it holds a password. */
function serviceUrl(name: string, value: string, protocols: string[]): string {
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`)
  }
  return value
}

function logLevel(value: string): string {
  if (!logLevels.includes(value)) throw new ConfigError(`LOG_LEVEL (--log) must be one of ${logLevels.join(', ')}, not "${value}".`)
  return { notice: 'info', warning: 'warn', critical: 'fatal' }[value] ?? value
}

function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(projectRoot, path)
}

function findProjectRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json not found above the running code')
  return findProjectRoot(parent)
}
