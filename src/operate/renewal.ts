// What `npm run certificate` makes: for which names, with which authority, and what the operator is asked before.
import { dirname, join } from 'node:path'
import { ConfigError, envFile, isLoopback, networkAddresses, type Config } from '../core/base/config.ts'
import { readConfig } from '../accounts/config.ts'
import { spelled } from '../core/http/certificate.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Asker } from './ask.ts'
import { authorityFiles, authorityIn, certificateIn, fingerprintOf, isOwn, makeCertificate, type Authority } from './authority.ts'
import { certificatePath } from './certificate-page.ts'

/** What the operator wants. */
export interface Wanted {
  given: readonly string[]
  folder: string
  days: number
  /** Undefined when it cannot be read and is not needed. */
  config: Config | undefined
  /** The command line that does something else with the same certificate. */
  command(...words: string[]): string
  only: boolean
  yes: boolean
  'new-authority': boolean
}

/** Makes the certificate, once the operator agrees to what it replaces. */
export async function replaceCertificate(screen: Screen, asker: Asker, wanted: Wanted): Promise<void> {
  const { folder, days, config, command, ...flags } = wanted
  const [present, authority] = [certificateIn(folder), flags['new-authority'] ? undefined : authorityIn(folder)]
  const { names, newAuthority } = await namesFor(screen, asker, wanted, present?.names ?? [], authority)
  if (present) {
    screen.line(`${folder} has a certificate, good until ${day(present.validTo)}, for`)
    screen.line(`  ${listOf(present.names)}`)
    screen.line('The new one, which a server that runs takes within seconds, is for')
    screen.line(`  ${listOf(names)}`)
    if (flags['new-authority']) screen.line('Every phone has to trust its authority, which is new as well.')
    if (!flags.yes && !(await asker.agrees('Replace it?', 'no'))) throw new OperatorError('Nothing was changed.')
    screen.line('')
  }
  const made = makeCertificate(folder, names, days, { newAuthority: newAuthority || flags['new-authority'] })
  screen.line(`Certificate for ${listOf(names)}, until ${day(made.validTo)}.`)
  if (made.isNewAuthority) screen.line(`A new authority signed it; keep ${join(folder, authorityFiles.authorityKey)} to yourself.`)
  if (authority && authority.beyond([]) === undefined) {
    screen.line('Its authority is of an older version and could sign for any site. One that cannot, and that phones have to trust')
    screen.line(`once more: ${command('--new-authority')}`)
  }
  screen.line('')
  for (const line of settingsLines(config, made)) screen.line(line)
  screen.line('')
  screen.line('Phones have to trust the authority once. Its fingerprint (SHA-256):')
  screen.line(`  ${fingerprintOf(made.authorityFile)}`)
  screen.line(`The server explains how at ${certificatePath}; ${command('--serve')}\nshows the same page without a warning of the browser.`)
}

/**
 * The names of the new certificate: those of the present one stay, and the name that phones use is among them. Addresses
 * that nobody asked for are left out where the authority may not sign for them.
 */
async function namesFor(
  screen: Screen,
  asker: Asker,
  { given, only, config, command }: Wanted,
  present: readonly string[],
  authority: Authority | undefined,
): Promise<{ names: string[]; newAuthority: boolean }> {
  if (only && given.length === 0) throw new ConfigError('--only needs the names: npm run certificate -- --only ship.example')
  const host = config && new URL(config.externalUrl).hostname.replace(/^\[|\]$/g, '')
  const asked = only ? [...given] : [...present, ...(host === undefined || isLoopback(host) ? [] : [host]), ...given]
  const found = only || given.length > 0 ? [] : networkAddresses()
  if (asked.length === 0 && found.length === 0)
    throw new ConfigError('This computer has no address on a network. Say names: npm run certificate -- ship.example')
  const beyond = authority?.beyond([...asked, ...found]) ?? []
  const names = [...asked, ...found.filter((name) => !beyond.includes(name)), 'localhost', '127.0.0.1']
  const refused = asked.filter((name) => beyond.includes(name))
  const isOver = authority !== undefined && authority.validTo <= new Date()
  if (!isOver && refused.length === 0) return { names: [...new Set(names.map(spelled))], newAuthority: false }
  screen.line(isOver ? `The authority ran out on ${day(authority.validTo)}.` : `The authority may not sign for ${listOf(refused)}.`)
  // Everybody would have to do something: --yes alone does not say that.
  if (!(await asker.agrees('Make another, which every phone has to trust once more?', 'no')))
    throw new OperatorError(`Nothing was changed. To make another authority: ${command('--new-authority', ...given)}`)
  return { names: [...new Set([...names, ...found].map(spelled))], newAuthority: true }
}

/** The settings of the server. With a folder they are not needed. */
export function settingsOf(env: string | undefined, hasFolder: boolean): Config | undefined {
  try {
    return readConfig(env === undefined ? [] : ['--env', env])
  } catch (error) {
    if (hasFolder && error instanceof ConfigError) return undefined
    throw error
  }
}

/** Where the server's certificate lies, or will. @throws OperatorError when it comes from elsewhere. */
export function folderOf({ tls, dataDir }: Config): string {
  if (tls === undefined) return join(dataDir, 'tls')
  if (isOwn(tls)) return dirname(tls.certFile)
  throw new OperatorError(
    `The server takes its certificate from ${tls.certFile}, which was not made here. Renew it where it comes from.\n` +
      'For one of a private authority, say in which folder it shall lie: npm run certificate -- --folder <folder>',
  )
}

/** Says what is left to do so that the server uses it. */
function settingsLines(config: Config | undefined, { certFile, keyFile }: { certFile: string; keyFile: string }): string[] {
  if (config?.tls?.certFile === certFile && config.tls.keyFile === keyFile)
    return ['Nothing has to be set: these are the files of the server.']
  const place = config ? `Put this into ${envFile(config.privateSeedsDir, config.environment)}` : 'Put this into the settings'
  const url =
    config?.production && config.externalUrl.startsWith('http:')
      ? [`SWIFTARR_EXTERNAL_URL=${config.externalUrl.replace('http', 'https')}`]
      : []
  return [
    `${place}, and start the server again:`,
    ...[`TLS_CERT_FILE=${certFile}`, `TLS_KEY_FILE=${keyFile}`, ...url].map((line) => `  ${line}`),
  ]
}

const day = (date: Date): string => date.toISOString().slice(0, 10)
const listOf = (names: readonly string[]): string => names.join(', ')
