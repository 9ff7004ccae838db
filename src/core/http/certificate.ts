// A certificate and its key, as the operator put them into files.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { ConfigError, type Config } from '../base/config.ts'

type Files = NonNullable<Config['tls']>

/** The present content of the files. */
export interface Certificate {
  /** Changes when the content of a file does. */
  fingerprint: string
  /** Host names and addresses that it is for. */
  names: string[]
  validFrom: Date
  validTo: Date
}

/** A host name or an address in the one spelling that it has in URLs. */
export const spelled = (name: string): string => (isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase())

/** @throws ConfigError when a file cannot be read, or the two do not belong together. */
export function readCertificate({ certFile, keyFile }: Files): Certificate {
  const [cert, key] = [read('TLS_CERT_FILE', certFile), read('TLS_KEY_FILE', keyFile)]
  try {
    const leaf = new X509Certificate(cert)
    const privateKey = createPrivateKey(key)
    createSecureContext({ cert, key })
    if (!leaf.checkPrivateKey(privateKey)) throw new Error('the key belongs to another certificate')
    return {
      fingerprint: leaf.fingerprint256,
      names: [...(leaf.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^\s,]+)/g)].map((match) => spelled(match[1] as string)),
      validFrom: new Date(leaf.validFrom),
      validTo: new Date(leaf.validTo),
    }
  } catch (cause) {
    // OpenSSL's own words, such as "key values mismatch".
    throw new ConfigError(`TLS_CERT_FILE (${certFile}) and TLS_KEY_FILE (${keyFile}) cannot be used: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new ConfigError(`${name} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
