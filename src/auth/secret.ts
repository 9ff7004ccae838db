// The key that access tokens are derived with. It is not in the database; all nodes must have the same.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError, type Config } from '../core/base/config.ts'
import type { Sql } from '../core/db/db.ts'
import { insertSecretFingerprint } from './queries.ts'

/**
 * TOKEN_SECRET, or a secret made once and kept in the data directory.
 *
 * @throws ConfigError when the database was set up with a different secret: its nodes would invalidate each other's tokens.
 */
export async function tokenSecretFor(config: Config, sql: Sql): Promise<string> {
  const secret = config.tokenSecret || (await secretFile(join(config.dataDir, 'token-secret')))
  const fingerprint = fingerprintOf(secret)
  const stored = await insertSecretFingerprint(sql, fingerprint)
  if (stored !== fingerprint) {
    throw new ConfigError('TOKEN_SECRET (or the file token-secret in DATA_DIR) differs from the one this database was set up with.')
  }
  return secret
}

/** The fingerprint of a secret, as the database stores it. */
export const fingerprintOf = (secret: string): string => createHmac('sha256', secret).update('fingerprint').digest('hex')

/** The secret that a server with this configuration would have; undefined when it would make a new one. */
export async function knownSecret(config: Config): Promise<string | undefined> {
  return config.tokenSecret || (await readFile(join(config.dataDir, 'token-secret'), 'utf8').catch(() => undefined))
}

async function secretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dirname(path), { recursive: true })
  // Another process may be doing the same. The first link wins, and what it makes appear is a whole file.
  const scratch = `${path}.${randomUUID()}`
  try {
    await writeFile(scratch, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
    await link(scratch, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(scratch, { force: true })
  }
  return await readFile(path, 'utf8')
}
