// Headers that every answer has, prepared once for a node; and which pages of other sites may use the API.
import type { Config } from '../base/config.ts'

/** Each part begins with a line break, as it follows other headers. */
export interface AnswerHeaders {
  /** Of every answer. */
  readonly all: string
  /** Of an answer with JSON. */
  readonly json: string
  /** Of an answer with anything else. */
  readonly file: string
  /** For what has no policy of its own. */
  readonly filePolicy: string
  /** What a page of this origin may read; the origin is empty for a request without one. */
  cors(origin: string): string
}

/** Whatever a browser makes of JSON, it shall load, run and frame nothing of it. */
const jsonLines = [
  'Content-Type: application/json; charset=utf-8',
  "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy: same-origin',
]
/** Whatever a browser makes of a file, it shall run nothing of it. */
const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, OPTIONS, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Origin, X-Requested-With, User-Agent, Access-Control-Allow-Origin, X-Service-User, ' +
    'X-Service-Client, X-Request-Id, Idempotency-Key, If-None-Match',
  'Access-Control-Max-Age': '600',
}

/** Prepares the headers of all answers. */
export function answerHeaders({ corsOrigins, hstsSeconds }: Config): AnswerHeaders {
  const hsts = hstsSeconds > 0 ? [`Strict-Transport-Security: max-age=${hstsSeconds}`] : []
  // A page shows pictures without asking for them by name of its origin, so that one answer serves all pages or only our own.
  const files = corsOrigins.length > 0 ? 'cross-origin' : 'same-origin'
  return {
    all: linesOf(['X-Content-Type-Options: nosniff', ...hsts]),
    json: linesOf(jsonLines),
    file: linesOf([`Cross-Origin-Resource-Policy: ${files}`]),
    filePolicy: linesOf([`Content-Security-Policy: ${filePolicy}`]),
    cors: corsOf(corsOrigins),
  }
}

/** The answer to a browser that asks whether a page of `origin` may send something: empty when it may not. */
export function preflight({ corsOrigins }: Config, origin: string, url: string): Record<string, string> {
  const isAllowed = corsOrigins.includes('*') || corsOrigins.includes(origin.toLowerCase())
  // Nothing else takes what browsers ask about beforehand.
  return isAllowed && url.startsWith('/api/') ? preflightHeaders : { 'Access-Control-Allow-Origin': '' }
}

function corsOf(origins: readonly string[]): AnswerHeaders['cors'] {
  if (origins.length === 0) return () => ''
  if (origins.includes('*')) return () => linesOf(['Access-Control-Allow-Origin: *'])
  const others = linesOf(['Vary: Origin'])
  const known = new Map(origins.map((origin) => [origin, linesOf([`Access-Control-Allow-Origin: ${origin}`, 'Vary: Origin'])]))
  return (origin) => known.get(origin) ?? others
}

const linesOf = (headers: readonly string[]): string => headers.map((header) => `\r\n${header}`).join('')
