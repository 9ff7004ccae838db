// Asks the server of this machine, with or without TLS.
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getTls } from 'node:https'
import { urlHost, type Config } from '../core/base/config.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

const patienceMs = 4000

/** The answer to a GET, which may have an id. @throws OperatorError when there is none. */
export function askOwnServer(
  { hostname, port, tls }: Pick<Config, 'hostname' | 'port' | 'tls'>,
  path: string,
  requestId?: string,
): Promise<{ status: number; text: string }> {
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '::' ? '::1' : hostname
  const url = `${tls ? 'https' : 'http'}://${urlHost(host)}:${port}${path}`
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OperatorError(`The server at ${url} does not answer: ${error.message}.`))
    const take = (answer: IncomingMessage) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('error', fail).on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    }
    // The certificate is for the name that phones use, and this is that server itself.
    const headers = requestId === undefined ? {} : { 'X-Request-Id': requestId }
    const request = tls ? getTls(url, { headers, rejectUnauthorized: false }, take) : getPlain(url, { headers }, take)
    request.on('error', fail)
    request.setTimeout(patienceMs, () => request.destroy(new Error(`it took more than ${patienceMs / 1000} seconds`)))
  })
}
