// Packs the browser app into dist/app: scripts and styles with a hash in their name, each also compressed.
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, stop } from 'esbuild'

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
  const styles = entries.styles.map(([name, file]) => `<meta name="style-${name}" content="/web/${file}">\n`).join('')
  const preloads = entries.chunks.map((name) => `<link rel="modulepreload" href="/web/${name}">\n`).join('')
  const named = page.replace('/web/main.js', `/web/${entries.script}`).replace('/web/style.css', `/web/${entries.style}`)
  await writeFile(join(fresh, 'index.html'), named.replace('</head>', `${styles}${preloads}</head>`))
  await build({ ...common, entryPoints: [join(source, 'phone', 'worklet.ts')], outfile: join(fresh, 'call-audio.js') })
  await bundleServiceWorker(source, fresh)
  await compressAll(fresh)
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
  // Ends the process that esbuild keeps for further builds.
  await stop()
}

/**
 * Returns the names of the page's own script and style, of the chunks that the script cannot start without, and of styles of later
 * chunks.
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
    // All of the first visit's code is one file, however later parts share it.
    inject: [join(source, 'app.tsx')],
    sourcemap: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.md': 'text' },
    define: { ...common.define, productVersion: JSON.stringify(version) },
    alias: { 'lucide-icons': join(source, '..', '..', 'node_modules', 'lucide-preact', 'dist', 'esm', 'icons') },
    metafile: true,
    plugins: [onlyUsedCalls(source)],
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
  const chunks = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))
  return { script, style: outputOf('style.css'), styles, chunks }
}

/** Leaves out of the client package's table all calls that no source of the app makes, as `client.group.name`. */
function onlyUsedCalls(source) {
  return {
    name: 'only used calls',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]sdk[\\/]api\.ts$/ }, async ({ path }) => {
        const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
        const texts = await Promise.all(names.map((name) => readFile(join(source, name), 'utf8')))
        const used = new Set(
          texts.flatMap((text) =>
            Array.from(text.matchAll(/client\s*\.(\w+)(?:\s*\.(\w+)|\[)/g), ([, group, name]) => `${group}.${name ?? ''}`),
          ),
        )
        used.add('user.whoami')
        let group = ''
        const isUnused = (line) => {
          group = line.match(/^ {2}(\w+): \{$/)?.[1] ?? group
          const name = line.match(/^ {4}(\w+): '/)?.[1]
          return name !== undefined && !used.has(`${group}.${name}`) && !used.has(`${group}.`)
        }
        const [types, table] = (await readFile(path, 'utf8')).split('export const endpoints = ')
        const kept = table.split('\n').filter((line) => !isUnused(line))
        return { contents: `${types}export const endpoints = ${kept.join('\n')}`, loader: 'ts' }
      })
    },
  }
}

/** The service worker keeps every file by its name; only the page itself has a revision. */
async function bundleServiceWorker(source, folder) {
  const hashed = (await readdir(join(folder, 'web')))
    .filter((name) => !name.endsWith('.map'))
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
    define: { ...common.define, builtFiles: JSON.stringify([...own, ...hashed]) },
  })
}

async function revisionOf(file) {
  const { createHash } = await import('node:crypto')
  return createHash('sha1')
    .update(await readFile(file))
    .digest('base64url')
}

async function compressAll(folder) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
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
