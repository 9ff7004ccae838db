// Writes the settings of production: with secrets that nobody can guess, and a sheet of them for the safe.
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { envFile, networkAddresses, projectRoot, urlHost } from '../core/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { fingerprintOf, makeCertificate } from './authority.ts'
import { splitAddress, type Answers } from './questions.ts'

// No letters or digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const certificateDays = 397

export interface Prepared {
  /** The settings. */
  file: string
  /** Lines for the safe. */
  sheet: string[]
}

/** Where production keeps its data: apart from that of development, which has sample people in it. */
export const usualDataDir = join('data', 'production')

/** @throws OperatorError when there are settings already and they are not to be replaced. */
export function prepareProduction(
  answers: Answers,
  { privateSeedsDir, dataDir, force, now }: { privateSeedsDir: string; dataDir: string; force: boolean; now: Date },
): Prepared {
  const file = envFile(privateSeedsDir, 'production')
  if (existsSync(file) && !force)
    throw new OperatorError(`${file} exists already. To replace it, and keep it beside: npm run setup -- --force`)
  const { host, port } = splitAddress(answers.address)
  const secrets = {
    ADMIN_PASSWORD: secret(4),
    RECOVERY_KEY: secret(6),
    THO_PASSWORD: secret(4),
    THO_RECOVERY_KEY: secret(6),
    PROMETHEUS_PASSWORD: secret(4),
    TOKEN_SECRET: secret(10),
  }
  const { settings: tls, fingerprint } = tlsOf(answers.tls, host, dataDir)
  const scheme = answers.tls === 'no' ? 'http' : 'https'
  const usualPort = port === (scheme === 'https' ? 443 : 80)
  const url = `${scheme}://${urlHost(host)}${usualPort ? '' : `:${port}`}`
  const settings = {
    VAPOR_ENV: 'production',
    EVENT_NAME: `"${answers.name}"`,
    SERVICE_START_DATE: answers.start,
    SERVICE_LENGTH_DAYS: answers.days,
    SERVICE_PORT_TIMEZONE: answers.zone,
    SWIFTARR_EXTERNAL_URL: url,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...tls,
    ...(answers.backups === 'no' ? {} : { BACKUP_DIR: answers.backups }),
    ...secrets,
  }
  mkdirSync(privateSeedsDir, { recursive: true, mode: 0o700 })
  if (existsSync(file)) renameSync(file, `${file}.${now.toISOString().replaceAll(':', '-')}`)
  const lines = [`# Made by npm run setup on ${now.toISOString().slice(0, 10)}. Whoever reads this file is administrator.`]
  // A choice that only the operator can make, and most will have to.
  lines.push('# For people who use the phone apps of today, take the mark away from the next line.', '#DIALECT=twitarr')
  writeFileSync(file, [...lines, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ''].join('\n'), { mode: 0o600 })
  return { file, sheet: sheetOf(answers, url, secrets, fingerprint) }
}

function tlsOf(answer: string, host: string, dataDir: string): { settings: Record<string, string>; fingerprint?: string } {
  if (answer === 'no') return { settings: {} }
  if (answer !== 'yes') {
    const [certFile = '', keyFile = ''] = answer.split(',').map((path) => path.trim())
    return { settings: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } }
  }
  const folder = join(inProject(dataDir), 'tls')
  const names = [...new Set([host, ...networkAddresses(), 'localhost', '127.0.0.1'])]
  const { certFile, keyFile, authorityFile } = makeCertificate(folder, names, certificateDays)
  return { settings: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }, fingerprint: fingerprintOf(authorityFile) }
}

function sheetOf({ name, start, days }: Answers, url: string, secrets: Record<string, string>, fingerprint: string | undefined): string[] {
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
  ]
}

function secret(groups: number): string {
  const letters = (count: number) => Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, () => letters(4)).join('-')
}

/** As settings are read: relative to the project. */
function inProject(path: string): string {
  return isAbsolute(path) ? path : resolve(projectRoot, path)
}
