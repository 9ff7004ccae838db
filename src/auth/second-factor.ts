// The second factor: six digits of an app that shares a secret with the server (TOTP, RFC 6238), and codes that take their place.
// Apps that know nothing of it type either directly behind the password.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { seal, unseal } from './seal.ts'

const issuer = 'Quarterdeck'
const secretBytes = 20
export const stepSeconds = 30
/** Phones without a network have clocks that go wrong: the digits of the step before and after are taken, too. */
const window = 1

/** A new secret. */
export const newSecret = (): Buffer => randomBytes(secretBytes)

const purpose = 'second factor'

/** A secret as it is stored, for this account alone: the database and its backups do not give it away. */
export const sealSecret = (tokenSecret: string, accountId: string, secret: Uint8Array): Buffer =>
  seal(tokenSecret, purpose, accountId, secret)

/** @throws Error when it was sealed with another key, or for another account. */
export const unsealSecret = (tokenSecret: string, accountId: string, sealed: Buffer): Buffer =>
  unseal(tokenSecret, purpose, accountId, sealed)

function totpOf(secret: Uint8Array, label = ''): TOTP {
  const { buffer, byteOffset, byteLength } = secret
  const shared = new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer })
  return new TOTP({ issuer, label, secret: shared, algorithm: 'SHA1', digits: 6, period: stepSeconds })
}

/** A secret as people type it (base32), and as the address that a QR code shows (`otpauth://`). */
export function setupOf(secret: Uint8Array, username: string): { secret: string; address: string } {
  const totp = totpOf(secret, username)
  return { secret: totp.secret.base32, address: totp.toString() }
}

/** The step whose digits these are, counted from 1970; undefined for those of no step close to now. */
export function stepOf(secret: Uint8Array, digits: string, nowMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: digits, timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / stepSeconds) + delta
}

export const codeCount = 10
const partLength = 4
const parts = 3
/** None that is easily taken for another. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/**
 * Codes for somebody without their phone, to be written down: `abcd-efgh-jkmn`. Made of what they were `madeOf`, so that whoever did
 * not get the answer with them gets the same ones again, although nobody has kept them.
 */
export function recoveryCodesOf(tokenSecret: string, accountId: string, madeOf: string): string[] {
  const key = createHmac('sha256', tokenSecret)
    .update(JSON.stringify(['second factor', accountId, madeOf]))
    .digest()
  const bytes = Buffer.from(hkdfSync('sha256', key, '', 'recovery codes', codeCount * parts * partLength * 4))
  const letter = (place: number) => letters[bytes.readUInt32BE(place * 4) % letters.length] as string
  const part = (place: number) => Array.from({ length: partLength }, (_, index) => letter(place * partLength + index)).join('')
  return Array.from({ length: codeCount }, (_, code) =>
    Array.from({ length: parts }, (_each, index) => part(code * parts + index)).join('-'),
  )
}

/** Of a code of these, as it is stored. */
export const codeDigest = (tokenSecret: string, accountId: string, code: string): Buffer =>
  createHmac('sha256', tokenSecret)
    .update(JSON.stringify(['recovery code', accountId, code.toLowerCase()]))
    .digest()

const codeAtEnd = /^([\s\S]*?)(\d{6}|[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})$/i

/** True for six digits. */
export const areDigits = (code: string): boolean => /^\d{6}$/.test(code)

/** A text that may be a password with a code behind it; undefined for one that cannot be. */
export function splitCode(text: string): { before: string; code: string } | undefined {
  const [, before, code] = codeAtEnd.exec(text) ?? []
  return before === undefined || code === undefined ? undefined : { before, code }
}
