// A private certificate authority in a folder, and certificates of servers that it signs. Phones have to be told once
// to trust it; a certificate that runs out or gets another name does not trouble them again.
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import forge from 'node-forge'
import { ConfigError } from '../core/base/config.ts'
import { readCertificate, type Certificate } from '../core/http/certificate.ts'
import { constraintsFor, namesBeyond } from './name-constraints.ts'

/** The files of the folder; the keys can be read by their owner only. */
export const authorityFiles = {
  authority: 'authority.crt',
  authorityKey: 'authority.key',
  certificate: 'server.crt',
  key: 'server.key',
} as const

const dayMs = 24 * 60 * 60_000
/** Phones refuse certificates that are valid for longer. */
export const longestDays = 825
/** Clocks on board may be behind. */
const aheadMs = dayMs

export interface Made {
  /** True when there was no authority yet. */
  isNewAuthority: boolean
  certFile: string
  keyFile: string
  authorityFile: string
  validTo: Date
}

/** An authority as it lies in its folder. */
export interface Authority {
  validTo: Date
  /** Which of the names it may not sign for; undefined for one of an older version, which may sign for all there are. */
  beyond(names: readonly string[]): string[] | undefined
}

/** The authority of the folder, if there is one whose key is there. */
export function authorityIn(folder: string): Authority | undefined {
  const [file, key] = [join(folder, authorityFiles.authority), join(folder, authorityFiles.authorityKey)]
  if (!existsSync(file) || !existsSync(key)) return undefined
  const certificate = forge.pki.certificateFromPem(readFileSync(file, 'utf8'))
  return { validTo: certificate.validity.notAfter, beyond: (names) => namesBeyond(certificate, names) }
}

/** The certificate of the folder; undefined when there is none, or none that a server could use. */
export function certificateIn(folder: string): Certificate | undefined {
  const [certFile, keyFile] = [join(folder, authorityFiles.certificate), join(folder, authorityFiles.key)]
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined
  try {
    return readCertificate({ certFile, keyFile })
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** Whether these files are those of such a folder: then they can be made again. */
export function isOwn({ certFile, keyFile }: { certFile: string; keyFile: string }): boolean {
  const folder = dirname(certFile)
  const isNamedSo = certFile === join(folder, authorityFiles.certificate) && keyFile === join(folder, authorityFiles.key)
  return isNamedSo && existsSync(join(folder, authorityFiles.authorityKey))
}

/**
 * Makes a certificate for `names`, host names and addresses, and before it the authority if the folder has none, or
 * shall have another: the old one is kept beside it.
 */
export function makeCertificate(
  folder: string,
  names: readonly string[],
  days: number,
  { newAuthority = false, now = new Date() }: { newAuthority?: boolean; now?: Date } = {},
): Made {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isNewAuthority = newAuthority || !existsSync(join(folder, authorityFiles.authorityKey))
  if (isNewAuthority) makeAuthority(folder, names, now)
  const issuer = forge.pki.certificateFromPem(readFileSync(join(folder, authorityFiles.authority), 'utf8'))
  const signer = forge.pki.privateKeyFromPem(readFileSync(join(folder, authorityFiles.authorityKey), 'utf8'))
  const { keyPem, certificate } = begin(now, days)
  // Where there is no host name, some take this for one, and an address for one that the authority may not sign for.
  certificate.setSubject([{ name: 'commonName', value: names.find((name) => isIP(name) === 0) ?? 'Quarterdeck server' }])
  certificate.setIssuer(issuer.subject.attributes)
  if (certificate.validity.notAfter > issuer.validity.notAfter) certificate.validity.notAfter = issuer.validity.notAfter
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })) },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(signer, forge.md.sha256.create())
  const [certFile, keyFile] = [join(folder, authorityFiles.certificate), join(folder, authorityFiles.key)]
  write(keyFile, keyPem, 0o600)
  // Those in between are sent along with it.
  write(certFile, forge.pki.certificateToPem(certificate) + forge.pki.certificateToPem(issuer), 0o644)
  return {
    isNewAuthority,
    certFile,
    keyFile,
    authorityFile: join(folder, authorityFiles.authority),
    validTo: certificate.validity.notAfter,
  }
}

/** The fingerprint that people compare on their phones with the operator's. */
export function fingerprintOf(certFile: string): string {
  return new X509Certificate(readFileSync(certFile)).fingerprint256
}

function makeAuthority(folder: string, names: readonly string[], now: Date): void {
  keepBeside(folder, now)
  const { keyPem, certificate } = begin(now, longestDays)
  const name = [
    { name: 'commonName', value: `Quarterdeck ${now.toISOString().slice(0, 10)} ${randomBytes(2).toString('hex')}` },
    { name: 'organizationName', value: 'Private, for one event' },
  ]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
    constraintsFor(names),
  ])
  certificate.sign(forge.pki.privateKeyFromPem(keyPem), forge.md.sha256.create())
  write(join(folder, authorityFiles.authorityKey), keyPem, 0o600)
  write(join(folder, authorityFiles.authority), forge.pki.certificateToPem(certificate), 0o644)
}

/** An authority that was there may be on phones already. */
function keepBeside(folder: string, now: Date): void {
  for (const name of [authorityFiles.authority, authorityFiles.authorityKey])
    if (existsSync(join(folder, name))) renameSync(join(folder, name), join(folder, `${name}.${now.toISOString().replaceAll(':', '-')}`))
}

/** A certificate with a new key, without names or extensions. */
function begin(now: Date, days: number): { keyPem: string; certificate: forge.pki.Certificate } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // Positive, whatever the bytes are.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(now.getTime() - aheadMs)
  certificate.validity.notAfter = new Date(now.getTime() + (days - 1) * dayMs)
  return { keyPem: privateKey, certificate }
}

/** Whole or not at all: a server may be looking. */
function write(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode })
  renameSync(`${path}.new`, path)
}
