// A program outside that takes messages.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Webhook<Message> {
  readonly host: string
  readonly url: string
  /** What was sent there. */
  readonly messages: Message[]
  /** The same as it came, with what came before it. */
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly text: string }[]
  /** With what it answers. */
  status: number
  close(): void
}

/** Takes JSON at any path, and would lead elsewhere where it is asked to. */
export async function startWebhook<Message>(): Promise<Webhook<Message>> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      webhook.messages.push(JSON.parse(text) as Message)
      webhook.requests.push({ headers: request.headers, text })
      response.writeHead(webhook.status, { Location: '/elsewhere' }).end('taken')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const webhook: Webhook<Message> = {
    host,
    url: `http://${host}/hooks/only-for-us`,
    messages: [],
    requests: [],
    status: 200,
    close: () => void server.close(),
  }
  return webhook
}
