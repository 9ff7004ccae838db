// `npm run dev`: the product from the sources as they are saved. Compiles and starts again after each change, and open pages
// reload themselves; what does not compile is said, and what ran before goes on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, forgetBuild, sourceFolders } from './build.mjs'

/** Editors write several files one after another. */
const settledMs = 200

/** Polls for another build; a service worker would show the page of an older one. */
const reloadScript = `
for (const each of (await navigator.serviceWorker?.getRegistrations()) ?? []) await each.unregister()
const current = () => fetch('/reload.js', { method: 'HEAD', cache: 'no-store' }).then(({ headers }) => headers.get('etag'), () => undefined)
const first = await current()
setInterval(async () => {
  const now = await current()
  if (now && now !== first) location.reload()
}, 500)
`

/** Runs until a signal; `args` are those of `npm start`. */
export async function dev(root, args, say) {
  let builds = 0
  let product = startProduct(root, args, ++builds)
  let timer
  let working = false
  let changed = false

  const again = async () => {
    if (working) return
    working = true
    while (changed) {
      changed = false
      try {
        await build(root, say)
      } catch (error) {
        say(error.message)
        continue
      }
      await stopped(product)
      product = startProduct(root, args, ++builds)
    }
    working = false
  }
  const watched = [...sourceFolders, 'sql'].filter((name) => name !== 'test' && existsSync(join(root, name)))
  for (const folder of watched)
    watch(join(root, folder), { recursive: true }, () => {
      changed = true
      clearTimeout(timer)
      timer = setTimeout(() => void again(), settledMs)
    })
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve)
  })
  await stopped(product)
  // The app in dist reloads itself; the next start makes it anew.
  forgetBuild(root)
  process.exit(0)
}

function startProduct(root, args, number) {
  const app = join(root, 'dist', 'app')
  writeFileSync(join(app, 'reload.js'), `// Build ${number} of ${process.pid}${reloadScript}`)
  const page = join(app, 'index.html')
  const html = readFileSync(page, 'utf8')
  if (!html.includes('/reload.js'))
    writeFileSync(page, html.replace('</head>', '<script type="module" src="/reload.js"></script>\n</head>'))
  for (const packed of ['index.html.br', 'index.html.gz']) rmSync(join(app, packed), { force: true })
  return spawn(process.execPath, ['--enable-source-maps', join(root, 'dist', 'src', 'commands', 'start.js'), ...args], {
    cwd: root,
    stdio: 'inherit',
    // One is easier to follow, unless its developer wants to see several.
    env: { SERVERS: '1', ...process.env },
  })
}

async function stopped(product) {
  if (product.exitCode !== null || product.signalCode !== null) return
  const ended = once(product, 'exit')
  product.kill('SIGTERM')
  await ended
}
