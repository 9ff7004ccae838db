// Writes the settings of production: with secrets that nobody can guess, and a sheet of them for the safe.
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import webPush from 'web-push'
import { envFile, networkAddresses, urlHost } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { authorityFiles, authorityIn, certificateIn, fingerprintOf, isOwn, makeCertificate } from './authority.ts'
import { inProject, secretNames, type Present, type SecretName } from './present.ts'
import { splitAddress, type Answers } from './questions.ts'

// No letters or digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const certificateDays = 397
/** A certificate that is good for so long is not made again. */
const enoughMs = 21 * 24 * 60 * 60_000

export interface Prepared {
  /** The settings. */
  file: string
  /** Lines for the safe. */
  sheet: string[]
}

/** Where production keeps its data: apart from that of development, which has sample people in it. */
export const usualDataDir = join('data', 'production')

/** How long each secret is, in groups of four. */
const groupsOf: Readonly<Record<SecretName, number>> = {
  ADMIN_PASSWORD: 4,
  RECOVERY_KEY: 6,
  THO_PASSWORD: 4,
  THO_RECOVERY_KEY: 6,
  PROMETHEUS_PASSWORD: 4,
  TOKEN_SECRET: 10,
}

/**
 * Writes the settings, in place of those that are there: these are kept beside. Secrets in `kept` stay, and so do settings
 * that nobody is asked for.
 */
export function prepareProduction(
  answers: Answers,
  { privateSeedsDir, present, kept, now }: { privateSeedsDir: string; present: Present; kept: Present['secrets']; now: Date },
): Prepared {
  const file = envFile(privateSeedsDir, 'production')
  const { dataDir } = present
  const { host, port } = splitAddress(answers.address)
  const secrets = Object.fromEntries(secretNames.map((name) => [name, kept[name] ?? secret(groupsOf[name])]))
  const { settings: tls, fingerprint } = tlsOf(answers.tls, host, dataDir)
  const scheme = answers.tls === 'no' ? 'http' : 'https'
  const usualPort = port === (scheme === 'https' ? 443 : 80)
  const url = `${scheme}://${urlHost(host)}${usualPort ? '' : `:${port}`}`
  // A proxy in front may have another port, and TLS of its own.
  const isSamePlace = answers.address === present.answers.address && answers.tls === present.answers.tls
  const place = { SWIFTARR_EXTERNAL_URL: url, PORT: String(port), ...(isSamePlace ? present.place : {}) }
  const settings = {
    VAPOR_ENV: 'production',
    EVENT_NAME: `"${answers.name}"`,
    SERVICE_START_DATE: answers.start,
    SERVICE_LENGTH_DAYS: answers.days,
    SERVICE_PORT_TIMEZONE: answers.zone,
    ...place,
    DATA_DIR: dataDir,
    ...tls,
    ...(answers.backups === 'no' ? {} : { BACKUP_DIR: answers.backups }),
    ...pushSettings(answers.push, present.pushKeys),
    ...secrets,
  }
  mkdirSync(privateSeedsDir, { recursive: true, mode: 0o700 })
  if (existsSync(file)) renameSync(file, `${file}.${now.toISOString().replaceAll(':', '-')}`)
  const lines = [`# Made by npm run setup on ${now.toISOString().slice(0, 10)}. Whoever reads this file is administrator.`]
  // A choice that only the operator can make, and most will have to.
  if (present.others['DIALECT'] === undefined)
    lines.push('# For people who use the phone apps of today, take the mark away from the next line.', '#DIALECT=twitarr')
  lines.push(...Object.entries(settings).map(([name, value]) => `${name}=${value}`))
  // Quotes around the whole of a value are not part of it, unless there are more of them.
  const others = Object.entries(present.others).map(([name, value]) => `${name}=${/^["']/.test(value) ? `"${value}"` : value}`)
  if (others.length > 0) lines.push('# From the settings before.', ...others)
  writeFileSync(file, [...lines, ''].join('\n'), { mode: 0o600 })
  return { file, sheet: sheetOf(answers, place.SWIFTARR_EXTERNAL_URL, secrets, { fingerprint, isOld: present.data !== undefined }) }
}

/** Keys that are there stay: devices that were told before are told again. */
function pushSettings(answer: string, keys = webPush.generateVAPIDKeys()): Record<string, string> {
  if (answer === 'no') return {}
  return { PUSH_PUBLIC_KEY: keys.publicKey, PUSH_PRIVATE_KEY: keys.privateKey, PUSH_SUBJECT: `mailto:${answer}` }
}

function tlsOf(answer: string, host: string, dataDir: string): { settings: Record<string, string>; fingerprint?: string } {
  if (answer === 'no') return { settings: {} }
  const [certFile = '', keyFile = ''] = answer === 'yes' ? madeFor(host, dataDir) : answer.split(',').map((path) => path.trim())
  return {
    settings: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
    ...(isOwn({ certFile, keyFile }) ? { fingerprint: fingerprintOf(join(dirname(certFile), authorityFiles.authority)) } : {}),
  }
}

/** The files of a certificate for `host`: those that are there, as long as they will do. */
function madeFor(host: string, dataDir: string): [certFile: string, keyFile: string] {
  const folder = join(inProject(dataDir), 'tls')
  const [present, authority] = [certificateIn(folder), authorityIn(folder)]
  if (present?.names.includes(host) && present.validTo.getTime() > Date.now() + enoughMs)
    return [join(folder, authorityFiles.certificate), join(folder, authorityFiles.key)]
  const beyond = authority?.beyond([host, ...networkAddresses()]) ?? []
  if (beyond.includes(host))
    throw new OperatorError(
      `The authority in ${folder} may not sign for ${host}. To make another, which every phone has to trust once more:\n` +
        `npm run certificate -- --folder ${folder} --new-authority ${host}`,
    )
  const addresses = networkAddresses().filter((address) => !beyond.includes(address))
  const names = [...new Set([...(present?.names ?? []), host, ...addresses, 'localhost', '127.0.0.1'])]
  const { certFile, keyFile } = makeCertificate(folder, names, certificateDays)
  return [certFile, keyFile]
}

function sheetOf(
  { name, start, days }: Answers,
  url: string,
  secrets: Record<string, string>,
  { fingerprint, isOld }: { fingerprint: string | undefined; isOld: boolean },
): string[] {
  const row = (what: string, value = '') => `  ${what.padEnd(24)}${value}`
  return [
    `For the safe: ${name}, ${days} days from ${start}`,
    '',
    row('Address', url),
    row('admin, password', secrets['ADMIN_PASSWORD']),
    row('admin, recovery key', secrets['RECOVERY_KEY']),
    row('THO, password', secrets['THO_PASSWORD']),
    row('THO, recovery key', secrets['THO_RECOVERY_KEY']),
    row('prometheus, password', secrets['PROMETHEUS_PASSWORD']),
    // Without it everybody has to log in again after a restore on another machine.
    row('TOKEN_SECRET'),
    `    ${secrets['TOKEN_SECRET']}`,
    ...(fingerprint === undefined ? [] : [row('Authority (SHA-256)'), `    ${fingerprint}`]),
    ...(isOld ? ['', 'Accounts that exist keep their own passwords and recovery keys, whatever stands here.'] : []),
  ]
}

function secret(groups: number): string {
  const letters = (count: number) => Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, () => letters(4)).join('-')
}
