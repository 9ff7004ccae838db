// Packs the browser app into dist/app: scripts and styles with a hash in their name, each also compressed.
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, parse, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, stop } from 'esbuild'
import sharp from 'sharp'

const common = {
  bundle: true,
  format: 'esm',
  minify: true,
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  legalComments: 'none',
}

/** Writes dist/app whole, or leaves the one that is there. */
export async function buildWeb(root) {
  const source = join(root, 'src', 'web')
  const target = join(root, 'dist', 'app')
  const fresh = `${target}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(join(fresh, 'web'), { recursive: true })
  const entries = await bundle(source, join(fresh, 'web'))
  const manifest = await readFile(join(source, 'manifest.webmanifest'), 'utf8')
  const icon = await readFile(join(source, 'icon.svg'))
  const page = await readFile(join(source, 'index.html'), 'utf8')
  await writeFile(join(fresh, 'manifest.webmanifest'), manifest)
  await writeFile(join(fresh, 'icon.svg'), icon)
  await writeIcons(icon, fresh)
  const styles = entries.styles.map(([name, file]) => `<meta name="style-${name}" content="/web/${file}">\n`).join('')
  const preloads = entries.chunks.map((name) => `<link rel="modulepreload" href="/web/${name}">\n`).join('')
  const named = page.replace('/web/main.js', `/web/${entries.script}`).replace('/web/style.css', `/web/${entries.style}`)
  await writeFile(join(fresh, 'index.html'), named.replace('</head>', `${styles}${preloads}</head>`))
  await build({ ...common, entryPoints: [join(source, 'phone', 'worklet.ts')], outfile: join(fresh, 'call-audio.js') })
  await bundleServiceWorker(source, fresh, entries.later)
  await compressAll(fresh)
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
  // Ends the process that esbuild keeps for further builds.
  await stop()
}

/**
 * Returns the names of the page's own script and style, of the chunks that the script cannot start without, of styles of later
 * chunks, and of the files that only the console and its handbook need.
 */
async function bundle(source, outdir) {
  const { version } = JSON.parse(await readFile(join(source, '..', '..', 'package.json'), 'utf8'))
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, 'main.ts'), join(source, 'style.css')],
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    sourcemap: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.md': 'text' },
    define: { ...common.define, productVersion: JSON.stringify(version) },
    alias: { 'lucide-icons': join(source, '..', '..', 'node_modules', 'lucide-preact', 'dist', 'esm', 'icons') },
    metafile: true,
    plugins: [onlyUsedCalls(source), oneShell(source), ownIcons(source), guidesWithPictures(outdir)],
  })
  const outputOf = (entry) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))
    return basename(found[0])
  }
  const script = outputOf('main.ts')
  const { imports } = metafile.outputs[Object.keys(metafile.outputs).find((path) => basename(path) === script)]
  // esbuild gives every part the styles of all that it can load, too; they come with the part that names them.
  const styled = Object.values(metafile.outputs).filter(({ entryPoint, cssBundle }) => entryPoint && cssBundle)
  const names = ({ entryPoint }) => metafile.inputs[entryPoint].imports.some(({ path }) => path.endsWith('.css'))
  const kept = new Set(styled.filter(names).map(({ cssBundle }) => cssBundle))
  const spare = new Set(styled.map(({ cssBundle }) => cssBundle).filter((path) => !kept.has(path)))
  for (const path of spare) for (const end of ['', '.map']) await rm(join(outdir, basename(path) + end), { force: true })
  const styles = styled.filter(names).map(({ entryPoint, cssBundle }) => [basename(entryPoint).replace(/\.tsx?$/, ''), basename(cssBundle)])
  const pictures = (await readdir(outdir)).filter((name) => name.endsWith('.webp'))
  const later = [...onlyOfConsole(metafile, script), ...pictures]
  const chunks = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))
  return { script, style: outputOf('style.css'), styles, chunks, later }
}

/** Scripts that nobody gets to without opening the console. */
function onlyOfConsole({ outputs }, script) {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'))
  const ofConsole = ({ entryPoint = '' }) => /web\/(console|moderation|team)\//.test(entryPoint)
  const reached = new Set()
  const reach = (path) => {
    if (reached.has(path) || ofConsole(outputs[path])) return
    reached.add(path)
    for (const { path: next, external } of outputs[path].imports) if (!external) reach(next)
  }
  reach(scripts.find((path) => basename(path) === script))
  return scripts.filter((path) => !reached.has(path)).map((path) => basename(path))
}

/** For home screens and notices, which take no SVG everywhere: by name, with their sides in pixels. */
const icons = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 }

async function writeIcons(svg, folder) {
  const drawn = Object.entries(icons).map(([name, side]) =>
    sharp(svg, { density: 72 * 8 })
      .resize(side)
      .png()
      .toFile(join(folder, name)),
  )
  await Promise.all(drawn)
}

/** Guides name their pictures by where they lie; in the app they are served under the hash of what they show. */
function guidesWithPictures(outdir) {
  return {
    name: 'guides with pictures',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]guides[\\/][\w.-]+\.md$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const named = new Map()
        for (const [, picture] of text.matchAll(/\]\((\.\.\/pictures\/[\w.-]+)\)/g)) {
          const bytes = await readFile(join(dirname(path), picture))
          const { name, ext } = parse(picture)
          const file = `${name}-${createHash('sha1').update(bytes).digest('hex').slice(0, 8)}${ext}`
          await writeFile(join(outdir, file), bytes)
          named.set(picture, `/web/${file}`)
        }
        return { contents: text.replace(/(?<=\]\()\.\.\/pictures\/[\w.-]+(?=\))/g, (picture) => named.get(picture)), loader: 'text' }
      })
    },
  }
}

/** The pictures of lucide are drawn by `kit/lucide.tsx`, which needs their lines alone, without names and keys. */
function ownIcons(source) {
  return {
    name: 'own icons',
    setup(builder) {
      builder.onResolve({ filter: /\/createLucideIcon\.mjs$/ }, () => ({ path: join(source, 'kit', 'lucide.tsx') }))
      builder.onLoad({ filter: /[\\/]lucide-preact[\\/].*[\\/]icons[\\/]/ }, async ({ path }) => {
        const [, lines] = /^ {2}node: (\[.*?)(?:,\n {2}aliases: .*?)?\n\};/ms.exec(await readFile(path, 'utf8'))
        const contents = `import icon from '../createLucideIcon.mjs'\nexport default icon(${lines.replace(/,\s*key: "\w*"/g, '')})`
        return { contents }
      })
    },
  }
}

/** All of the first visit's code is one file, however later parts share it: each of these imports all of it. */
function oneShell(source) {
  const app = join(source, 'app.tsx')
  return {
    name: 'one shell',
    async setup(builder) {
      const shell = await loadedBy(app, 'at once')
      builder.onLoad({ filter: /[\\/]src[\\/](web|sdk)[\\/].*\.tsx?$/ }, async ({ path }) => {
        if (shell.has(path)) return undefined
        const text = await readFile(path, 'utf8')
        // A path from here: an absolute one would make hashes, and so names and sizes, depend on where the folder lies.
        const shellFromHere = `./${relative(dirname(path), app).replaceAll('\\', '/')}`
        return { contents: `import ${JSON.stringify(shellFromHere)};${text}`, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

/**
 * The client package's table goes where its calls are made, as `client.group.name`: the shell gets those that are made by what a first
 * visit loads; `calls-of-pages`, `calls-of-notices` and `calls-of-console` have those of everything that these load.
 */
function onlyUsedCalls(source) {
  const api = join(source, '..', 'sdk', 'api.ts')
  const shell = async () => usedCalls(await loadedBy(join(source, 'app.tsx'), 'at once'))
  const added = {
    pages: async () => usedCalls(await loadedBy(join(source, 'pages.tsx'))),
    notices: async () => usedCalls(await loadedBy(join(source, 'notification', 'outside.ts'))),
    console: async () => usedCalls(await loadedBy(join(source, 'console', 'pages.tsx'))),
  }
  const has = (calls, names) => names.some((name) => calls.has(name))
  const only = async (isWanted) => {
    const [types, table] = (await readFile(api, 'utf8')).split('export const endpoints = ')
    let group = ''
    const lines = table.split('\n').filter((line) => {
      group = line.match(/^ {2}(\w+): \{$/)?.[1] ?? group
      const name = line.match(/^ {4}(\w+): '/)?.[1]
      return name === undefined || isWanted([`${group}.${name}`, `${group}.`])
    })
    // Groups without a call are left out.
    return { types, table: lines.join('\n').replace(/^ {2}\w+: \{\n {2}\},\n/gm, '') }
  }
  return {
    name: 'only used calls',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]sdk[\\/]api\.ts$/ }, async () => {
        const calls = await shell()
        const { types, table } = await only((names) => has(calls, names))
        return { contents: `${types}export const endpoints = ${table}`, loader: 'ts' }
      })
      builder.onResolve({ filter: /^calls-of-/ }, ({ path }) => ({ path: path.slice('calls-of-'.length), namespace: 'calls' }))
      builder.onLoad({ filter: /./, namespace: 'calls' }, async ({ path }) => {
        const [calls, already] = await Promise.all([added[path](), shell()])
        const { table } = await only((names) => has(calls, names) && !has(already, names))
        return { contents: `export const calls = ${table}`, loader: 'ts' }
      })
    },
  }
}

/** The sources that one loads, itself among them: all that it leads to outside of the console, or only what it cannot start without. */
async function loadedBy(entry, when = 'ever', found = new Set()) {
  if (found.has(entry)) return found
  found.add(entry)
  const text = (await readFile(entry, 'utf8')).replace(/^(import|export) type\b[^']*'[^']*'/gm, '')
  const isOfConsole = (file) => /[\\/]src[\\/]web[\\/](console|moderation|team)[\\/]/.test(file)
  for (const [, kind, path] of text.matchAll(/\b(from |import |import\()'(\.{1,2}\/[^']+\.tsx?)'/g)) {
    const next = join(dirname(entry), path)
    const isLater = kind === 'import(' && (when === 'at once' || (isOfConsole(next) && !isOfConsole(entry)))
    if (!isLater) await loadedBy(next, when, found)
  }
  return found
}

/** Which calls some sources name, as `group.name`; `group.` for all of a group, where the name is computed. */
async function usedCalls(files) {
  // The client package itself makes this one.
  const found = new Set(['user.whoami'])
  for (const file of files) {
    for (const [, group, call] of (await readFile(file, 'utf8')).matchAll(/client\s*\.(\w+)(?:\s*\.(\w+)|\[)/g))
      found.add(`${group}.${call ?? ''}`)
  }
  return found
}

/**
 * The service worker keeps every file by its name; only the page itself has a revision. Files of the console it keeps as soon as
 * they are asked for: most people never load them.
 */
async function bundleServiceWorker(source, folder, later) {
  const hashed = (await readdir(join(folder, 'web')))
    .filter((name) => !name.endsWith('.map') && !later.includes(name))
    .map((name) => ({ url: `/web/${name}`, revision: null }))
  const own = await Promise.all(
    ['index.html', 'manifest.webmanifest', 'icon.svg', 'call-audio.js'].map(async (name) => ({
      url: `/${name}`,
      revision: await revisionOf(join(folder, name)),
    })),
  )
  await build({
    ...common,
    entryPoints: [join(source, 'sw.ts')],
    outfile: join(folder, 'sw.js'),
    format: 'iife',
    define: {
      ...common.define,
      builtFiles: JSON.stringify([...own, ...hashed]),
      laterFiles: JSON.stringify(later.map((name) => `/web/${name}`)),
    },
  })
}

async function revisionOf(file) {
  return createHash('sha1')
    .update(await readFile(file))
    .digest('base64url')
}

async function compressAll(folder) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    // What is packed already only grows.
    .filter((entry) => entry.isFile() && !/\.(map|png|webp)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const plain = await readFile(file)
      await writeFile(`${file}.br`, await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      await writeFile(`${file}.gz`, await promisify(gzip)(plain, { level: 9 }))
    }),
  )
}

/** For whoever looks at sizes: `node src/launch/web.mjs` builds and lists what a first visit loads. */
if (process.argv[1]?.endsWith(join('launch', 'web.mjs'))) {
  const root = join(import.meta.dirname, '..', '..')
  await buildWeb(root)
  const folder = join(root, 'dist', 'app')
  for (const name of (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.br')).sort()) {
    process.stdout.write(`${String((await readFile(join(folder, name))).length).padStart(7)} ${relative(folder, join(folder, name))}\n`)
  }
}
