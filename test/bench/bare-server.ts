// The limit: uWebSockets.js alone, answering the same bytes after one Map lookup of the token.
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import uws from 'uWebSockets.js'
import { apartMs, takeOrders } from './processes.ts'

interface Order {
  body: string
  token: string
  /** For clients that have the body already. */
  etag?: string
}

const tokens = new Map<string, number>()
let body = ''
let etag = ''
let publisher: Redis | undefined
let subscriber: Redis | undefined

const app = uws.App()
app.get('/*', (res, req) => {
  const known = tokens.get(req.getHeader('authorization').slice(7))
  res.cork(() => {
    if (known === undefined) res.writeStatus('401 Unauthorized').end()
    else if (etag !== '' && req.getHeader('if-none-match') === etag)
      res.writeStatus('304 Not Modified').writeHeader('ETag', etag).endWithoutBody()
    else res.writeStatus('200 OK').writeHeader('Content-Type', 'application/json; charset=utf-8').end(body)
  })
})
/** A chat without anything: who posts is answered when the sockets of the chat have it. */
app.post('/chats/:id', (res, req) => {
  const id = req.getParameter(0) ?? ''
  let text = Buffer.alloc(0)
  res.onAborted(() => {})
  res.onData((chunk, isLast) => {
    text = Buffer.concat([text, Buffer.from(chunk)])
    if (!isLast) return
    app.publish(id, text)
    res.cork(() => res.writeStatus('201 Created').writeHeader('Content-Type', 'application/json; charset=utf-8').end(text))
  })
})
app.ws<{ id: string }>('/chats/:id', {
  idleTimeout: 64,
  sendPingsAutomatically: true,
  upgrade(res, req, context) {
    const header = (name: string) => req.getHeader(`sec-websocket-${name}`)
    res.upgrade({ id: req.getParameter(0) ?? '' }, header('key'), header('protocol'), header('extensions'), context)
  },
  open: (ws) => void ws.subscribe(ws.getUserData().id),
})
app.ws('/socket', { idleTimeout: 64, sendPingsAutomatically: true, open: (ws) => void ws.subscribe('all') })
app.listen('127.0.0.1', 0, (socket) => {
  if (!socket) throw new Error('no port')
  takeOrders(uws.us_socket_local_port(socket), {
    answer(order: Order) {
      body = order.body
      etag = order.etag ?? ''
      tokens.set(order.token, 1)
    },
    async publish({ frame, turns, perTurn }: { frame: string; turns: number; perTurn: number }) {
      const bytes = Buffer.from(frame)
      for (let turn = 0; turn < turns; turn++) {
        for (let i = 0; i < perTurn; i++) app.publish('all', bytes)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** Publishes what comes back from Redis, frames that travel one by one. */
    async publishThroughRedis({ frame, turns }: { frame: string; turns: number }) {
      const url = process.env['REDIS_URL'] ?? ''
      publisher ??= new Redis(url)
      if (!subscriber) {
        subscriber = new Redis(url)
        subscriber.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => app.publish('all', bytes))
        await subscriber.subscribe('bare')
      }
      const bytes = Buffer.from(frame)
      for (let turn = 0; turn < turns; turn++) {
        void publisher.publish('bare', bytes)
        await delay(apartMs)
      }
    },
  })
})
