// The pages that describe the API to people and programs. All of it is served from memory: at sea
// there is no CDN.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApiInfo } from './api-description.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { projectRoot } from '../base/config.ts'
import { noSuchRoute } from '../base/errors.ts'
import { etagOf } from '../http/etag.ts'
import type { Page } from '../http/http.ts'
import { openApiDocument } from './openapi.ts'
import { Reply, type Route, type SocketRoute } from '../http/route.ts'

const title = 'Quarterdeck'

/**
 * The two API documents, their words as `worded` makes them, the pages under /docs that show them, and the client
 * package. Reads their files once.
 */
export function docsPages(
  routes: readonly Route[],
  socketRoutes: readonly SocketRoute[],
  pages: readonly Page[],
  { worded, ...about }: Pick<ApiInfo, 'externalUrl' | 'errorCodes' | 'fieldExamples'> & { worded: (json: string) => string },
): Page[] {
  const info: ApiInfo = { title, version: ownVersion(), ...about }
  const files = staticFiles()
  const own: Page[] = [
    fixedPage('/asyncapi.json', worded(JSON.stringify(asyncApiDocument(socketRoutes, info))), json, 'The description of the sockets.'),
    clientPackagePage(),
    fixedPage('/docs', indexPage, indexHeaders, 'The description of the API, to read and to try.'),
    {
      path: '/docs/:file',
      about: { summary: 'Files of the description.', type: '*/*', file: true, refusals: [404] },
      run(_node, [name = '']) {
        const file = files.get(name)
        if (!file) throw noSuchRoute()
        return file
      },
    },
  ]
  // It describes itself, too.
  const itself = fixedPage('/openapi.json', '', json, 'This description of the API.')
  const document = JSON.stringify(openApiDocument(routes, info, [...pages, ...own, itself]))
  return [{ ...itself, run: fixedPage(itself.path, worded(document), json, '').run }, ...own]
}

const jsonType = 'application/json'
/** Its type is that of every answer without one, and so is the policy of what it may load: nothing. */
const json = { 'Cache-Control': 'no-cache' }

function fixedPage(path: string, content: string | Buffer, headers: Readonly<Record<string, string>>, summary: string): Page {
  const reply = fixedReply(content, headers)
  return { path, about: { summary, type: (headers['Content-Type'] ?? jsonType).split(';')[0] as string, file: true }, run: () => reply }
}

/** Content that never changes while the program runs: it is packed once. */
function fixedReply(content: string | Buffer, headers: Readonly<Record<string, string>>): Reply {
  const bytes = Buffer.from(content)
  const etag = etagOf(bytes)
  return new Reply(200, bytes, { ...headers, ETag: etag }, { contentKey: etag })
}

/** The client package, as `npm install` takes it from an address. */
function clientPackagePage(): Page {
  const path = '/sdk/quarterdeck-client.tgz'
  const archive = readFileSync(join(projectRoot, 'dist', path))
  const headers = { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' }
  return fixedPage(path, archive, headers, 'The client package for JavaScript, as `npm install` takes it from an address.')
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
  return version
}

// URLs are relative, so that a proxy may serve all of it under a path of its own.
const indexPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
nav, #sign-in { margin: 1rem 1.75rem; font: 1rem/1.6 sans-serif; color: #3b4151 }
#sign-in { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center }
#sign-in input, #sign-in button { font: inherit; padding: .35rem .75rem; min-height: 2.75rem; box-sizing: border-box }
</style>
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/init.js" defer></script>
</head>
<body>
<nav>Requests: <a href="openapi.json">OpenAPI document</a>. Sockets: <a href="asyncapi.json">AsyncAPI document</a>. Programs: <a href="sdk/quarterdeck-client.tgz">client package</a>.</nav>
<form id="sign-in">
<label>Username <input name="username" autocomplete="username" autocapitalize="none" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
<output name="outcome"></output>
</form>
<main id="api"><noscript>The description can only be shown with JavaScript; the documents above hold the same.</noscript></main>
</body>
</html>
`

const initScript = `const ui = SwaggerUIBundle({
  url: 'openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'none', validatorUrl: null, tryItOutEnabled: true,
})
const form = document.getElementById('sign-in')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { username, password, outcome } = form.elements
  const bytes = new TextEncoder().encode(username.value + ':' + password.value)
  const headers = { Authorization: 'Basic ' + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
  try {
    const answer = await (await fetch('api/v3/auth/login', { method: 'POST', credentials: 'omit', headers })).json()
    if (answer.token) ui.preauthorizeApiKey('bearer', answer.token)
    outcome.value = answer.token ? 'Signed in as ' + username.value + '. Open an endpoint and execute it.' : answer.reason
    if (answer.token) password.value = ''
  } catch {
    outcome.value = 'The server cannot be reached.'
  }
})
`

const indexHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  // Swagger UI sets style attributes; scripts only come from our own files.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri " +
    "'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

const contentTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** Everything that /docs may need, by name; nothing else is served. */
function staticFiles(): ReadonlyMap<string, Reply> {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')))
  const shipped = Object.entries(contentTypes).map(
    ([name, type]) =>
      [name, fixedReply(readFileSync(join(folder, name)), { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' })] as const,
  )
  const own = fixedReply(initScript, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' })
  return new Map([...shipped, ['init.js', own]])
}
