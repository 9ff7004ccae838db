// `npm run health`: asks the server of this machine whether it serves, with or without TLS; for Docker and for monitoring.
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getTls } from 'node:https'
import { parseArgs } from 'node:util'
import { urlHost, type Config } from '../core/base/config.ts'
import { readConfig } from '../accounts/config.ts'
import { apiPrefix } from '../core/http/route.ts'
import { runCommand } from '../operate/command.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

const patienceMs = 4000

await runCommand(async (screen) => {
  const { values } = parseArgs({ options: { env: { type: 'string', short: 'e' } } })
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  const { status, reason } = await ask(config)
  if (status !== 200) throw new OperatorError(`The server does not serve: ${reason}`)
  screen.line('The server serves.')
})

/** The answer to a look at the server's health. @throws OperatorError when there is none. */
function ask({ hostname, port, tls }: Config): Promise<{ status: number; reason: string }> {
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '::' ? '::1' : hostname
  const url = `${tls ? 'https' : 'http'}://${urlHost(host)}:${port}${apiPrefix}/client/health`
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new OperatorError(`The server at ${url} does not answer: ${error.message}.`))
    const take = (answer: IncomingMessage) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('error', fail).on('end', () => resolve({ status: answer.statusCode ?? 0, reason: text }))
    }
    // The certificate is for the name that phones use, and this is that server itself.
    const request = tls ? getTls(url, { rejectUnauthorized: false }, take) : getPlain(url, take)
    request.on('error', fail)
    request.setTimeout(patienceMs, () => request.destroy(new Error(`it took more than ${patienceMs / 1000} seconds`)))
  })
}
