// What is there before `npm run setup`: settings of production, and data that hangs on their secrets.
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { ConfigError, envFile, homeFolder, portOf, readEnvFile } from '../core/base/config.ts'
import { readCertificate } from '../core/http/certificate.ts'
import { hasCluster } from '../embedded/postgres.ts'
import { questions, type Answers } from './questions.ts'

/** The secrets that setup makes, in the order of the sheet. */
export const secretNames = [
  'ADMIN_PASSWORD',
  'RECOVERY_KEY',
  'THO_PASSWORD',
  'THO_RECOVERY_KEY',
  'PROMETHEUS_PASSWORD',
  'TOKEN_SECRET',
] as const
export type SecretName = (typeof secretNames)[number]

/** Other names under which settings may stand that setup writes. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  PORT: ['SERVICE_PORT', 'SWIFTARR_PORT'],
  SERVICE_PORT_TIMEZONE: ['SWIFTARR_PORT_TIMEZONE'],
  SERVICE_START_DATE: ['SWIFTARR_START_DATE'],
  SWIFTARR_EXTERNAL_URL: ['SERVICE_EXTERNAL_URL'],
  RECOVERY_KEY: ['ADMIN_RECOVERY_KEY'],
}
const written = [
  'VAPOR_ENV',
  'EVENT_NAME',
  'SERVICE_LENGTH_DAYS',
  'DATA_DIR',
  'BACKUP_DIR',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'PUSH_PUBLIC_KEY',
  'PUSH_PRIVATE_KEY',
  'PUSH_SUBJECT',
  ...secretNames,
]
const own = new Set([...written, ...Object.keys(aliases), ...Object.values(aliases).flat()])

/** An installation as it is. */
export interface Present {
  /** The file of the settings; undefined when there is none. */
  file: string | undefined
  dataDir: string
  /** Where people and what they wrote are, or may be; undefined when nobody can be there yet. */
  data: string | undefined
  /** Those that are known. */
  secrets: Partial<Record<SecretName, string>>
  /** Keys for push services: devices know the public one, and hear no other. */
  pushKeys: { publicKey: string; privateKey: string } | undefined
  /** What setup would ask for. */
  answers: Partial<Answers>
  /** Where phones reach the server and where it listens, as the settings say it. */
  place: { SWIFTARR_EXTERNAL_URL?: string; PORT?: string }
  /** Settings that setup knows nothing of. */
  others: Readonly<Record<string, string>>
}

/** Looks at what is there. `dataDir` when the settings name no other, or `given` does. */
export function presentProduction(privateSeedsDir: string, { given, usual }: { given: string | undefined; usual: string }): Present {
  const file = envFile(privateSeedsDir, 'production')
  const settings = readEnvFile(privateSeedsDir, 'production')
  const valueOf = (name: string) => [...(aliases[name] ?? []), name].map((each) => settings[each]).find((value) => value !== undefined)
  const dataDir = given ?? settings['DATA_DIR'] ?? usual
  const tokenFile = join(inProject(dataDir), 'token-secret')
  const known: [SecretName, string | undefined][] = secretNames.map((name) => [name, valueOf(name)])
  const secrets: Present['secrets'] = Object.fromEntries(known.filter(([, value]) => value !== undefined))
  if (secrets.TOKEN_SECRET === undefined && existsSync(tokenFile)) secrets.TOKEN_SECRET = readFileSync(tokenFile, 'utf8')
  const [url, port] = [valueOf('SWIFTARR_EXTERNAL_URL'), valueOf('PORT')]
  return {
    file: existsSync(file) ? file : undefined,
    dataDir,
    data: Object.keys(settings).some((name) => /^DATABASE_(URL|HOSTNAME|DB)$/.test(name))
      ? 'the database that the settings name'
      : hasCluster(join(inProject(dataDir), 'postgres')) || existsSync(tokenFile)
        ? dataDir
        : undefined,
    secrets,
    pushKeys:
      settings['PUSH_PUBLIC_KEY'] && settings['PUSH_PRIVATE_KEY']
        ? { publicKey: settings['PUSH_PUBLIC_KEY'], privateKey: settings['PUSH_PRIVATE_KEY'] }
        : undefined,
    answers: existsSync(file) ? answersIn(settings, valueOf, url) : {},
    place: { ...(url === undefined ? {} : { SWIFTARR_EXTERNAL_URL: url }), ...(port === undefined ? {} : { PORT: port }) },
    others: Object.fromEntries(Object.entries(settings).filter(([name]) => !own.has(name))),
  }
}

/** Only what would do as an answer. */
function answersIn(
  settings: Readonly<Record<string, string>>,
  valueOf: (name: string) => string | undefined,
  url: string | undefined,
): Partial<Answers> {
  const found: Record<keyof Answers, string | undefined> = {
    name: settings['EVENT_NAME'],
    start: valueOf('SERVICE_START_DATE'),
    days: settings['SERVICE_LENGTH_DAYS'],
    zone: valueOf('SERVICE_PORT_TIMEZONE'),
    address: url !== undefined && URL.canParse(url) ? addressIn(url) : undefined,
    tls: tlsIn(settings),
    backups: settings['BACKUP_DIR'] ?? 'no',
    push: settings['PUSH_SUBJECT']?.replace(/^mailto:/, '') ?? 'no',
  }
  return Object.fromEntries(
    questions.flatMap(({ key, check }) => (found[key] !== undefined && check(found[key]) === undefined ? [[key, found[key]]] : [])),
  )
}

function addressIn(url: string): string {
  const port = portOf(url)
  return `${new URL(url).hostname}${port === 8081 ? '' : `:${port}`}`
}

function tlsIn({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Readonly<Record<string, string>>): string | undefined {
  if (cert === undefined || key === undefined) return 'no'
  const [certFile, keyFile] = [inProject(cert), inProject(key)]
  try {
    readCertificate({ certFile, keyFile })
    return `${certFile},${keyFile}`
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** As settings are read: relative to the project. */
export function inProject(path: string): string {
  return isAbsolute(path) ? path : resolve(homeFolder, path)
}
