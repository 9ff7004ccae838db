// The way of one message out of the product: to a webhook, as a mail, or to a program of the operator.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { badRequest } from '../core/base/errors.ts'
import type { Node } from '../core/work/ctx.ts'
import { scriptAddress } from './schemas.ts'

const answerWithinMs = 5000
const mailWithinMs = 15_000
const scriptWithinMs = 15_000
/** None of the server's own, in which there are secrets. */
const scriptEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
/** Longer ones are cut off in lists of mails. */
const longestSubject = 120

const mailMissing = () => badRequest('mail_missing', 'No mail can be sent from here: the operator has to set SMTP_URL and SMTP_FROM.')

const scriptMissing = () => badRequest('script_missing', 'No program is told: the operator has to set ALERT_SCRIPT.')

/** @throws AppError 400 for a mail or a program where the operator has named no server that takes mail, or no program. */
export function requireWay({ config }: Node, url: string): void {
  if (url.startsWith('mailto:') && !config.smtp) throw mailMissing()
  if (url === scriptAddress && config.alertScript === '') throw scriptMissing()
}

/**
 * Sends a text to an address, with parts for programs.
 *
 * @throws AppError 400 with a sentence that does not name the address.
 */
export async function tell(node: Node, url: string, text: string, parts: object = {}): Promise<void> {
  if (url.startsWith('mailto:')) await mail(node, url.slice('mailto:'.length), text)
  else if (url === scriptAddress) await run(node, text, parts)
  // Chat services show these: Slack, Mattermost and Zulip read the one, Discord the other.
  else await post(url, { text, content: text, ...parts })
}

async function post(url: string, message: object): Promise<void> {
  const body = JSON.stringify(message)
  const request = { method: 'POST', body, headers: { 'Content-Type': 'application/json' }, redirect: 'manual' } as const
  const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(answerWithinMs) }).catch((error: unknown) => {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw badRequest('webhook_failed', isLate ? 'The address did not answer within 5 seconds.' : 'The address could not be reached.')
  })
  await answer.body?.cancel()
  if (!answer.ok) throw badRequest('webhook_failed', `The address answers with the status ${answer.status}.`)
}

/** The text as its argument; with the parts for programs, as JSON, on its standard input. What it prints goes nowhere. */
async function run({ config }: Node, text: string, parts: object): Promise<void> {
  if (config.alertScript === '') throw scriptMissing()
  const ended = promisify(execFile)(config.alertScript, [text], { env: scriptEnv, timeout: scriptWithinMs, killSignal: 'SIGKILL' })
  // One that reads nothing closes it.
  ended.child.stdin?.on('error', () => undefined).end(JSON.stringify({ text, ...parts }))
  try {
    await ended
  } catch (error) {
    const { code, killed = false } = error as { code?: number | string; killed?: boolean }
    const reason = killed
      ? `The program did not end within ${scriptWithinMs / 1000} seconds.`
      : typeof code === 'number'
        ? `The program ends with ${code}.`
        : 'The program could not be started.'
    throw badRequest('webhook_failed', reason)
  }
}

/** One connection for each mail: there are a few in a week. */
async function mail(node: Node, to: string, text: string): Promise<void> {
  const { smtp } = node.config
  if (!smtp) throw mailMissing()
  const { url, from } = smtp
  const transport = createTransport(url, {
    connectionTimeout: mailWithinMs,
    greetingTimeout: mailWithinMs,
    socketTimeout: mailWithinMs,
  } as object)
  const [subject = ''] = text.split('\n')
  try {
    await transport.sendMail({
      from,
      to,
      subject: subject.length > longestSubject ? `${subject.slice(0, longestSubject)}…` : subject,
      text,
    })
  } catch (error) {
    const { responseCode } = error as { responseCode?: number }
    throw badRequest(
      'webhook_failed',
      responseCode === undefined ? 'The mail server could not be reached.' : `The mail server refuses it with ${responseCode}.`,
    )
  } finally {
    transport.close()
  }
}
