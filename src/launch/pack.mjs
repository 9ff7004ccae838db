// `npm run pack`: the product as one archive with all that it needs, for machines without a network and without Node.
//
//   quarterdeck/quarterdeck             the program: src/launch/quarterdeck.sh
//   quarterdeck/current                 leads to the version that runs
//   quarterdeck/versions/<id>/          runtime, packages, build; kit.json lists every file with its checksum
//
// Settings and data come to lie beside these, so that another version can take the place of this one.
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { cyclonedx, licenceTexts } from './bill-of-materials.mjs'
import { installRuntime } from './runtime.mjs'

/** What a running product reads of the project beside its packages. The build without tests and without the page of `npm run dev`. */
const ofProject = [
  'package.json',
  'LICENSE',
  'src/launch.mjs',
  'src/launch',
  'src/CHANGELOG.md',
  'src/operate/README.md',
  'src/operate/monitoring',
  'sql',
  'seeds',
  'dist',
]
const unused = /^(dist\/(test|\.sources|\.lock|sdk\/package|app\/reload\.js)|seeds\/private|seeds\/.*\.ts$)/
/** What only compilers, debuggers and readers of packages want. */
const unusedOfPackages = /(\.d\.[mc]?ts|\.map|\.tsbuildinfo|(?<!LICEN[CS]E)\.md|\.markdown)$/i

/** Writes the archive, its checksum, and the list of what is in it. */
export async function pack(root, args, say) {
  const { values } = parseArgs({ args, options: { out: { type: 'string' }, level: { type: 'string' } } })
  if (values.out === undefined) throw new Error('Say where to: npm run pack -- --out <folder>')
  const out = resolve(values.out)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const platform = `${process.platform}-${process.arch}`
  const runtime = runtimeOf(root, say)
  const packages = packagesOf(root)
  const files = [
    ...ofProject.flatMap((name) => filesBelow(root, name)).filter(({ name }) => !unused.test(name)),
    ...packages.flatMap(({ path }) => filesOfPackage(root, path)),
    { name: 'runtime/node', source: runtime, executable: true },
    { name: 'sbom.json', content: cyclonedx({ version, platform, packages, node: process.versions.node }) },
    { name: 'LICENSES.txt', content: licenceTexts(root, packages, runtime) },
  ].sort((one, other) => (one.name < other.name ? -1 : 1))
  say('Reading what goes in ...')
  for (const file of files) if (file.link === undefined) Object.assign(file, await digestOf(file))
  const id = `${version}-${idOf(files)}`
  const kit = {
    format: 1,
    version,
    id,
    platform,
    node: process.versions.node,
    files: Object.fromEntries(files.map(({ name, sha256, size, link }) => [name, link === undefined ? { sha256, size } : { link }])),
  }
  const top = [
    { name: 'quarterdeck', source: join(root, 'src', 'launch', 'quarterdeck.sh'), executable: true },
    { name: 'README.md', source: join(root, 'src', 'launch', 'kit.md') },
    { name: 'current', link: `versions/${id}` },
    { name: `versions/${id}/kit.json`, content: `${JSON.stringify(kit, null, 1)}\n` },
  ]
  for (const file of top) if (file.source) file.size = statSync(file.source).size
  const entries = [...top, ...files.map((file) => ({ ...file, name: `versions/${id}/${file.name}` }))]
  mkdirSync(out, { recursive: true })
  const archive = join(out, `quarterdeck-${version}-${platform}.tar.gz`)
  say('Packing ...')
  // Under another name until it is whole.
  await writeArchive(entries, `${archive}.new`, Number(values.level ?? 9))
  renameSync(`${archive}.new`, archive)
  const { sha256, size } = await digestOf({ source: archive })
  writeFileSync(`${archive}.sha256`, `${sha256}  ${basename(archive)}\n`)
  writeFileSync(archive.replace(/\.tar\.gz$/, '.sbom.json'), files.find(({ name }) => name === 'sbom.json').content)
  say(`${archive}\n${id}, ${(size / 1e6).toFixed(0)} MB, ${entries.length} files, SHA-256 ${sha256}`)
}

/** A Node that is one file. Some distributions keep most of theirs in a library beside it. */
function runtimeOf(root, say) {
  return process.config.variables.node_shared === true || process.config.variables.node_shared === 'true'
    ? installRuntime(root, say)
    : process.execPath
}

/** Packages that the product needs when it runs, those for this platform, as the lock file names them. */
function packagesOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && existsSync(join(root, path)))
    .map(([path, { version, integrity, license, name }]) => ({
      path,
      name: name ?? path.replace(/^.*node_modules\//, ''),
      version,
      integrity,
      license,
    }))
}

function filesOfPackage(root, path) {
  const ownFiles = filesBelow(root, path).filter(({ name }) => !name.slice(path.length).includes('/node_modules/'))
  const binaries = /\/uws_[^/]*\.node$/
  const wanted = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  return ownFiles.filter(({ name }) => !unusedOfPackages.test(name) && (!binaries.test(name) || name.endsWith(`/${wanted}`)))
}

/** All files at or below a path, links as links. */
function filesBelow(root, name) {
  const source = join(root, name)
  const stats = lstatSync(source)
  if (stats.isSymbolicLink()) return [{ name, link: readlinkSync(source) }]
  if (stats.isDirectory()) return readdirSync(source).flatMap((each) => filesBelow(root, `${name}/${each}`))
  return [{ name, source, executable: (stats.mode & 0o100) !== 0, size: stats.size }]
}

async function digestOf({ source, content }) {
  const hash = createHash('sha256')
  if (content !== undefined) return { sha256: hash.update(content).digest('hex'), size: Buffer.byteLength(content) }
  await pipeline(createReadStream(source), hash)
  return { sha256: hash.digest('hex'), size: statSync(source).size }
}

function idOf(files) {
  const hash = createHash('sha256')
  for (const { name, sha256, link } of files) hash.update(`${name} ${sha256 ?? link}\n`)
  return hash.digest('hex').slice(0, 8)
}

/** The same bytes for the same files: no times, no owners, one order. */
async function writeArchive(entries, path, level) {
  // Only there once the packages are installed.
  const { pack: newArchive } = await import('tar-stream')
  const tar = newArchive()
  const written = pipeline(tar, createGzip({ level }), createWriteStream(path))
  const folders = new Set()
  for (const { name, source, content, link, executable } of entries) {
    for (const folder of foldersOf(`quarterdeck/${name}`)) {
      if (folders.has(folder)) continue
      folders.add(folder)
      tar.entry({ name: folder, type: 'directory', mode: 0o755, mtime: new Date(0) })
    }
    const header = { name: `quarterdeck/${name}`, mode: executable ? 0o755 : 0o644, mtime: new Date(0) }
    await new Promise((done, failed) => {
      const end = (error) => (error ? failed(error) : done())
      if (link !== undefined) return tar.entry({ ...header, type: 'symlink', linkname: link }, end)
      tar.entry(header, content ?? readFileSync(source), end)
    })
  }
  tar.finalize()
  await written
}

function foldersOf(name) {
  const folder = dirname(name)
  return folder === '.' ? [] : [...foldersOf(folder), folder]
}
