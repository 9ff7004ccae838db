// The head of a request, copied out of uWS before its first await, and checked against the forms
// that smuggle a second request past a proxy.
import type { HttpRequest } from 'uWebSockets.js'
import type { Viewer } from '../base/viewer.ts'

/**
 * A request's head as services see it. In which form an answer goes to a client (nothing of what it has, a part of a file,
 * packed) is decided by the edge, for each request: one answer may go to several.
 */
export type ServiceHead = Omit<RequestHead, 'ifNoneMatch' | 'ifRange' | 'range' | 'acceptEncoding'>

/** The parts of a request's head that the edge uses. Absent headers are empty strings. */
export class RequestHead {
  readonly url: string
  /** In lower case. */
  readonly method: string
  readonly query: string
  host = ''
  authorization = ''
  cookie = ''
  /** `cookie`: the client is a page that wants, or has, a session in a cookie. */
  session = ''
  /** For whom the page that sends the session asks, as an id; empty when it does not say. */
  sessionUser = ''
  /** Key of the session by which a browser, or a program with a token of its own, was recognised, see own-page.ts; empty for all other callers. */
  sessionKey = ''
  /** Nothing may change, not even by a GET: the token only reads, or the cookie came along with what no script of ours has asked. */
  onlyReads = false
  /** The caller is such a program. */
  isProgram = false
  /** The caller, once they are recognised, admitted or not. */
  caller: Viewer | undefined
  contentType = ''
  contentLength = ''
  transferEncoding = ''
  requestId = ''
  idempotencyKey = ''
  ifNoneMatch = ''
  accept = ''
  acceptEncoding = ''
  forwardedFor = ''
  serviceUser = ''
  range = ''
  ifRange = ''
  upgrade = ''
  socketVersion = ''
  socketKey = ''
  socketExtensions = ''
  origin = ''
  fetchSite = ''
  fetchDest = ''
  userAgent = ''
  forwardedProto = ''
  /** Why the connection must be refused and closed; empty when all is well. */
  malformed = ''
  #hosts = 0
  #lengths = 0
  #encodings = 0

  constructor(req: HttpRequest) {
    this.url = req.getUrl()
    this.method = req.getMethod()
    this.query = req.getQuery() ?? ''
    req.forEach((name, value) => this.#take(name, value))
    this.#check()
  }

  #take(name: string, value: string): void {
    switch (name) {
      case 'host':
        this.#hosts++
        this.host = value.toLowerCase()
        break
      case 'authorization':
        this.authorization = value
        break
      case 'content-type':
        this.contentType = value
        break
      case 'content-length':
        this.#lengths++
        this.contentLength = value
        break
      case 'transfer-encoding':
        this.#encodings++
        this.transferEncoding = value
        break
      case 'x-request-id':
        this.requestId = value
        break
      case 'idempotency-key':
        this.idempotencyKey = value
        break
      case 'if-none-match':
        this.ifNoneMatch = value
        break
      case 'accept':
        this.accept = value
        break
      case 'accept-encoding':
        this.acceptEncoding = value
        break
      case 'x-forwarded-for':
        this.forwardedFor = value
        break
      case 'x-service-user':
        this.serviceUser = value
        break
      case 'range':
        this.range = value
        break
      case 'if-range':
        this.ifRange = value
        break
      case 'origin':
        this.origin = value
        break
      case 'cookie':
        // A proxy may split it.
        this.cookie = this.cookie === '' ? value : `${this.cookie}; ${value}`
        break
      case 'x-session':
        this.session = value
        break
      case 'x-session-user':
        this.sessionUser = value
        break
      case 'sec-fetch-site':
        this.fetchSite = value
        break
      case 'sec-fetch-dest':
        this.fetchDest = value
        break
      case 'user-agent':
        this.userAgent = value
        break
      case 'x-forwarded-proto':
        this.forwardedProto = value
        break
      case 'upgrade':
        this.upgrade = value
        break
      case 'sec-websocket-version':
        this.socketVersion = value
        break
      case 'sec-websocket-key':
        this.socketKey = value
        break
      case 'sec-websocket-extensions':
        this.socketExtensions = value
        break
      default:
    }
  }

  #check(): void {
    if (this.#hosts !== 1) this.malformed = 'There must be exactly one Host header.'
    else if (this.#lengths > 1) this.malformed = 'There must be only one Content-Length header.'
    else if (this.#lengths === 1 && !/^\d{1,15}$/.test(this.contentLength)) this.malformed = 'Content-Length must be a number.'
    else if (this.#encodings > 1 || (this.#encodings === 1 && this.transferEncoding.toLowerCase() !== 'chunked'))
      this.malformed = 'The only Transfer-Encoding understood is chunked.'
    else if (this.#encodings === 1 && this.#lengths === 1) this.malformed = 'Content-Length and Transfer-Encoding exclude each other.'
    else if (this.#encodings === 1 && (this.method === 'get' || this.method === 'head'))
      this.malformed = 'A GET and a HEAD have no body that comes in chunks.'
  }
}
