// Serves a browser app from the files that the build has made: its one page for the paths of the app,
// and its scripts and styles, which have a hash in their name. All of it is read once, at start.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { noSuchRoute } from '../base/errors.ts'
import { etagOf } from './etag.ts'
import type { RequestHead } from '../work/request-head.ts'
import type { Page } from './http.ts'
import { hasAppSession } from './own-page.ts'
import { Reply, type ReplyStatus } from './route.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
}

/** Scripts, styles and requests are our own; there is nothing inline, and no other page may frame this one. */
const security = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Access-Control-Allow-Origin': '',
}

/** Tells the page in a web view that the app is signed in: scripts see no cookie that names a session. */
const appHint = 'app-signed-in=1; Path=/; Max-Age=60; SameSite=Lax'

const forAYear = 'public, max-age=31536000, immutable'

/** One file in every form it can be sent in. */
interface Packed {
  type: string
  etag: string
  plain: Buffer
  br: Buffer | undefined
  gz: Buffer | undefined
}

/** The pages of an app and the answer to a browser that asks for a page which does not exist. */
export interface WebApp {
  pages: Page[]
  /** Undefined for everybody but a browser that opens a page. */
  lost(head: RequestHead): Reply | undefined
}

/**
 * @param folder of the built files: `index.html`, files of the root, and `web/` with the hashed ones.
 * @param paths of the app. A client that does not ask for HTML gets what `otherwise` has for the path, or 404.
 */
export function webApp(folder: string, paths: readonly string[], otherwise: Readonly<Record<string, Reply>> = {}): WebApp {
  const root = filesOf(folder)
  const hashed = filesOf(join(folder, 'web'))
  const index = root.get('index.html')
  const indexReply = (head: RequestHead, status: ReplyStatus) => {
    if (!index) return new Reply(503, Buffer.from('The browser app has not been built.'), { 'Content-Type': 'text/plain' })
    const hint: Record<string, string> = hasAppSession(head) ? { 'Set-Cookie': appHint } : {}
    return sent(index, head, { ...security, ...hint, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' }, status)
  }
  return {
    pages: [
      ...paths.map((path) => ({
        path,
        run: (_node: unknown, _params: unknown, head: RequestHead) => {
          if (wantsHtml(head)) return indexReply(head, 200)
          const other = otherwise[path]
          if (!other) throw noSuchRoute()
          return other
        },
      })),
      ...Array.from(root, ([name, file]) => ({
        path: `/${name}`,
        run: (_node: unknown, _params: unknown, head: RequestHead) =>
          name === 'index.html'
            ? indexReply(head, 200)
            : sent(file, head, { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', 'Content-Security-Policy': "default-src 'self'" }),
      })),
      {
        path: '/web/:file',
        run(_node, [name = ''], head) {
          const file = hashed.get(name)
          if (!file) throw noSuchRoute()
          return sent(file, head, { 'Cache-Control': forAYear, Vary: 'Accept-Encoding' })
        },
      },
    ],
    lost(head) {
      if (!wantsHtml(head) || head.url.startsWith('/api/')) return undefined
      // Apps join the address of the server and a path of which one ends and the other begins with a slash.
      const whole = withoutDoubleSlashes(head.url)
      return whole === head.url ? indexReply(head, 404) : new Reply(302, undefined, { Location: whole })
    },
  }
}

/** Never begins with two: that would be the name of another server. */
function withoutDoubleSlashes(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replace(/\/{2,}/g, '/'), ...query].join('?')
}

/** Browsers name HTML when they open a page, and nobody else does. */
function wantsHtml({ accept }: RequestHead): boolean {
  return accept.includes('text/html')
}

function sent(file: Packed, head: RequestHead, headers: Record<string, string>, status: ReplyStatus = 200): Reply {
  const all = { ...headers, ETag: file.etag, 'Content-Type': file.type }
  if (file.br && /\bbr\b/.test(head.acceptEncoding)) return new Reply(status, file.br, { ...all, 'Content-Encoding': 'br' })
  if (file.gz && /\bgzip\b/.test(head.acceptEncoding)) return new Reply(status, file.gz, { ...all, 'Content-Encoding': 'gzip' })
  return new Reply(status, file.plain, all)
}

function filesOf(folder: string): ReadonlyMap<string, Packed> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder).filter((name) => contentTypes[extname(name)] !== undefined)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined)
  return new Map(
    names.map((name) => {
      const plain = readFileSync(join(folder, name))
      const type = contentTypes[extname(name)] as string
      return [name, { type, etag: etagOf(plain), plain, br: read(`${name}.br`), gz: read(`${name}.gz`) }]
    }),
  )
}
