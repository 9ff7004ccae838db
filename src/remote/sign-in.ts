// By what commands over the network are let in, and what they say when they are not.
import { readFileSync } from 'node:fs'
import { ConfigError } from '../core/base/config.ts'
import type { QuarterdeckError } from '../sdk/client.ts'

/** Where commands ask when nobody says where. */
export const usualServer = 'http://localhost:8081'

/** The token of the caller. Never an argument: everybody on a machine sees those. @throws ConfigError without one */
export function tokenFrom(file: string | undefined, env: NodeJS.ProcessEnv): string {
  const fromFile = file ?? env['QUARTERDECK_TOKEN_FILE']
  const token = fromFile ? readToken(fromFile) : env['QUARTERDECK_TOKEN']
  if (!token)
    throw new ConfigError(
      'A token is needed, in QUARTERDECK_TOKEN or in the file that --token-file names. The browser app makes one: Account, Programs of your own.',
    )
  return token
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${file} cannot be read.`)
  }
}

/** A refusal of the server, in words. */
export function sayRefusal({ status, message, fieldErrors }: QuarterdeckError, server: string): string {
  if (status === 0) return `${server} does not answer: ${message}`
  return [message, ...Object.values(fieldErrors ?? {})].filter((text, index, all) => all.indexOf(text) === index).join(' ')
}
