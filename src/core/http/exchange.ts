// One request being answered: what must be known of it until its answer is out, and the answer's bytes.
import type { HttpResponse } from 'uWebSockets.js'
import type { AnswerHeaders } from './answer-headers.ts'
import type { Node } from '../work/ctx.ts'
import { translateDbError } from '../db/errors.ts'
import { AppError, badRequest, originOf } from '../base/errors.ts'
import { FilePart, Pieces, translateFileError } from '../files/files.ts'
import type { RequestHead } from '../work/request-head.ts'
import type { RouteTally } from '../base/metrics.ts'
import type { Encoding, PackedBodies } from './packed-bodies.ts'
import { sendPieces, type Connection } from './send-file.ts'

type Headers = Readonly<Record<string, string>>
type Body = string | Buffer | FilePart | Pieces | undefined

const compressFromBytes = 1024
/** Whoever fills the memory with uploads keeps nobody from writing. */
const smallBodyBytes = 256 * 1024
/** There is more room on a disk than in memory. */
const spooledShare = 4

const reasons: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  206: 'Partial Content',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const statusLines = new Map(Object.entries(reasons).map(([status, reason]) => [Number(status), `${status} ${reason}`]))

/** State shared by all exchanges of a node. */
export interface ExchangeHost {
  readonly node: Node
  /** From now on every answer closes its connection. */
  closing: boolean
  /**
   * The exchanges that wait for something, in no order; each knows its place. Not a Set: V8 links the hash tables that a Set
   * outgrows, and one in the old generation would keep all later ones, with their requests, until the next major collection.
   */
  readonly held: Exchange[]
  readonly packedBodies: PackedBodies
  readonly answerHeaders: AnswerHeaders
  /** Memory held by all request bodies, in bytes. */
  keptBytes: number
  /** Bytes of all request bodies that are in files. */
  spooledBytes: number
  /** Called when one of them is over. */
  released(): void
  addressOf(res: HttpResponse, head: RequestHead): string
}

/** A request and the way to answer it. */
export class Exchange implements Connection {
  readonly res: HttpResponse
  readonly tally: RouteTally
  readonly requestId: string
  readonly headOnly: boolean
  readonly startedMs: number
  readonly #host: ExchangeHost
  readonly #head: RequestHead | undefined
  /** Where the request came from, when that is known already. */
  address = ''
  readonly #acceptEncoding: string
  readonly #origin: string
  /** The body comes in chunks. uWS does not check where they end, so nothing else may come on this connection. */
  readonly #chunked: boolean
  /** The handler of uWS has returned, or will, before the answer. */
  #held = false
  /** Its place in `held` of the host; -1 when it is not there. */
  #heldAt = -1
  /** Answered or aborted: `res` must not be touched any more. */
  over = false
  gone = false
  onGone: (() => void) | undefined
  /** Ends the wait for a body. */
  refuseBody: ((error: AppError) => void) | undefined
  bytesReceived = 0
  #keptBytes = 0
  #spooledBytes = 0
  /** Nothing is read from the connection at the moment. */
  #paused = false
  /** True while the request is being carried out, even if its client is gone. */
  #working = false

  constructor(
    host: ExchangeHost,
    res: HttpResponse,
    { tally, requestId, headOnly, head }: { tally: RouteTally; requestId: string; headOnly: boolean; head?: RequestHead },
  ) {
    this.#host = host
    this.#head = head
    this.res = res
    this.tally = tally
    this.requestId = requestId
    this.headOnly = headOnly
    this.#acceptEncoding = head?.acceptEncoding ?? ''
    this.#origin = head?.origin ?? ''
    this.#chunked = head !== undefined && head.transferEncoding !== ''
    this.startedMs = host.node.clock.elapsed()
  }

  /** To be called before the handler of uWS returns without an answer. Most answers come at once and never need it. */
  hold(): void {
    if (this.#held) return
    this.#held = true
    this.#heldAt = this.#host.held.push(this) - 1
    this.res.onAborted(() => {
      this.over = true
      this.gone = true
      this.onGone?.()
      this.refuseBody?.(badRequest('request_invalid', 'The connection was closed.'))
      if (!this.#working) this.#release()
    })
  }

  /** Answers with the outcome of work that goes on whoever waits for it. */
  answerWith<T>(work: Promise<T>, answer: (result: T) => void): void {
    this.hold()
    this.#working = true
    work.then(
      (result) => this.#settle(() => answer(result)),
      (error: unknown) => this.#settle(() => this.fail(error)),
    )
  }

  #settle(answer: () => void): void {
    try {
      answer()
    } catch (error) {
      this.fail(error)
    } finally {
      this.#working = false
      if (this.over) this.#release()
    }
  }

  /** Lets the client wait with the rest of its body. */
  pause(): void {
    this.#paused = true
    this.res.pause()
  }

  resume(): void {
    if (!this.#paused || this.over) return
    this.#paused = false
    this.res.resume()
  }

  /**
   * Counts so much more of the body as kept in memory until the end; false when the bodies of all requests take too
   * much already. Small ones are always taken.
   */
  keep(bytes: number): boolean {
    if (this.bytesReceived > smallBodyBytes && this.#host.keptBytes + bytes > this.#host.node.config.bodyMemoryBytes) return false
    this.#keptBytes += bytes
    this.#host.keptBytes += bytes
    return true
  }

  /** As `keep`, for what goes to a file. */
  spool(bytes: number): boolean {
    if (this.#host.spooledBytes + bytes > spooledShare * this.#host.node.config.bodyMemoryBytes) return false
    this.#spooledBytes += bytes
    this.#host.spooledBytes += bytes
    return true
  }

  #release(): void {
    if (this.#heldAt < 0) return
    this.#leaveHeld()
    this.#host.spooledBytes -= this.#spooledBytes
    this.#spooledBytes = 0
    this.#host.keptBytes -= this.#keptBytes
    this.#keptBytes = 0
    this.#host.released()
  }

  /** The last one takes its place. */
  #leaveHeld(): void {
    const last = this.#host.held.pop()
    if (last && last !== this) {
      this.#host.held[this.#heldAt] = last
      last.#heldAt = this.#heldAt
    }
    this.#heldAt = -1
  }

  /** Answers with an error: its own status and words if it is an `AppError`, else 500 without a word of what failed. */
  fail(error: unknown, closeConnection = false): void {
    const { node } = this.#host
    const known = translateFileError(translateDbError(error))
    const refusal = known instanceof AppError ? known : undefined
    const status = refusal?.status ?? 500
    const log = { requestId: this.requestId, method: this.tally.method, path: this.tally.path, status }
    if (!refusal) node.log.error({ ...log, err: error }, 'request failed')
    else if (status >= 500) node.log.warn({ ...log, err: refusal.cause }, refusal.message)
    else if (status === 401 || status === 403 || refusal.attempt) this.#noteRefusal(refusal)
    const reason = refusal?.message ?? 'Something went wrong on the server.'
    const code = refusal?.code ?? 'internal'
    if (status >= 500) {
      const { method, path } = this.tally
      const cause = originOf(refusal?.cause ?? error)
      node.metrics.noteFault({ at: node.clock.now(), method, path, status, code, requestId: this.requestId, cause })
    }
    const body = JSON.stringify({
      error: true,
      status,
      code,
      reason,
      ...(refusal?.fieldErrors ? { fieldErrors: refusal.fieldErrors } : {}),
      ...(refusal?.fieldRules ? { fieldRules: refusal.fieldRules } : {}),
    })
    const headers: Record<string, string> = {}
    if (refusal?.retryAfterSeconds) headers['Retry-After'] = String(refusal.retryAfterSeconds)
    if (refusal?.allow) headers['Allow'] = refusal.allow
    if (status === 401) headers['WWW-Authenticate'] = 'Bearer'
    if (status === 426) Object.assign(headers, { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' })
    this.send(status, body, headers, closeConnection)
  }

  #noteRefusal({ status, code, attempt }: AppError): void {
    const head = this.#head
    const account = head?.caller ?? attempt?.account
    // After the answer, uWS does not know the address any more.
    const address = this.address === '' && head && !this.over ? this.#host.addressOf(this.res, head) : this.address
    const { method, path } = this.tally
    const { id: accountID, username } = account ?? {}
    this.#host.node.accessLog.note('refused', { requestId: this.requestId, method, path, status, code, accountID, username, address })
  }

  /** Sends the answer, compressed if that is worth it and wanted. A second answer is ignored. For `contentKey` see `Reply`. */
  send(status: number, body: Body, headers?: Headers, closeConnection = false, contentKey?: string): void {
    if (this.over) return
    if (
      this.#acceptEncoding === '' ||
      body === undefined ||
      isStreamed(body) ||
      body.length <= compressFromBytes ||
      !compressible(headers)
    ) {
      return this.#write(status, body, headers, closeConnection)
    }
    const encoding = encodingFor(this.#acceptEncoding, contentKey)
    if (!encoding) return this.#write(status, body, headers, closeConnection)
    const sendPacked = (packed: Buffer) =>
      this.#write(status, packed, { ...headers, 'Content-Encoding': encoding, Vary: 'Accept-Encoding' }, closeConnection)
    const { packedBodies } = this.#host
    const known = packedBodies.find(encoding, contentKey)
    if (known) return sendPacked(known)
    this.hold()
    packedBodies.pack(body, encoding, contentKey).then(sendPacked, (error: unknown) => {
      this.#host.node.log.error({ err: error }, 'compression failed')
      this.#write(status, body, headers, closeConnection)
    })
  }

  #write(status: number, body: Body, headers: Headers | undefined, closeConnection: boolean): void {
    if (this.over) return
    // The rest of a refused body has to go somewhere.
    this.resume()
    this.over = true
    if (isStreamed(body) && !this.headOnly) return this.#stream(status, headers, body)
    if (this.#chunked) return this.#endLater(status, body, headers)
    // Within its handler uWS has corked the response already.
    if (this.#held) this.res.cork(() => this.#end(status, body, headers, closeConnection || this.#host.closing))
    else this.#end(status, body, headers, closeConnection || this.#host.closing)
    this.#done(status)
  }

  /** In the next turn: as long as there is no answer, uWS runs nothing that came behind this request, but closes the connection. */
  #endLater(status: number, body: Body, headers: Headers | undefined): void {
    this.hold()
    setImmediate(() => {
      if (!this.gone) this.res.cork(() => this.#end(status, body, headers, true))
      this.#done(status)
    })
  }

  #end(status: number, body: Body, headers: Headers | undefined, close: boolean): void {
    const { res, headOnly } = this
    this.#writeHead(status, headers, body !== undefined)
    const content = headOnly || body === undefined || isStreamed(body) ? '' : body
    // With a length of its own, or one that is undefined, endWithoutBody leaves the connection unusable.
    if (close) res.end(content, true)
    else if (status === 204 || status === 304) res.endWithoutBody()
    else if (headOnly) {
      res.writeHeader('Content-Length', String(isStreamed(body) ? body.size : body === undefined ? 0 : Buffer.byteLength(body)))
      res.endWithoutBody()
    } else res.end(content)
  }

  #stream(status: number, headers: Headers | undefined, part: FilePart | Pieces): void {
    this.hold()
    let begun = false
    sendPieces(this.res, this, part, () => {
      begun = true
      this.#writeHead(status, headers, true)
    })
      .then(() => {
        if (!this.gone) this.#done(status)
      })
      .catch((error: unknown) => {
        if (this.gone) return
        if (begun) {
          // Too late for another answer.
          this.#host.node.log.error({ requestId: this.requestId, err: error }, 'a file could not be sent')
          return void this.res.close()
        }
        this.over = false
        this.fail(error)
      })
  }

  /**
   * A header that is empty is left out, as is its default. All go as one: uWS writes a value as it is, and each call of
   * it takes as long as all of this.
   */
  #writeHead(status: number, headers: Headers | undefined, hasBody: boolean): void {
    const { answerHeaders } = this.#host
    let lines = this.requestId + answerHeaders.all
    if (headers?.['Access-Control-Allow-Origin'] === undefined) lines += answerHeaders.cors(this.#origin)
    if (headers?.['Content-Type'] === undefined) {
      if (hasBody) lines += answerHeaders.json
    } else {
      lines += answerHeaders.file
      if (headers['Content-Security-Policy'] === undefined) lines += answerHeaders.filePolicy
    }
    if (headers?.['Cache-Control'] === undefined) lines += '\r\nCache-Control: no-store'
    if (headers) for (const name in headers) if (headers[name] !== '') lines += `\r\n${name}: ${headers[name]}`
    // That is what it says by itself.
    if (status !== 200) this.res.writeStatus(statusLines.get(status) ?? `${status} Status`)
    this.res.writeHeader('X-Request-Id', lines)
  }

  #done(status: number): void {
    this.#release()
    const { node } = this.#host
    const elapsedMs = node.clock.elapsed() - this.startedMs
    this.tally.done(status, elapsedMs / 1000)
    const level = this.tally.method === 'GET' && status < 400 ? 'debug' : 'info'
    if (node.log.isLevelEnabled(level))
      node.log[level](
        { requestId: this.requestId, method: this.tally.method, path: this.tally.path, status, ms: Math.round(elapsedMs) },
        'request',
      )
  }
}

const isStreamed = (body: Body): body is FilePart | Pieces => body instanceof FilePart || body instanceof Pieces

/** `q=0` means "not this one". */
const gzipIsWanted = /(?<![^\s,])gzip\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i
const brotliIsWanted = /(?<![^\s,])br\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i

/** Brotli takes longer: it is for what is packed once and sent often. Browsers ask for it over TLS only. */
function encodingFor(accepted: string, contentKey: string | undefined): Encoding | undefined {
  if (contentKey !== undefined && brotliIsWanted.test(accepted)) return 'br'
  return gzipIsWanted.test(accepted) ? 'gzip' : undefined
}

function compressible(headers: Headers | undefined): boolean {
  if (headers?.['Content-Encoding'] !== undefined) return false
  const type = headers?.['Content-Type']
  return type === undefined || /^(text\/|application\/(json|javascript))/.test(type)
}
