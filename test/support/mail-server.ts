// A mail server that takes mail, or refuses it.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly url: string
  /** What was sent, with its headers. */
  readonly mails: { to: string[]; from: string; text: string }[]
  /** Refuses each mail for good. */
  refuses: boolean
  close(): Promise<void>
}

/** Takes mail from whoever signs in as `ship` with `lantern`. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ship' && password === 'lantern' ? done(null, { user: username }) : done(new Error('not you')),
    onRcptTo: (_address, _session, done) =>
      mail.refuses ? done(Object.assign(new Error('nobody of that name'), { responseCode: 550 })) : done(),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((all) => {
        mail.mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          text: all,
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const mail: MailServer = {
    url: `smtp://ship:lantern@127.0.0.1:${(listening.address() as AddressInfo).port}`,
    mails: [],
    refuses: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mail
}
